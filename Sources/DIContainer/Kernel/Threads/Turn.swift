internal import DIPrimitives

// A turn: one thread does something that others need, and they sleep until it has ended.
//
// One build lock for the process guards all turns, and is never held while user code runs. That
// makes a cycle of threads visible: before a thread sleeps, it follows "waits for … is the turn
// of" from the turn that it needs. If that leads back to itself, no thread would ever wake it.

/// The turn of one thread to do something that other threads wait for.
class Turn {
  let thread: ThreadRecord
  private(set) var isOver = false
  private(set) var waiting: [ThreadRecord] = []

  init(of thread: ThreadRecord) { self.thread = thread }

  /// Whether the thread that would close a cycle may continue without waiting.
  var isOpen: Bool { true }

  /// Waits until the turn is over; returns false if the thread is to continue without waiting.
  func wait() -> Bool {
    BuildLock.withLock { if case .over = wait(di_thread_get()) { true } else { false } }
  }

  /// Ends the turn, also that of a thread that will never return.
  func end() { BuildLock.withLock { endUnderLock() } }
}

// The caller of all these holds the build lock.
extension Turn {
  enum Wait {
    case over
    /// Waiting would never end, but the thread may continue without.
    case open
    /// Waiting would never end: each of these turns waits for the next, and the thread owns the
    /// last. The others sleep until it goes on.
    case cycle([Turn])
  }

  /// Waits until the turn is over; the lock is released while the thread sleeps.
  func wait(_ thread: ThreadRecord) -> Wait {
    while !isOver {
      if let cycle = cycle(closedBy: thread) {
        return isOpen ? .open : .cycle(cycle)
      }
      waiting.append(thread)
      di_set_waiting_for(thread, Unmanaged.passUnretained(self).toOpaque())
      while di_waiting_for(thread) != nil { di_wait(thread) }
    }
    return .over
  }

  func endUnderLock() {
    isOver = true
    for thread in waiting { Self.wake(thread) }
    waiting = []
  }

  private static func wake(_ thread: ThreadRecord) {
    di_set_waiting_for(thread, nil)
    di_wake(thread)
  }

  /// The turn that its owner waits for, if any.
  private var next: Turn? {
    di_waiting_for(thread).map { Unmanaged<Turn>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the cycle of turns that would close if the thread waited for this one.
  private func cycle(closedBy thread: ThreadRecord) -> [Turn]? {
    var turns = [self]
    while let last = turns.last, last.thread != thread {
      guard let next = last.next else { return nil }
      turns.append(next)
    }
    return turns
  }
}

/// The thread that does something for all; guarded by the lock of the state that contains it.
struct Runner {
  private var thread: UnsafeMutableRawPointer?
  /// The turn that other threads wait for; nil until there is one.
  private var turn: Turn?

  /// The next step of a thread.
  enum Move {
    /// Do it for all threads, and then `end`.
    case run
    /// Continue without, because the thread itself is doing it.
    case goOn
    /// Wait for the thread that does it.
    case wait(Turn)
  }

  /// Whether the calling thread is doing it.
  var isCurrent: Bool { thread == UnsafeMutableRawPointer(di_thread_get()) }

  mutating func move() -> Move {
    if isCurrent { return .goOn }
    guard let thread else {
      thread = UnsafeMutableRawPointer(di_thread_get())
      return .run
    }
    let turn = turn ?? Turn(of: thread.assumingMemoryBound(to: di_thread.self))
    self.turn = turn
    return .wait(turn)
  }

  /// Returns what other threads wait for, which is to be ended under no lock.
  mutating func end() -> Turn? {
    defer { self = Runner() }
    return turn
  }
}
