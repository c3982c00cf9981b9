// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров").

/// The once-states of registration sites.
///
/// A site's lives as long as some registration holds it.
final class SiteSlots: Sendable {
  static let shared = SiteSlots()

  private let slots = Lock<[Site: Entry]>([:])

  private struct Site: Hashable {
    let location: CodeLocation
    let type: ObjectIdentifier
    let scope: ObjectIdentifier

    init(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) {
      self.location = location
      self.type = ObjectIdentifier(type)
      self.scope = ObjectIdentifier(scope)
    }
  }

  private struct Entry {
    weak var slot: Slot?
    /// The places where the site has ever registered something.
    var links: [Link] = []
    /// How many of them there may be before those of gone containers are sorted out.
    var limit = 32
  }

  /// A place where the site has registered something, in whatever context.
  private final class Link: Sendable {
    // Not held: a container that goes takes its registrations along.
    private let core: Unchecked<WeakHold>
    let address: ObjectIdentifier
    let key: ServiceKey

    init(_ core: ContainerCore, _ key: ServiceKey) {
      self.core = Unchecked(WeakHold(.passUnretained(core)))
      address = ObjectIdentifier(core)
      self.key = key
    }

    var value: ContainerCore? {
      core.value.value.map { unsafeDowncast($0, to: ContainerCore.self) }
    }
  }

  /// The once-state for a type that is registered at a place in a scope.
  func slot(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) -> Slot {
    let site = Site(location, type, scope)
    return slots.withLock { slots in
      if let slot = slots[site]?.slot { return slot }
      let slot = Slot(scope, type)
      slots[site, default: Entry()].slot = slot
      return slot
    }
  }

  /// Notes that a container, or a sandbox's view of it, gets a registration of a site.
  @inline(never)
  func note(_ registration: Registration, in core: ContainerCore) {
    let site = Site(registration.location, registration.key.type, registration.scope)
    let new = Link(core, registration.key)
    // Letting go of a container may run user code, so none is looked at with the lock held.
    let (crowded, old): ([Link]?, Link?) = slots.withLock { slots in
      guard let slot = slots[site]?.slot, slot === registration.slot else { return (nil, nil) }
      let place = slots[site]!.links.firstIndex {
        $0.address == new.address && $0.key == new.key
      }
      if let place {
        // It may be that of a container that is gone, whose address another one has now.
        let old = slots[site]!.links[place]
        slots[site]!.links[place] = new
        return (nil, old)
      }
      slots[site]!.links.append(new)
      let isCrowded = slots[site]!.links.count > slots[site]!.limit
      return (isCrowded ? slots[site]!.links : nil, nil)
    }
    withExtendedLifetime(old) {}
    guard let crowded else { return }
    let gone = Set(crowded.filter { $0.value == nil }.map(ObjectIdentifier.init))
    slots.withLock { slots in
      guard var entry = slots[site] else { return }
      entry.links.removeAll { gone.contains(ObjectIdentifier($0)) }
      entry.limit = max(32, entry.links.count * 2)
      slots[site] = entry
    }
  }

  /// Whether some container, as a context sees it, has a registration of the site that a
  /// registration is of; `apartFrom`: another one than this, or with a key, elsewhere in it.
  func isLinked(
    _ registration: Registration, _ frame: ContextFrame?, apartFrom core: ContainerCore? = nil,
    key: ServiceKey? = nil
  ) -> Bool {
    let site = Site(registration.location, registration.key.type, registration.scope)
    let links = slots.withLock { $0[site]?.links ?? [] }
    return links.contains {
      if let core, $0.address == ObjectIdentifier(core), key == nil || key == $0.key {
        return false
      }
      return $0.value?.holds(registration.slot, for: $0.key.rawKey, frame) ?? false
    }
  }
}

extension Scope.Kind {
  /// Whether there is one instance for all registrations that one line makes.
  var isPerSite: Bool { self == .site || self == .siteWeak }
}
