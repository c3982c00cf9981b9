#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A wait for a number of calls of a requirement.
final class CallWait: Sendable {
  enum Ending: Sendable, Equatable {
    case called
    /// The time-out, with the number of calls until then.
    case timeOut(calls: Int)
    case cancelled
  }

  private struct State {
    /// The highest number of calls that was noted.
    var calls = 0
    var ending: Ending?
    var continuation: CheckedContinuation<Ending, Never>?
  }

  private let times: Int
  private let state = Lock(State())

  init(times: Int) {
    self.times = times
  }

  /// Notes the number of calls so far, and ends the wait if they are enough.
  func note(calls: Int) {
    end { state in
      state.calls = max(state.calls, calls)
      return state.calls >= times ? .called : nil
    }
  }

  /// Ends the wait, unless it has ended or the closure returns nil.
  private func end(_ ending: (inout State) -> Ending?) {
    let resume = state.withLock { state -> (() -> Void)? in
      guard state.ending == nil, let ending = ending(&state) else { return nil }
      state.ending = ending
      guard let continuation = state.continuation else { return nil }
      state.continuation = nil
      return { continuation.resume(returning: ending) }
    }
    resume?()
  }

  /// Waits for the end; a timer ends it if nothing else does.
  ///
  /// `patience`: the longest real time to wait, for a clock that may stand still.
  nonisolated(nonsending) func ending(
    within timeout: Duration, _ clock: any Clock<Duration>, patience: Duration?
  ) async -> Ending {
    let timers = [timer(timeout, clock)] + (patience.map { [timer($0, ContinuousClock())] } ?? [])
    defer { for timer in timers { timer.cancel() } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ending = state.withLock { state in
          if state.ending == nil { state.continuation = continuation }
          return state.ending
        }
        if let ending { continuation.resume(returning: ending) }
      }
    } onCancel: {
      end { _ in .cancelled }
    }
  }

  private func timer(_ timeout: Duration, _ clock: any Clock<Duration>) -> Task<Void, Never> {
    Task {
      if (try? await clock.sleep(for: timeout)) != nil {
        self.end { .timeOut(calls: $0.calls) }
      }
    }
  }
}
#endif
