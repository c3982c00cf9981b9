// Tracking of work that carries a sandbox. A sandbox that needs to know whether such work is still
// running binds not its own frame to the task but another one inside it, the carrier. Everything
// that captures the context, such as a `Task { }` or a `ResolutionContext`, keeps the carrier
// alive, and nothing else does. So the carrier's deinit marks the end of all such work.

/// The state of the work that carries a sandbox.
package final class CarriedContexts: Sendable {
  private struct Tracking {
    weak var carrier: ContextFrame?
    var isDropped = false
    var whenDone: [@Sendable () -> Void] = []
  }

  private let state = Lock(Tracking())

  init() {}

  fileprivate func makeCarrier(of frame: ContextFrame) -> ContextFrame {
    let carrier = ContextFrame(
      .carrier, parent: frame, name: frame.owner.name, isTest: frame.owner.isTest,
      location: frame.owner.location, report: frame.owner.report, carried: self)
    state.withLock { $0.carrier = carrier }
    return carrier
  }

  /// The carrier, as long as it is alive.
  fileprivate var carrier: ContextFrame? { state.withLock { $0.carrier } }

  /// Whether no work carries the sandbox any more.
  package var isDropped: Bool { state.withLock { $0.isDropped } }

  /// Calls a closure once no work carries the sandbox any more, or when waiting is given up.
  package func whenDone(_ body: @escaping @Sendable () -> Void) {
    let isDone = state.withLock { state in
      if !state.isDropped { state.whenDone.append(body) }
      return state.isDropped
    }
    if isDone { body() }
  }

  /// Ends all waiting.
  package func giveUp() { finish(isDropped: false) }

  /// Notes that no work carries the sandbox any more, as its carrier is being deallocated.
  func carrierIsGone() { finish(isDropped: true) }

  private func finish(isDropped: Bool) {
    let waiting = state.withLock { state in
      if isDropped { state.isDropped = true }
      defer { state.whenDone = [] }
      return state.whenDone
    }
    for body in waiting { body() }
  }
}

extension ContextFrame {
  /// Returns a frame to bind instead of this one, which tracks the work that carries it.
  package func makeCarrier() -> ContextFrame {
    extra(CarriedContexts.self, orMake: { CarriedContexts() }).makeCarrier(of: self)
  }

  /// The frame to bind for work in this context: its carrier, if it has one.
  var withCarrier: ContextFrame { carrier ?? self }

  package var carrier: ContextFrame? {
    // Most frames have none, and every scope that closes reads this.
    extra(CarriedContexts.self)?.carrier
  }

  /// The frame to remember for later use, which does not count as work that carries the sandbox.
  package var withoutCarrier: ContextFrame { kind == .carrier ? parent ?? self : self }
}
