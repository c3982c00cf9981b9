// The keepers that several registrations share.
//
// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров"). `.singleton` keeps one instance per property of a
// container type.

/// The keepers that several registrations share, for the whole process.
enum SharedKeepers {
  fileprivate enum Key: Hashable {
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
    /// The containers with the keys for which a site has registered something, in any context.
    var links: [ObjectIdentifier: Link] = [:]
  }

  private struct Link {
    weak var core: ContainerCore?
    var keys: Set<ServiceKey>
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
}

// MARK: - Links to sites

extension SharedKeepers {
  /// The sites that have registered something in a container.
  private struct Sites: Sendable {
    var keys: Set<Key> = []
  }

  /// Whether any line registers in a scope with one instance per site.
  static let haveSites = Atomic()
  private static let typesOfSites = Lock<Set<ObjectIdentifier>>([])

  /// Whether any line registers a type in such a scope.
  static func haveSites(of type: Any.Type) -> Bool {
    haveSites.isSet && typesOfSites.withLock { $0.contains(ObjectIdentifier(type)) }
  }

  /// Notes that a container, or a sandbox's view of it, gets a registration, if that is of a site.
  ///
  /// It is called before the registration is stored, so that its link is found, and afterwards, so
  /// that a release that looked for links before then does not take its instance.
  static func note(_ registration: Registration, in core: ContainerCore) {
    guard registration.isOfSite || registration.isDecoration else { return }
    // Those that it wraps at its place may have got their scope with it.
    for registration in registration.withDisplaced {
      guard let site = registration.site else { continue }
      haveSites.set(true)
      _ = typesOfSites.withLock { $0.insert(ObjectIdentifier(registration.key.type)) }
      core.change(Sites.self) { sites in
        if sites == nil { sites = Sites() }
        sites!.keys.insert(site)
      }
      entries.withLock { entries in
        let link = entries[site]?.links[ObjectIdentifier(core)]
        let keys = (link?.keys ?? []).union([registration.key])
        entries[site]?.links[ObjectIdentifier(core)] = Link(core: core, keys: keys)
      }
      BuildLock.withLock { registration.keeper?.timesLinked += 1 }
    }
  }

  /// Forgets the instances of sites from which the last link is gone: outside of frames, and in
  /// each frame, where no container has a registration of the site.
  ///
  /// It is called with registrations that were replaced, removed, or hidden by a sandbox.
  /// `new` are the ids of what replaces them: a line that registers again drops the instance, too.
  static func release(_ gone: [Registration], replacedBy new: Set<UInt64> = []) {
    if !haveSites.isSet { return }
    for registration in gone.flatMap(\.withDisplaced) {
      guard let site = registration.site else { continue }
      release(site, apartFrom: new.subtracting([registration.id]))
    }
  }

  /// Removes the links of a container that no request can reach any more.
  static func release(linksOf core: ContainerCore) {
    guard haveSites.isSet, let sites = core[Sites.self] else { return }
    for site in sites.keys {
      entries.withLock { _ = $0[site]?.links.removeValue(forKey: ObjectIdentifier(core)) }
      release(site, apartFrom: [])
    }
  }

  /// `ids`: the ids of registrations that are no links.
  private static func release(_ site: Key, apartFrom ids: Set<UInt64>) {
    guard let keeper = entries.withLock({ $0[site]?.keeper }) else { return }
    for frame in [nil] + keeper.frames {
      var seen: Int
      repeat {
        seen = BuildLock.withLock { keeper.timesLinked }
        if isLinked(site, keeper, frame, apartFrom: ids) { break }
        keeper.forget(in: frame) { keeper.timesLinked == seen }
      } while BuildLock.withLock({ keeper.timesLinked != seen })
    }
  }

  private static func isLinked(
    _ site: Key, _ keeper: Keeper, _ frame: ContextFrame?, apartFrom ids: Set<UInt64>
  ) -> Bool {
    // Released under no lock: these may be the last references.
    let links = entries.withLock { $0[site]?.links.values.map { ($0.core, $0.keys) } ?? [] }
    return links.contains { core, keys in
      keys.contains { core?.holds(keeper, for: $0, frame, apartFrom: ids) ?? false }
    }
  }
}

extension Registration {
  /// Whether it shares its instance with all registrations that its line makes.
  ///
  /// A line that decorates is no site of the service: it may decorate several times, for several.
  var isOfSite: Bool { scope.isPerSite && !isDecoration }

  fileprivate var site: SharedKeepers.Key? {
    isOfSite ? SharedKeepers.Key(location, key.type, scope) : nil
  }
}
