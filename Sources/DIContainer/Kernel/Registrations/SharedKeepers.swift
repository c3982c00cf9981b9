// The keepers that several registrations share.
//
// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров"). `.singleton` keeps one instance per property of a
// container type.

/// The keepers that several registrations share, for the whole process.
enum SharedKeepers {
  /// A line that registers, with the type and the scope of what it registers.
  struct Site: Hashable {
    private let location: CodeLocation
    private let type: ObjectIdentifier
    private let scope: ObjectIdentifier

    init(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) {
      self.location = location
      self.type = ObjectIdentifier(type)
      self.scope = ObjectIdentifier(scope)
    }
  }

  private struct Singleton: Hashable {
    private let property: ObjectIdentifier
    private let containerType: ObjectIdentifier

    init(_ property: PropertyKey, _ container: Any.Type) {
      self.property = ObjectIdentifier(property)
      containerType = ObjectIdentifier(container)
    }
  }

  // A site's keeper lives as long as a registration holds it, and a property's as long as the
  // process.
  private static let ofSites = Lock(PruningTable<Site, Weak<Keeper>>())
  private static let ofSingletons = Lock<[Singleton: Keeper]>([:])

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

  /// Returns the keeper of the singleton that a property of a container type declares, if there is
  /// one.
  static func knownSingleton(_ property: PropertyKey, of container: Any.Type) -> Keeper? {
    let key = Singleton(property, container)
    return ofSingletons.withLock { $0[key] }
  }

  /// Returns the keeper of the singleton that a property of a container type declares.
  static func singleton(
    _ property: PropertyKey, of container: Any.Type, _ type: Any.Type
  ) -> Keeper {
    let key = Singleton(property, container)
    return ofSingletons.withLock { keepers in
      let keeper = keepers[key] ?? Keeper(.singleton, type)
      keepers[key] = keeper
      return keeper
    }
  }
}
