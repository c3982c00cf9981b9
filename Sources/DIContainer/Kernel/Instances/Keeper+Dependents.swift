// Slots that replace another for a keeper of their own, and are forgotten with it: those of
// containers hold their instance for one container each, those of the context for a sandbox or
// layer.

extension Keeper {
  /// Slots for other keepers.
  struct DerivedSlots {
    private struct Entry {
      weak var slot: Keeper?
    }

    private var entries: [Entry] = []
    /// The number of entries at which those of deallocated slots are dropped.
    private var limit = 32

    var isEmpty: Bool { entries.isEmpty }

    /// The slots that are alive; the caller releases them once it holds no lock.
    var alive: [Keeper] { entries.compactMap(\.slot) }

    /// Adds a slot; returns slots that it retained, for the caller to release under no lock.
    mutating func add(_ slot: Keeper) -> [Keeper] {
      var held: [Keeper] = []
      if entries.count >= limit {
        held = alive
        entries = held.map { Entry(slot: $0) }
        limit = max(32, entries.count * 2)
      }
      entries.append(Entry(slot: slot))
      return held
    }
  }

  /// Returns an empty slot for another keeper, which is forgotten with this slot's registration.
  func makeDerived() -> Keeper {
    let own = Keeper(scope, type)
    let held = BuildLock.withLock { derived.add(own) }
    withExtendedLifetime(held) {}
    return own
  }

  /// Adds the slot of a decoration of the instance.
  func addDecorated(_ slot: Keeper) {
    let held = BuildLock.withLock { decorated.add(slot) }
    withExtendedLifetime(held) {}
  }

  /// The slots of the decorations of the instance, and of decorations of those.
  var allDecorated: [Keeper] {
    let alive = BuildLock.withLock { decorated.alive }
    return alive + alive.flatMap(\.allDecorated)
  }

  /// The slots of the other keepers.
  var allDerived: [Keeper] { BuildLock.withLock { derived.alive } }

  /// Returns an empty slot for a scope of the context, which is forgotten when this one is
  /// deallocated.
  ///
  /// It is not forgotten when the service is registered again: the scope may be another test's, and
  /// handles that itself.
  func makeForContext() -> Keeper {
    let own = Keeper(scope, type, isOfContext: true)
    let held = BuildLock.withLock { inContexts.add(own) }
    withExtendedLifetime(held) {}
    return own
  }

  /// Whether the slot that it replaces is deallocated, so that it can no longer be requested.
  var isLeft: Bool { BuildLock.withLock { isOrphan } }

  /// Drops what this slot and those derived from it keep: their registration was displaced.
  func retire() {
    // A registration site's instance is released with the site's last registration.
    if scope.kind.isPerSite { return }
    let derived = allDerived
    let decorated = allDecorated
    forget()
    for slot in derived { slot.forget() }
    for slot in decorated { slot.retire() }
  }

  /// Forgets the instances that are kept in its place, in its `deinit`.
  func leaveAll() {
    // Without the lock: no other thread can reach this slot any more. Most have none of any kind.
    if derived.isEmpty, decorated.isEmpty, inContexts.isEmpty { return }
    var decorated = self.decorated.alive
    decorated += decorated.flatMap(\.allDecorated)
    for slot in derived.alive + decorated.flatMap({ [$0] + $0.allDerived }) {
      slot.forget()
      slot.orphanAll()
    }
    orphanAll()
  }

  private func orphanAll() {
    let all = BuildLock.withLock {
      defer { inContexts = DerivedSlots() }
      let all = inContexts.alive
      for own in all { own.isOrphan = true }
      return all
    }
    for own in all { own.forget() }
  }
}
