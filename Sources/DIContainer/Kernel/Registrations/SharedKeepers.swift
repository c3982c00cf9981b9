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

  private struct Entry {
    /// A site's keeper lives as long as a registration holds it.
    weak var keeper: Keeper?
    /// The keeper of a property, which lives as long as the process.
    var retained: Keeper?
  }

  private static let entries = Lock<[Key: Entry]>([:])

  /// Returns the keeper for a key, if there is one.
  static func keeper(for key: Key) -> Keeper? { entries.withLock { $0[key]?.keeper } }

  /// Returns the keeper for a type that is registered at a place in a scope.
  static func keeper(
    at location: CodeLocation, _ type: Any.Type, _ scope: Scope
  ) -> Keeper {
    let key = Key(location, type, scope)
    return entries.withLock { entries in
      if let keeper = entries[key]?.keeper { return keeper }
      let keeper = Keeper(scope, type)
      entries[key] = Entry(keeper: keeper)
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
