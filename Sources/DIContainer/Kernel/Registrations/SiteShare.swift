// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров").

/// The share of a registration, in all its forms, in the keeper of its site, which is one for the
/// whole process.
///
/// A container's registrations hold theirs from the moment in which they are stored, after those
/// that they replace have let go: so registering again forgets the instance, unless another
/// container has a registration of the site.
final class SiteShare: Sendable {
  /// A line that registers, with the type and the scope of what it registers.
  private struct Site: Hashable {
    let location: CodeLocation
    let type, scope: ObjectIdentifier
  }

  /// The keepers of all sites, each of which lives as long as a registration holds it.
  private static let keepers = Lock(PruningTable<Site, Weak<Keeper>>())

  private let site: Site
  private let scope: Scope
  private let type: Any.Type
  private let held = Lock<Keeper?>(nil)

  init(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) {
    site = Site(
      location: location, type: ObjectIdentifier(type), scope: ObjectIdentifier(scope))
    (self.type, self.scope) = (type, scope)
  }

  /// The keeper, which is held from now on; it is made if no registration holds one.
  var keeper: Keeper {
    if let keeper = held.withLock({ $0 }) { return keeper }
    let (keeper, pruned) = Self.keepers.withLock { keepers -> (Keeper, Any?) in
      if let keeper = keepers[site]?.value { return (keeper, nil) }
      let keeper = Keeper(scope, type)
      return (keeper, keepers.add(Weak(value: keeper), for: site, evidence: \.value))
    }
    releaseUnlocked((pruned, held.withLock { exchange(&$0, with: keeper) }))
    return keeper
  }

  func letGo() { releaseUnlocked(held.withLock { exchange(&$0, with: nil) }) }
}
