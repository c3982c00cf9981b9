internal import DIPrimitives

/// The turn of one thread to resolve the service of a lazy wrapper while other threads wait.
///
/// It is guarded by the lock of the state that contains it.
@usableFromInline
struct LazyTurn {
  /// The thread that resolves.
  private var owner: UnsafeMutableRawPointer?
  /// The slot that the other threads wait for; nil until there is one.
  private var waiting: Keeper?

  @usableFromInline init() {}

  /// The next step of a thread that finds no kept instance.
  @frozen @usableFromInline
  enum Move {
    /// Resolve for all threads.
    case resolve
    /// Resolve for itself, because its own turn is under way.
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
    let slot = waiting ?? Keeper(openTurnOf: owner)
    waiting = slot
    return .wait(Others(slot: slot))
  }

  /// Ends the turn, and returns the threads that wait for it, if there are any.
  @usableFromInline
  mutating func end() -> Others? {
    defer { waiting = nil }
    owner = nil
    return waiting.map { Others(slot: $0) }
  }

  /// The threads that wait for the end of a turn.
  @usableFromInline
  struct Others {
    fileprivate let slot: Keeper

    /// Waits for the end of the turn, or returns false if that would never end.
    @usableFromInline
    func join() -> Bool { slot.wait(di_thread_get()) }

    @usableFromInline
    func go() { slot.abandon() }
  }

  /// Whether the calling thread may be abandoned in the middle of a turn, which has to end then.
  @usableFromInline
  static var mayBeGivenUp: Bool { di_errand_owner() != nil }
}
