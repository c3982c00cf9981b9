// The scheduling of setup code that runs by itself (`registerAllServices` for the process, a
// container's `autoRegister`, either of them for the view of one sandbox).
//
// Requested and finished runs are counted, under a lock that is not held while setup code runs. One
// thread at a time runs it while all others wait. If waiting would form a cycle, because setup
// code waits for a thread that waits for setup code, that thread continues with the registrations
// made so far.

/// Requested runs of setup code, which one thread at a time performs.
final class StartupTurn: Sendable {
  private struct State {
    var requested: UInt
    /// The latest request when the last finished run began.
    var done: UInt = 0
    /// The thread whose requests are made by setup code.
    var runner = Runner()

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
    state.withLock { state in
      if state.runner.isCurrent { return }
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
    while true {
      let (move, number) = state.withLock { state in
        state.isPending ? (state.runner.move(), state.requested) : (.goOn, 0)
      }
      switch move {
      case .goOn:
        return
      case .wait(let turn):
        if !turn.wait() { return }
      case .run:
        TrapGuard.protect(body) { end(number, whenDone) }
        return end(number, whenDone)
      }
    }
  }

  private func end(_ number: UInt, _ whenDone: () -> Void) {
    let turn = state.withLock { state in
      state.done = number
      pending.set(state.isPending)
      if !state.isPending { whenDone() }
      return state.runner.end()
    }
    turn?.end()
  }
}
