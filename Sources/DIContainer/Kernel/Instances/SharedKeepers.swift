// The keepers that several registrations share.
//
// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров"). `.singleton` keeps one instance per property of a
// container type.

/// The keepers that several registrations share, for the whole process.
enum SharedKeepers {
  enum Key: Hashable {
    case site(CodeLocation, type: ObjectIdentifier, scope: ObjectIdentifier)
    case property(ObjectIdentifier, containerType: ObjectIdentifier)

    init(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) {
      self = .site(location, type: ObjectIdentifier(type), scope: ObjectIdentifier(scope))
    }
  }

  struct Entry {
    /// A serial number.
    let number = Registration.nextID()
    /// A site's keeper lives as long as a registration holds it.
    weak var keeper: Keeper?
    /// The keeper of a property, which lives as long as the process.
    var retained: Keeper?
    /// The containers with the keys for which a site has registered something, in any context.
    var links: [ObjectIdentifier: Link] = [:]
  }

  struct Link {
    weak var core: ContainerCore?
    var keys: Set<ServiceKey>
  }

  static let entries = Lock<[Key: Entry]>([:])

  /// Returns the keeper for a type that is registered at a place in a scope.
  static func keeper(
    at location: CodeLocation, _ type: Any.Type, _ scope: Scope
  ) -> Keeper {
    let key = Key(location, type, scope)
    return entries.withLock { entries in
      if let keeper = entries[key]?.keeper { return keeper }
      let keeper = Keeper(scope, type)
      entries[key, default: Entry()].keeper = keeper
      return keeper
    }
  }

  /// Returns the keeper of the singleton that a property of a container type declares.
  static func singleton(
    _ property: PropertyKey, of container: Any.Type, _ type: Any.Type
  ) -> Keeper {
    let key = Key.property(
      ObjectIdentifier(property), containerType: ObjectIdentifier(container))
    return entries.withLock { entries in
      if let keeper = entries[key]?.retained { return keeper }
      let keeper = Keeper(.singleton, type)
      entries[key] = Entry(retained: keeper)
      return keeper
    }
  }
}

extension Registration {
  /// Whether it shares its instance with all registrations that its line makes.
  ///
  /// A line that decorates is no site of the service: it may decorate several times, for several.
  var isOfSite: Bool { scope.isPerSite && !isDecoration }

  var site: SharedKeepers.Key? {
    isOfSite ? SharedKeepers.Key(location, key.type, scope) : nil
  }
}
