// The links of registration sites to the containers in which they have registered something. When
// the last one is gone, the site's instance goes with it.

extension SharedKeepers {
  static let sites = Atomic()

  /// A container with the keys for which a site has registered something in it, in any context.
  private struct Link {
    weak var core: ContainerCore?
    var keys: Set<ServiceKey>
  }

  private struct Links {
    let number = SerialNumber.next()
    var ofContainers: [ObjectIdentifier: Link] = [:]
  }

  private static let links = Lock<[Site: Links]>([:])
  /// A frame that has a keeper of its own in place of a site's.
  private struct KeepingFrame: Hashable {
    /// The number of the site's keeper.
    let keeper: UInt64
    /// The number of the frame.
    let number: UInt64
  }

  private static let frames = Lock(PruningTable<KeepingFrame, Weak<ContextFrame>>())

  /// Notes a frame that has a keeper of its own in place of a site's; no others, for references to
  /// an object with a weak one are slower to count.
  static func note(_ frame: ContextFrame, inPlaceOf keeper: Keeper) {
    let key = KeepingFrame(keeper: keeper.id, number: frame.number)
    releaseUnlocked(
      frames.withLock { $0.add(Weak(value: frame), for: key, evidence: \.value) })
  }

  /// Notes that a container, or a sandbox's view of it, gets a registration, if that is of a site.
  ///
  /// It is called before the registration is stored, so that its link is found, and afterwards, so
  /// that a release that looked for links before then looks again.
  static func note(_ registration: Registration, in core: ContainerCore) {
    guard registration.isOfSite || registration.isDecoration else { return }
    // Those that it wraps at its place may have got their scope with it.
    for registration in registration.withDisplaced {
      guard let site = registration.site, let keeper = registration.keeper else { continue }
      sites.set(true)
      let number = links.withLock { links in
        let keys = links[site]?.ofContainers[ObjectIdentifier(core)]?.keys ?? []
        links[site, default: Links()].ofContainers[ObjectIdentifier(core)] = Link(
          core: core, keys: keys.union([registration.key]))
        return links[site]!.number
      }
      // The site's number, not the keeper's: a site has one keeper after the other.
      core.whenGone(number) { core in
        links.withLock { _ = $0[site]?.ofContainers.removeValue(forKey: ObjectIdentifier(core)) }
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
  static func release(
    _ gone: @autoclosure () -> [Registration], replacedBy new: @autoclosure () -> Set<UInt64> = []
  ) {
    if !sites.isSet { return }
    let new = new()
    for registration in gone().flatMap(\.withDisplaced) {
      guard let site = registration.site else { continue }
      release(site, apartFrom: new.subtracting([registration.id]))
    }
  }

  /// `ids`: the ids of registrations that are no links.
  private static func release(_ site: Site, apartFrom ids: Set<UInt64>) {
    guard let keeper = keeper(of: site) else { return }
    // No other frames: this may hold the last reference to one for a moment.
    let frames = frames.withLock { $0.all { $0.keeper == keeper.id } }.compactMap(\.value)
    for frame in [nil] + frames {
      var seen: Int
      repeat {
        seen = BuildLock.withLock { keeper.timesLinked }
        if isLinked(site, keeper, frame, apartFrom: ids) { break }
        keeper.forget(in: frame) { keeper.timesLinked == seen }
      } while BuildLock.withLock({ keeper.timesLinked != seen })
    }
  }

  private static func isLinked(
    _ site: Site, _ keeper: Keeper, _ frame: ContextFrame?, apartFrom ids: Set<UInt64>
  ) -> Bool {
    // Released under no lock: these may be the last references.
    let links = links.withLock {
      $0[site]?.ofContainers.values.map { ($0.core, $0.keys) } ?? []
    }
    return links.contains { core, keys in
      keys.contains { key in
        core?.holds(key, frame) { $0.keeper === keeper && !ids.contains($0.id) } ?? false
      }
    }
  }
}
