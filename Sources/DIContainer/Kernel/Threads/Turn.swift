internal import DIPrimitives

// A turn: one thread does something that others need, and they sleep until it has ended.
//
// One build lock for the process guards all turns, and is never held while user code runs. That
// makes a cycle of threads visible: before a thread sleeps, it follows "waits for … is the turn
// of" from the turn that it needs. If that leads back to itself, no thread would ever wake it.

/// The state that a thread keeps between resolutions.
///
/// It is freed at the thread's end, so it is used only while that sleeps, or has a turn that is not
/// over.
typealias ThreadRecord = UnsafeMutablePointer<di_thread>

/// The turn of one thread to do something that other threads wait for.
class Turn {
  /// The turn that each sleeping thread waits for; whoever reads it holds the build lock, too.
  private static let awaited = Lock<[ThreadRecord: Turn]>([:])

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
      Self.awaited.withLock { $0[thread] = self }
      while Self.awaited(by: thread) != nil { di_wait(thread) }
    }
    return .over
  }

  func endUnderLock() {
    isOver = true
    Self.awaited.withLock { awaited in
      for thread in waiting { awaited[thread] = nil }
    }
    for thread in waiting { di_wake(thread) }
    waiting = []
  }

  private static func awaited(by thread: ThreadRecord) -> Turn? { awaited.withLock { $0[thread] } }

  /// Returns the cycle of turns that would close if the thread waited for this one.
  private func cycle(closedBy thread: ThreadRecord) -> [Turn]? {
    var turns = [self]
    while let last = turns.last, last.thread != thread {
      guard let next = Self.awaited(by: last.thread) else { return nil }
      turns.append(next)
    }
    return turns
  }
}

// MARK: - Set-up code

/// The runs, each a `Turn`, of set-up code that runs by itself (`registerAllServices` for the
/// process, a container's `autoRegister`, either of them for the view of one sandbox).
///
/// One thread at a time runs it while all others wait. If waiting would form a cycle, because
/// set-up code waits for a thread that waits for set-up code, that thread continues with the
/// registrations made so far.
final class SetUpRuns: Sendable {
  private struct Runs {
    /// The run under way.
    var run: Turn?
    /// Whether a further one was requested since it began.
    var isRequested = false
    /// The number of parts of the code that have run, or are running.
    var begun = 0
  }

  private let state = Lock(Runs())
  /// Whether a run is pending: requests look here first.
  private let pending: Atomic

  init(isPending: Bool) { pending = Atomic(isPending ? 1 : 0) }

  var isPending: Bool { pending.isSet }

  /// Requests a run before the next request, also while one is in progress; of all parts, or of
  /// those that have not begun.
  ///
  /// Calls by the set-up code itself have no effect. `ifNew` runs under the lock if no run was
  /// pending.
  func request(ofAllParts: Bool = true, ifNew: () -> Void = {}) {
    state.withLock { state in
      if state.run?.thread == di_thread_get() { return }
      if ofAllParts { state.begun = 0 }
      if !isPending { ifNew() }
      state.isRequested = true
      pending.set(true)
    }
  }

  /// Runs the set-up code if a run is pending, or waits until it has run.
  ///
  /// `whenDone` runs under the lock if no further run is pending. Set-up code that would trap in a
  /// dry run ends there, and counts as having run.
  func runIfPending(_ body: () -> Void, whenDone: () -> Void = {}) {
    if !isPending { return }
    let own = Turn(of: di_thread_get())
    while let run = begin(own) {
      if run === own {
        TrapGuard.protect(body) { end(own, whenDone) }
        return end(own, whenDone)
      }
      if !run.wait() { return }
    }
  }

  /// Returns the run under way, which is `own` if there was none; nil if none is pending.
  private func begin(_ own: Turn) -> Turn? {
    state.withLock { state in
      if !isPending { return nil }
      if state.run == nil { (state.run, state.isRequested) = (own, false) }
      return state.run
    }
  }

  private func end(_ run: Turn, _ whenDone: () -> Void) {
    state.withLock { state in
      state.run = nil
      pending.set(state.isRequested)
      if !state.isRequested { whenDone() }
    }
    run.end()
  }

  /// Whether all of a number of parts have begun.
  func hasBegun(_ count: Int) -> Bool { state.withLock { $0.begun >= count } }

  /// Begins the next of a number of parts, and returns its index; nil if all have begun.
  func beginPart(of count: Int) -> Int? {
    state.withLock { state in
      if state.begun >= count { return nil }
      defer { state.begun += 1 }
      return state.begun
    }
  }
}
