internal import DIPrimitives

// When set-up code is to run that runs of itself (`registerAllServices` for the process, a
// container's `autoRegister`, either of them for the view of one sandbox), and who waits for it.
//
// What has been asked for and what has been done is counted, under a lock that is not held while
// set-up code runs. A once-state has one thread at a time run it while all others wait. It never
// keeps anything, so that resets of scopes do not concern it, and it shows an early instance from
// the start: where waiting would be a circle, because set-up code waits for a thread that waits for
// set-up code, that thread goes on with what is registered so far.

/// Runs that are asked for, of set-up code that one thread at a time runs.
final class StartupTurn: Sendable {
  private struct State {
    /// How many runs were asked for.
    var asked: UInt
    /// The run that was asked for last when the last one that has ended began.
    var done: UInt = 0
    /// The thread whose requests are set-up code's own.
    var runner: UnsafeMutablePointer<di_thread>?

    var isPending: Bool { done != asked }
  }

  private let state: Lock<State>
  // Once-states are for every thread (Slot.swift).
  private let turns = Unchecked(Slot(Scope.unique, Bool.self))

  init(isPending: Bool) { state = Lock(State(asked: isPending ? 1 : 0)) }

  var isPending: Bool { state.withLock { $0.isPending } }

  /// Asks for a run before the next request, also if one is under way.
  ///
  /// Set-up code does not ask for itself. `before` runs under the lock unless it tries to, and
  /// `ifNew` if nothing was asked for.
  func ask(before: () -> Void = {}, ifNew: () -> Void = {}) {
    let thread = di_thread_get()
    state.withLock { state in
      if state.runner == thread { return }
      before()
      if !state.isPending { ifNew() }
      state.asked += 1
    }
  }

  /// Runs what was asked for, or waits until it has run.
  ///
  /// `whenDone` runs under the lock if nothing more is asked for. Set-up code that would trap in a
  /// dry run ends there, and counts as having run.
  func runIfPending(_ body: () -> Void, whenDone: () -> Void = {}) {
    let thread = di_thread_get()
    guard state.withLock({ $0.isPending && $0.runner != thread }) else { return }
    // Nobody is told of a circle: see above.
    _ =
      try? turns.value.value(thread, cycle: { _ in ResolutionError.startupUnderWay }) {
        let number = state.withLock { state -> UInt? in
          // Somebody else's turn came first.
          guard state.isPending else { return nil }
          state.runner = thread
          return state.asked
        }
        guard let number else { return nil }
        var isDone = true
        turns.value.show(early: &isDone)
        Errand.run(body) {
          end(number, whenDone)
          turns.value.abandon()
        }
        end(number, whenDone)
        return nil
      } as Bool?
  }

  private func end(_ number: UInt, _ whenDone: () -> Void) {
    state.withLock { state in
      state.runner = nil
      state.done = number
      if !state.isPending { whenDone() }
    }
  }
}
