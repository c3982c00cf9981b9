internal import DIPrimitives

// Once-states that stand in another's place for a keeper of their own, and are forgotten with it:
// those of containers and sites hold their instance for one keeper each, those of the context for
// a sandbox or layer.

extension Slot {
  /// Once-states for other keepers.
  struct DerivedSlots {
    private struct Entry {
      weak var slot: Slot?
    }

    private var entries: [Entry] = []
    /// How many there may be before those that are gone are sorted out.
    private var limit = 32

    var isEmpty: Bool { entries.isEmpty }

    /// Those that are there; the caller lets go of them once it holds no lock.
    var alive: [Slot] { entries.compactMap(\.slot) }

    /// Adds one; hands back what was held for a moment, for the caller to let go of likewise.
    mutating func add(_ slot: Slot) -> [Slot] {
      var held: [Slot] = []
      if entries.count >= limit {
        held = alive
        entries = held.map { Entry(slot: $0) }
        limit = max(32, entries.count * 2)
      }
      entries.append(Entry(slot: slot))
      return held
    }
  }

  /// What scopes of the context have in the place of a once-state: a list that runs through them.
  ///
  /// Every sandbox has one for each service that it keeps, and weak references take 100 ns more.
  /// One that goes takes itself out, so whatever is in is there.
  struct ContextLinks {
    /// The one that this stands for.
    fileprivate var base: Unmanaged<Slot>?
    fileprivate var previous: Unmanaged<Slot>?
    fileprivate var next: Unmanaged<Slot>?
    /// The first of those that stand for this.
    fileprivate var first: Unmanaged<Slot>?
    /// Whether there ever was one.
    fileprivate var isUsed = false
    /// Whether what this stands for is gone.
    fileprivate var isOrphan = false

    /// Forgets what it stood for, which is gone; hands back the next that stood for it.
    fileprivate mutating func orphan() -> Unmanaged<Slot>? {
      defer { (base, previous, next, isOrphan) = (nil, nil, nil, true) }
      return next
    }
  }

  /// An empty once-state for another keeper, which is forgotten when this one's registration goes.
  func makeDerived() -> Slot {
    let own = makeEmpty()
    let held = BuildLock.withLock { derived.add(own) }
    withExtendedLifetime(held) {}
    return own
  }

  /// Adds the once-state of what a decoration makes of the instance.
  func addDecorated(_ slot: Slot) {
    let held = BuildLock.withLock { decorated.add(slot) }
    withExtendedLifetime(held) {}
  }

  /// Those of what decorations make of the instance, and of what others make of that.
  var allDecorated: [Slot] {
    let alive = BuildLock.withLock { decorated.alive }
    return alive + alive.flatMap(\.allDecorated)
  }

  /// Those of the other keepers.
  var allDerived: [Slot] { BuildLock.withLock { derived.alive } }

  /// An empty once-state for a scope of the context, which is forgotten when this one goes.
  ///
  /// Not when something else is registered: the scope may be another test's, and sees to it itself.
  func makeForContext() -> Slot {
    let own = Slot(scope, type, isOfContext: true)
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

  /// Whether what it stands for is gone, so that nobody asks for it any more.
  var isLeft: Bool { BuildLock.withLock { contextLinks.isOrphan } }

  /// Drops what this once-state and those derived from it keep: their registration was displaced.
  func retire() {
    // A registration site's instance goes with the site's last registration.
    if scope.kind.isPerSite { return }
    let derived = allDerived
    let decorated = allDecorated
    forget()
    for slot in derived { slot.forget() }
    for slot in decorated { slot.retire() }
  }

  /// Takes leave, when it goes, of what it stands for and of what stands for it.
  func leaveAll() {
    if isOfContext { leaveBase() }
    if contextLinks.isUsed { orphanAll() }
    // Without the lock: nobody else can reach this one any more. Most have none of either kind.
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
    var all: [Slot] = []
    BuildLock.withLock {
      while let own = contextLinks.first {
        // One that is going waits in `leaveBase` for the lock, so its memory is there.
        contextLinks.first = own._withUnsafeGuaranteedRef { $0.contextLinks.orphan() }
        if di_try_retain(own.toOpaque()) { all.append(own.takeRetainedValue()) }
      }
    }
    for own in all { own.forget() }
  }
}
