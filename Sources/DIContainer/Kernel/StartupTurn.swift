internal import DIPrimitives

// The scheduling of setup code that runs by itself (`registerAllServices` for the process, a
// container's `autoRegister`, either of them for the view of one sandbox).
//
// Requested and finished runs are counted, under a lock that is not held while setup code runs. A
// `Keeper` lets one thread at a time run it while all others wait. It never keeps anything, so that
// resets of scopes do not concern it, and it has an early instance from the start: if waiting would
// form a circle, because setup code waits for a thread that waits for setup code, that thread
// continues with the registrations made so far.

/// Requested runs of setup code, which one thread at a time performs.
final class StartupTurn: Sendable {
  private struct State {
    /// The number of requested runs.
    var requested: UInt
    /// The latest request when the last finished run began.
    var done: UInt = 0
    /// The thread whose requests are made by setup code.
    var runner: UnsafeMutablePointer<di_thread>?

    var isPending: Bool { done != requested }
  }

  private let state: Lock<State>
  /// Whether a run is pending: requests look here first.
  private let pending: Atomic
  // Keepers may be used by every thread (Keeper.swift).
  private let turns = Unchecked(Keeper(Scope.unique, Bool.self))

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
      if state.runner == thread { return }
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
    guard state.withLock({ $0.isPending && $0.runner != thread }) else { return }
    // A circle is not reported: see above.
    _ =
      try? turns.value.value(cycle: { _ in ResolutionError.startupUnderWay }) {
        let number = state.withLock { state -> UInt? in
          // Another thread's turn came first.
          guard state.isPending else { return nil }
          state.runner = thread
          return state.requested
        }
        guard let number else { return nil }
        var isDone = true
        turns.value.show(early: &isDone)
        TrapGuard.protect(body) {
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
      pending.set(state.isPending)
      if !state.isPending { whenDone() }
    }
  }
}
