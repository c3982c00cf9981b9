internal import DIPrimitives

// The scheduling of setup code that runs by itself (`registerAllServices` for the process, a
// container's `autoRegister`, either of them for the view of one sandbox).
//
// Requested and finished runs are counted, under a lock that is not held while setup code runs. One
// thread at a time runs it while all others wait. If waiting would form a circle, because setup
// code waits for a thread that waits for setup code, that thread continues with the registrations
// made so far.

/// Requested runs of setup code, which one thread at a time performs.
final class StartupTurn: Sendable {
  private struct State {
    /// The number of requested runs.
    var requested: UInt
    /// The latest request when the last finished run began.
    var done: UInt = 0
    /// The turn of the thread whose requests are made by setup code.
    var turn: Turn?

    var isPending: Bool { done != requested }
  }

  private let state: Lock<State>
  /// Whether a run is pending: requests look here first.
  private let pending: Atomic

  init(isPending: Bool) {
    state = Lock(State(requested: isPending ? 1 : 0))
    pending = Atomic(isPending ? 1 : 0)
  }

  var isPending: Bool { state.withLock { $0.isPending } }

  /// Requests a run before the next request, also while one is in progress.
  ///
  /// Calls by the setup code itself have no effect. Otherwise `before` runs under the lock, and
  /// `ifNew` too if no run was pending.
  func request(before: () -> Void = {}, ifNew: () -> Void = {}) {
    let thread = di_thread_get()
    state.withLock { state in
      if state.turn?.owner == thread { return }
      before()
      if !state.isPending { ifNew() }
      state.requested += 1
      pending.set(true)
    }
  }

  /// Runs the setup code if a run is pending, or waits until it has run.
  ///
  /// `whenDone` runs under the lock if no further run is pending. Setup code that would trap in a
  /// dry run ends there, and counts as having run.
  func runIfPending(_ body: () -> Void, whenDone: () -> Void = {}) {
    guard pending.isSet else { return }
    let thread = di_thread_get()
    while true {
      var other: Turn?
      let own = state.withLock { state -> (turn: Turn, number: UInt)? in
        guard state.isPending, state.turn?.owner != thread else { return nil }
        other = state.turn
        if other != nil { return nil }
        let turn = Turn(of: thread)
        state.turn = turn
        return (turn, state.requested)
      }
      if let (turn, number) = own {
        TrapGuard.protect(body) { end(turn, number, whenDone) }
        return end(turn, number, whenDone)
      }
      guard let other, other.wait() else { return }
    }
  }

  private func end(_ turn: Turn, _ number: UInt, _ whenDone: () -> Void) {
    state.withLock { state in
      state.turn = nil
      state.done = number
      pending.set(state.isPending)
      if !state.isPending { whenDone() }
    }
    turn.end()
  }
}
