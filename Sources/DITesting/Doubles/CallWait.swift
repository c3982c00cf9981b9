#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A wait for a number of calls of a requirement.
final class CallWait: Sendable {
  enum Ending: Sendable {
    case called
    case timeOut
    case cancelled
  }

  private struct State {
    var ending: Ending?
    var continuation: CheckedContinuation<Ending, Never>?
  }

  let times: Int
  private let state = Lock(State())

  init(times: Int) {
    self.times = times
  }

  /// Ends the wait, unless it has ended.
  func end(_ ending: Ending) {
    let continuation = state.withLock { state -> CheckedContinuation<Ending, Never>? in
      guard state.ending == nil else { return nil }
      state.ending = ending
      return exchange(&state.continuation, with: nil)
    }
    continuation?.resume(returning: ending)
  }

  /// Waits for the end; a timer ends it if nothing else does.
  nonisolated(nonsending) func ending(
    within timeout: Duration, _ clock: any Clock<Duration>
  ) async -> Ending {
    let timer = Task {
      if (try? await clock.sleep(for: timeout)) != nil { self.end(.timeOut) }
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ending = state.withLock { state in
          if state.ending == nil { state.continuation = continuation }
          return state.ending
        }
        if let ending { continuation.resume(returning: ending) }
      }
    } onCancel: {
      end(.cancelled)
    }
  }
}
#endif
