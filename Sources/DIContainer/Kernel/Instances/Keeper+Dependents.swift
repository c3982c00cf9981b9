internal import DIPrimitives

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

  /// The slots of the context's scopes that replace a slot: a list that runs through them.
  ///
  /// Every sandbox has one for each service that it keeps, and weak references take 100 ns more. A
  /// slot that is deallocated removes itself, so all slots in the list are valid.
  struct ContextLinks {
    /// The slot that this one replaces.
    fileprivate var base: Unmanaged<Keeper>?
    fileprivate var previous: Unmanaged<Keeper>?
    fileprivate var next: Unmanaged<Keeper>?
    /// The first of the slots that replace this one.
    fileprivate var first: Unmanaged<Keeper>?
    /// Whether a slot has ever replaced this one.
    fileprivate var isUsed = false
    /// Whether the slot that this one replaces is deallocated.
    fileprivate var isOrphan = false

    /// Forgets the slot that it replaced, which is being deallocated; returns the next in the list.
    fileprivate mutating func orphan() -> Unmanaged<Keeper>? {
      defer { (base, previous, next, isOrphan) = (nil, nil, nil, true) }
      return next
    }
  }

  /// Returns an empty slot for another keeper, which is forgotten with this slot's registration.
  func makeDerived() -> Keeper {
    let own = makeEmpty()
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
    let link = Unmanaged.passUnretained(own)
    BuildLock.withLock {
      own.contextLinks.base = .passUnretained(self)
      own.contextLinks.next = contextLinks.first
      contextLinks.first?._withUnsafeGuaranteedRef { $0.contextLinks.previous = link }
      contextLinks.first = link
      contextLinks.isUsed = true
    }
    return own
  }

  /// Whether the slot that it replaces is deallocated, so that it can no longer be requested.
  var isLeft: Bool { BuildLock.withLock { contextLinks.isOrphan } }

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

  /// Unlinks the slot from the one that it replaces and those that replace it, in its `deinit`.
  func leaveAll() {
    if isOfContext { leaveBase() }
    if contextLinks.isUsed { orphanAll() }
    // Without the lock: no other thread can reach this slot any more. Most have none of either
    // kind.
    if derived.isEmpty, decorated.isEmpty { return }
    var decorated = self.decorated.alive
    decorated += decorated.flatMap(\.allDecorated)
    for slot in derived.alive + decorated.flatMap({ [$0] + $0.allDerived }) {
      slot.forget()
      slot.orphanAll()
    }
  }

  private func leaveBase() {
    BuildLock.withLock {
      let links = contextLinks
      guard let base = links.base else { return }
      links.next?._withUnsafeGuaranteedRef { $0.contextLinks.previous = links.previous }
      if let previous = links.previous {
        previous._withUnsafeGuaranteedRef { $0.contextLinks.next = links.next }
      } else {
        base._withUnsafeGuaranteedRef { $0.contextLinks.first = links.next }
      }
    }
  }

  private func orphanAll() {
    var all: [Keeper] = []
    BuildLock.withLock {
      while let own = contextLinks.first {
        // One that is being deallocated waits in `leaveBase` for the lock, so its memory is valid.
        contextLinks.first = own._withUnsafeGuaranteedRef { $0.contextLinks.orphan() }
        if di_try_retain(own.toOpaque()) { all.append(own.takeRetainedValue()) }
      }
    }
    for own in all { own.forget() }
  }
}
