// The links of registration sites to the containers in which they have registered something. When
// the last one is gone, the site's instance goes with it.

extension SharedKeepers {
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
  /// that a release that looked for links before then looks again.
  static func note(_ registration: Registration, in core: ContainerCore) {
    if let declared = registration.options.entry?.declared { note(declared, in: core) }
    guard registration.isOfSite || registration.isDecoration else { return }
    // Those that it wraps at its place may have got their scope with it.
    for registration in registration.withDisplaced {
      guard let site = registration.site, let keeper = registration.keeper else { continue }
      haveSites.set(true)
      _ = typesOfSites.withLock { $0.insert(ObjectIdentifier(registration.key.type)) }
      let number = entries.withLock { entries in
        let link = entries[site]?.links[ObjectIdentifier(core)]
        let keys = (link?.keys ?? []).union([registration.key])
        entries[site]?.links[ObjectIdentifier(core)] = Link(core: core, keys: keys)
        return entries[site]?.number
      }
      // The site's number, not the keeper's: a site has one keeper after the other.
      core.whenGone(number!) { core in
        entries.withLock { _ = $0[site]?.links.removeValue(forKey: ObjectIdentifier(core)) }
        release(site, apartFrom: [])
      }
      BuildLock.withLock { keeper.timesLinked += 1 }
    }
  }

  /// Forgets the instances of sites from which the last link is gone: outside of frames, and in
  /// each frame, where no container has a registration of the site.
  ///
  /// It is called with registrations that were replaced, removed, or hidden by a sandbox.
  /// `new` are the ids of what replaces them: a line that registers again drops the instance, too.
  static func release(_ gone: [Registration], replacedBy new: Set<UInt64> = []) {
    if !haveSites.isSet { return }
    for registration in gone.flatMap(\.withDeclared).flatMap(\.withDisplaced) {
      guard let site = registration.site else { continue }
      release(site, apartFrom: new.subtracting([registration.id]))
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
