#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The state of the work that carries a sandbox.
final class CarriedContexts: Sendable {
  private struct State {
    var isDropped = false
    var whenDone: [@Sendable () -> Void] = []
  }

  private let state = Lock(State())

  /// A value of the carrier, which is deallocated with it.
  fileprivate final class Mark: Sendable {
    private let carried: CarriedContexts

    init(_ carried: CarriedContexts) { self.carried = carried }

    deinit { carried.finish(isDropped: true) }
  }

  /// Whether no work carries the sandbox any more.
  var isDropped: Bool { state.withLock { $0.isDropped } }

  /// Calls a closure once no work carries the sandbox any more, or when waiting is given up.
  func whenDone(_ body: @escaping @Sendable () -> Void) {
    let isDone = state.withLock { state in
      if !state.isDropped { state.whenDone.append(body) }
      return state.isDropped
    }
    if isDone { body() }
  }

  /// Ends all waiting.
  func giveUp() { finish(isDropped: false) }

  private func finish(isDropped: Bool) {
    let waiting = state.withLock { state in
      if isDropped { state.isDropped = true }
      return exchange(&state.whenDone, with: [])
    }
    for body in waiting { body() }
  }
}

extension ContextFrame {
  /// Returns a frame to bind instead of this one, which tracks the work that carries it.
  func makeTrackedCarrier() -> ContextFrame {
    let carried = extra(CarriedContexts.self, orMake: { CarriedContexts() })
    let carrier = makeCarrier()
    _ = carrier.extra(CarriedContexts.Mark.self, orMake: { CarriedContexts.Mark(carried) })
    return carrier
  }
}
#endif
