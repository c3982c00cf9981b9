internal import DIPrimitives

// The errors of factories that keep their isolation.
extension ResolutionError {
  static func needsActor(
    _ actor: any Actor, _ request: Request, _ registration: Registration
  ) -> ResolutionError {
    ResolutionError(
      .needsActor(actor.inWords), request, registeredAt: registration.location)
  }

  /// Returns the error for the innermost request under way, whose factory reports it itself.
  static func needsActor(_ actor: any Actor) -> ResolutionError {
    let chain = chain
    return ResolutionError(
      .needsActor(actor.inWords), key: chain.last?.key, chain: chain,
      at: chain.last?.location ?? CodeLocation())
  }

  /// Returns the error for properties that are set on the main actor while the factory runs
  /// elsewhere.
  static func setsPropertiesOnMain() -> ResolutionError {
    let error = needsActor(MainActor.shared)
    return error.advising([
      "Register it with `registerMain`; then `\(awaiting(error.key))` makes it there.",
      onMainFix("resolver.resolveOnMain(\(arguments(error.key)))"),
    ])
  }

  /// Returns the error for a fallback's double of the main actor that was requested elsewhere.
  static func fallbackNeedsMain(_ request: Request) -> ResolutionError {
    ResolutionError(
      .other(
        "The fallback makes its double of `\(request.key)` on the main actor, and was asked from "
          + "elsewhere without `await`."), request
    ).advising(
      [request.key.property == nil ? "Ask with `await`: `\(awaiting(request.key))`." : nil]
        .compactMap { $0 } + [
          "Ask on the main actor.",
          "Or let the fallback return a double that belongs to no actor: `nonisolated` says so.",
        ])
  }

  static func needsAwait(_ request: Request, _ registration: Registration) -> ResolutionError {
    ResolutionError(.needsAwait, request, registeredAt: registration.location)
  }

  static func leavesActor(
    _ actor: any Actor, _ request: Request, _ registration: Registration
  ) -> ResolutionError {
    ResolutionError(
      .leavesActor(actor.inWords), request, registeredAt: registration.location)
  }

  static func cancelled(_ request: Request) -> ResolutionError {
    ResolutionError(.cancelled, request, underlying: CancellationError())
  }

  /// Returns the error for the innermost request under way, whose factory reports it itself.
  static func cancelled(_ request: Request, by error: CancellationError) -> ResolutionError {
    ResolutionError(
      .cancelled, key: request.key, chain: chain, at: request.location, underlying: error)
  }

  /// Returns the error for a cycle of async builds, in one task or in several that wait for each
  /// other.
  static func cycle(_ request: Request, throughTasks links: [ChainLink]) -> ResolutionError {
    cycle(request, throughThreads: links, fixes: asyncCycleFixes(request.key))
  }

  /// Returns the error for a circle that a request without `await` closes among the dependencies of
  /// an async service; nil if that is not being built on behalf of this thread.
  static func circleThroughAwait(
    _ request: Request, _ registration: Registration
  ) -> ResolutionError? {
    let thread = di_thread_get()
    let running = di_running(registration.id, false)
    var step = di_steps(thread)
    while let frame = step, frame.pointee.running != running { step = frame.pointee.parent }
    guard let frame = step else { return nil }
    return cycle(
      request, throughThreads: ResolutionStack.chain(of: thread) { $0 == frame },
      fixes: asyncCycleFixes(request.key))
  }

  /// Returns the remedies for a cycle with a service that has to be awaited.
  static func asyncCycleFixes(_ key: ServiceKey) -> [String] {
    [
      "Let one of them ask later: give it a closure, `{ \(awaiting(key)) }` (a lazy wrapper cannot "
        + "wait).",
      "Or give it the other one once both exist, where they are asked for.",
    ]
  }

  func isolationHeadline(_ service: String) -> String {
    switch reason {
    case .needsActor(let actor):
      "The factory of \(service) runs on \(actor), and was asked from elsewhere without `await`."
    case .needsAwait:
      "The factory of \(service) is async, and was asked without `await`."
    case .leavesActor(let actor):
      "\(service) is made on \(actor) and cannot leave it: its type is not Sendable."
    default:
      "The request for \(service) was cancelled."
    }
  }

  var isolationFixes: [String] {
    if !fixes.isEmpty { return fixes }
    if key?.property != nil, reason != .cancelled {
      return ["Ask its factory, with `await`: `\(Self.awaiting(key))`."]
    }
    switch reason {
    case .needsActor, .needsAwait:
      return waitingFixes(
        Self.awaiting(key), onMain: "resolver.resolveOnMain(\(Self.arguments(key)))")
    case .leavesActor(let actor):
      return [
        "Ask for it on \(actor).", "Or make the type Sendable, and ask without `isolation:`.",
      ]
    default:
      return ["Catch the error where the task may be cancelled."]
    }
  }

  /// Returns the error for one of all services of a type, which are only requested together.
  func asOneOfMany(_ type: String) -> ResolutionError {
    // A dependency of one of them is requested alone.
    guard chain.count == Self.chain.count + 1 else { return self }
    switch reason {
    case .needsActor, .needsAwait:
      return advising(
        waitingFixes(
          "try await resolver.requireManyAsync(\(type))", onMain: "resolver.resolveMany(\(type))"))
    default:
      return self
    }
  }

  private func waitingFixes(_ awaiting: String, onMain: String) -> [String] {
    var fixes = ["Ask with `await`: `\(awaiting)`."]
    if case .needsActor(let actor) = reason {
      fixes.append(
        actor == "the main actor"
          ? Self.onMainFix(onMain)
          : "Or ask from code that is isolated to \(actor).")
    }
    return fixes + (chain.count > 1 ? [Self.asyncAsker] : [])
  }

  private static func onMainFix(_ onMain: String) -> String {
    "Or ask on the main actor: `\(onMain)`."
  }

  private static let asyncAsker =
    "A factory that needs it is async in turn: `registerAsync { r in … }`."

  /// Returns the source code of a request that waits.
  private static func awaiting(_ key: ServiceKey?) -> String {
    if let property = key?.property { return "try await container.\(property.name)()" }
    return "try await resolver.requireAsync(\(arguments(key)))"
  }

  private static func arguments(_ key: ServiceKey?) -> String {
    guard let key else { return "Service.self" }
    return metatypeText(key.type) + (key.name.map { ", name: \"\($0.rawValue)\"" } ?? "")
  }
}
