// The texts about factories that keep their isolation.
extension ResolutionError {
  static func asyncCycleFixes(_ key: ServiceKey) -> [String] {
    [
      "Let one of them resolve later: give it a closure, `{ \(awaiting(key)) }` (a lazy wrapper "
        + "cannot wait).",
      "Or give it the other one once both exist, where they are needed.",
    ]
  }

  func isolationHeadline(_ service: String) -> String {
    switch reason {
    case .needsActor(let actor):
      "The factory of \(service) runs on \(actor), and was requested from elsewhere without "
        + "`await`."
    case .needsAwait:
      "The factory of \(service) is async, and was requested without `await`."
    case .leavesActor(let actor):
      "\(service) is made on \(actor) and cannot leave it: its type is not Sendable."
    default:
      "The request for \(service) was cancelled."
    }
  }

  var isolationFixes: [String] {
    if !fixes.isEmpty { return fixes }
    if key?.property != nil, reason != .cancelled {
      return ["Request it from its factory, with `await`: `\(Self.awaiting(key))`."]
    }
    switch reason {
    case .needsActor, .needsAwait:
      return waitingFixes(
        Self.awaiting(key), onMain: "resolver.resolveOnMain(\(Self.arguments(key)))")
    case .leavesActor(let actor):
      return [
        "Request it on \(actor).",
        "Or make the type Sendable, and request it without `isolation:`.",
      ]
    default:
      return ["Catch the error where the task may be cancelled."]
    }
  }

  var setPropertiesFixes: [String] {
    [
      "Register it with `registerMain`; then `\(Self.awaiting(key))` makes it there.",
      Self.onMainFix("resolver.resolveOnMain(\(Self.arguments(key)))"),
    ]
  }

  var fallbackFixes: [String] {
    (key?.property == nil ? ["Request it with `await`: `\(Self.awaiting(key))`."] : []) + [
      "Request it on the main actor.",
      "Or let the fallback return a double that belongs to no actor: a `nonisolated` one.",
    ]
  }

  /// Returns the error for one of all services of a type, which are only requested together.
  func asOneOfMany(_ type: String) -> ResolutionError {
    // A dependency of one of them is requested alone.
    guard chain.count == Self.chain.count + 1 else { return self }
    switch reason {
    case .needsActor, .needsAwait:
      let fixes = waitingFixes(
        "try await resolver.requireManyAsync(\(type))", onMain: "resolver.resolveMany(\(type))")
      // In place of advice for a request of one service.
      return with(fixes.map { .fix($0) })
    default:
      return self
    }
  }

  private func waitingFixes(_ awaiting: String, onMain: String) -> [String] {
    var fixes = ["Request it with `await`: `\(awaiting)`."]
    if case .needsActor(let actor) = reason {
      fixes.append(
        actor == "the main actor"
          ? Self.onMainFix(onMain)
          : "Or request it from code that is isolated to \(actor).")
    }
    return fixes + (chain.count > 1 ? [Self.asyncRequester] : [])
  }

  private static func onMainFix(_ onMain: String) -> String {
    "Or request it on the main actor: `\(onMain)`."
  }

  private static let asyncRequester =
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
