// `.perRun` and `.single` keep one instance per registration site: the same line of code, run
// against several containers, registers one component, as on DITranquillity's page on hierarchies
// of containers ("Иерархия контейнеров").

/// The slots of registration sites.
///
/// A site's slot lives as long as a registration holds it.
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
    weak var slot: Keeper?
    /// The containers and keys for which the site has registered something.
    var links: [Link] = []
    /// The number of links at which those of deallocated containers are dropped.
    var limit = 32
  }

  /// A container and key for which the site has registered something, in any context.
  private final class Link: Sendable {
    // Not retained: a container that is deallocated releases its registrations.
    private let core: Weak<ContainerCore>
    let address: ObjectIdentifier
    let key: ServiceKey

    init(_ core: ContainerCore, _ key: ServiceKey) {
      self.core = Weak(value: core)
      address = ObjectIdentifier(core)
      self.key = key
    }

    var value: ContainerCore? { core.value }
  }

  /// Returns the slot for a type that is registered at a place in a scope.
  func slot(_ location: CodeLocation, _ type: Any.Type, _ scope: Scope) -> Keeper {
    let site = Site(location, type, scope)
    return slots.withLock { slots in
      if let slot = slots[site]?.slot { return slot }
      let slot = Keeper(scope, type)
      slots[site, default: Entry()].slot = slot
      return slot
    }
  }

  /// Notes that a container, or a sandbox's view of it, gets a registration of a site.
  @inline(never)
  func note(_ registration: Registration, in core: ContainerCore) {
    let site = Site(registration.location, registration.key.type, registration.scope)
    let new = Link(core, registration.key)
    // Releasing a container may run user code, so none is retained under the lock.
    let (crowded, old): ([Link]?, Link?) = slots.withLock { slots in
      guard let slot = slots[site]?.slot, slot === registration.slot else { return (nil, nil) }
      let place = slots[site]!.links.firstIndex {
        $0.address == new.address && $0.key == new.key
      }
      if let place {
        // It may belong to a deallocated container whose address was reused.
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

  /// Whether a container, as a context sees it, has a registration of the same site.
  ///
  /// `apartFrom`: a container that does not count; if `key` is given, only its registration for
  /// that key does not count.
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
  /// Whether all registrations made by one line share one instance.
  var isPerSite: Bool { self == .site || self == .siteWeak }
}
