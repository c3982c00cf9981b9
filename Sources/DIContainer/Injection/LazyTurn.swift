internal import DIPrimitives

/// Whose turn it is to resolve the service of a lazy wrapper for all that use it first.
///
/// Guarded by the lock of what it is part of.
@usableFromInline
struct LazyTurn {
  /// The thread that resolves.
  private var owner: UnsafeMutableRawPointer?
  /// Where the others wait for it; nil until there is one.
  private var waiting: Slot?

  @usableFromInline init() {}

  /// What a thread that finds nothing kept is to do.
  @frozen @usableFromInline
  enum Move {
    /// Resolve for all.
    case resolve
    /// Resolve for itself: its turn is under way.
    case resolveAlone
    /// Wait for another thread.
    case wait(Others)
  }

  @usableFromInline
  mutating func move() -> Move {
    let thread = di_thread_get()
    guard let owner = owner?.assumingMemoryBound(to: di_thread.self) else {
      owner = UnsafeMutableRawPointer(thread)
      return .resolve
    }
    if owner == thread { return .resolveAlone }
    let slot = waiting ?? Slot(openTurnOf: owner)
    waiting = slot
    return .wait(Others(slot: slot))
  }

  /// Ends the turn; answers who waits for that, if somebody does.
  @usableFromInline
  mutating func end() -> Others? {
    defer { waiting = nil }
    owner = nil
    return waiting.map { Others(slot: $0) }
  }

  /// The threads that wait for the one whose turn it is.
  @usableFromInline
  struct Others {
    fileprivate let slot: Slot

    /// Waits with them; false if that would never end.
    @usableFromInline
    func join() -> Bool { slot.wait(di_thread_get()) }

    @usableFromInline
    func go() { slot.abandon() }
  }

  /// Whether the calling thread may give up in the middle of a turn, which has to end then.
  @usableFromInline
  static var mayBeGivenUp: Bool { di_errand_owner() != nil }
}
