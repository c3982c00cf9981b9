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
  private static let ofSites = Lock<[Site: Weak<Keeper>]>([:])
  private static let ofSingletons = Lock<[Singleton: Keeper]>([:])

  /// Returns the keeper of a site, if there is one.
  static func keeper(of site: Site) -> Keeper? { ofSites.withLock { $0[site]?.value } }

  /// Returns the keeper for a type that is registered at a place in a scope.
  static func keeper(
    at location: CodeLocation, _ type: Any.Type, _ scope: Scope
  ) -> Keeper {
    let site = Site(location, type, scope)
    return ofSites.withLock { keepers in
      if let keeper = keepers[site]?.value { return keeper }
      let keeper = Keeper(scope, type)
      keepers[site] = Weak(value: keeper)
      return keeper
    }
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
