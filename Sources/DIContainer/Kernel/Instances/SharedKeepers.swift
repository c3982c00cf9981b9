// The keepers that several registrations share.
//
// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров"). `.singleton` keeps one instance per property of a
// container type.

/// The keepers that several registrations share, for the whole process.
enum SharedKeepers {
  private enum Key: Hashable {
    case site(CodeLocation, type: ObjectIdentifier, scope: ObjectIdentifier)
    case property(ObjectIdentifier, containerType: ObjectIdentifier)

    init(siteOf registration: Registration) {
      self.init(registration.location, registration.key.type, registration.scope)
    }

    init(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) {
      self = .site(location, type: ObjectIdentifier(type), scope: ObjectIdentifier(scope))
    }
  }

  private struct Entry {
    /// A site's keeper lives as long as a registration holds it.
    weak var keeper: Keeper?
    /// The keeper of a property, which lives as long as the process.
    var retained: Keeper?
    /// The keys for which a site has registered something, in any context, by container.
    var links = WeakTable<ContainerCore, Set<ServiceKey>>()
  }

  private static let entries = Lock<[Key: Entry]>([:])

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

  /// Notes that a container, or a sandbox's view of it, gets a registration of a site.
  @inline(never)
  static func note(_ registration: Registration, in core: ContainerCore) {
    let site = Key(siteOf: registration)
    // Releasing a container may run user code, so that happens under no lock.
    typealias Left = (WeakTable<ContainerCore, Set<ServiceKey>>.Leftovers?, Keeper?)
    let left = entries.withLock { entries -> Left in
      let keeper = entries[site]?.keeper
      guard let keeper, keeper === registration.keeper else { return (nil, keeper) }
      let keys = (entries[site]!.links[core] ?? []).union([registration.key])
      return (entries[site]!.links.set(keys, for: core), keeper)
    }
    withExtendedLifetime(left) {}
  }

  /// Whether a container, as a context sees it, has a registration of the same site.
  ///
  /// `apartFrom`: a container that does not count; if `key` is given, only its registration for
  /// that key does not count.
  static func isLinked(
    _ registration: Registration, _ frame: ContextFrame?, apartFrom core: ContainerCore? = nil,
    key: ServiceKey? = nil
  ) -> Bool {
    let links = entries.withLock { $0[Key(siteOf: registration)]?.links.all ?? [] }
    return links.contains { linked, keys in
      guard let linked else { return false }
      return keys.contains { other in
        if linked === core, key == nil || key == other { return false }
        return linked.holds(registration.keeper, for: other, frame)
      }
    }
  }
}

extension Scope.Kind {
  /// Whether all registrations made by one line share one instance.
  var isPerSite: Bool { self == .site || self == .siteWeak }
}
