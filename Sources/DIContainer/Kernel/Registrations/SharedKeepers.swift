// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров").

/// The keepers that the registrations of a site share, for the whole process.
enum SharedKeepers {
  /// A line that registers, with the type and the scope of what it registers.
  private struct Site: Hashable {
    private let location: CodeLocation
    private let type: ObjectIdentifier
    private let scope: ObjectIdentifier

    init(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) {
      self.location = location
      self.type = ObjectIdentifier(type)
      self.scope = ObjectIdentifier(scope)
    }
  }

  // A site's keeper lives as long as a registration holds it.
  private static let ofSites = Lock(PruningTable<Site, Weak<Keeper>>())

  /// The share of a registration, in all its forms, in the keeper of its site.
  ///
  /// A container's registrations hold theirs from the moment in which they are stored, after those
  /// that they replace have let go: so registering again forgets the instance, unless another
  /// container has a registration of the site.
  final class OfSite: Sendable {
    private let site: Site
    private let scope: Scope
    private let type: Any.Type
    private let held = Lock<Keeper?>(nil)

    init(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) {
      site = Site(location, type, scope)
      (self.type, self.scope) = (type, scope)
    }

    /// The keeper, which is held from now on.
    var keeper: Keeper {
      if let keeper = held.withLock({ $0 }) { return keeper }
      let keeper = SharedKeepers.keeper(of: site) { Keeper(scope, type) }
      releaseUnlocked(held.withLock { exchange(&$0, with: keeper) })
      return keeper
    }

    func letGo() { releaseUnlocked(held.withLock { exchange(&$0, with: nil) }) }
  }

  /// Returns the keeper of a site, which is made if no registration holds one.
  private static func keeper(of site: Site, orMake make: () -> Keeper) -> Keeper {
    let (keeper, pruned) = ofSites.withLock { keepers -> (Keeper, Any?) in
      if let keeper = keepers[site]?.value { return (keeper, nil) }
      let keeper = make()
      return (keeper, keepers.add(Weak(value: keeper), for: site, evidence: \.value))
    }
    releaseUnlocked(pruned)
    return keeper
  }
}
