// The circumstances of an error, in words, and those of factories that keep their isolation.

extension ResolutionError {
  var isFatal: Bool { circumstances.contains { if case .fatal = $0 { true } else { false } } }

  /// The diagnosis that the factory's error is, if it is one.
  var diagnosis: String? {
    guard case .factoryFailed(let text) = reason,
      circumstances.contains(where: { if case .diagnosed = $0 { true } else { false } })
    else { return nil }
    return text
  }

  /// Whether it was thrown in place of running a factory that dry runs leave out.
  var isOfLeftOut: Bool { circumstances.contains { if case .leftOut = $0 { true } else { false } } }

  var nearMisses: [NearMiss] {
    circumstances.compactMap { if case .close(let miss) = $0 { miss } else { nil } }
  }

  var notes: [String] {
    circumstances.compactMap {
      switch $0 {
      case .note(let text): text
      case .started(let place):
        "`registerAllServices` ran in \(place.module) (\(place)); a process has one, and another "
          + "module's is never called"
      default: nil
      }
    }
  }

  /// Advice specific to the failure's circumstances.
  var fixes: [String] { circumstances.flatMap(fixes) }

  private func fixes(_ circumstance: Circumstance) -> [String] {
    switch circumstance {
    case .fix(let text): [text]
    case .awaited: key.map(Self.asyncCycleFixes) ?? []
    case .setsPropertiesOnMain: setPropertiesFixes
    case .fallbackOnMain: fallbackFixes
    case .readWithoutTry: readFixes
    case .close, .started, .note, .leftOut, .diagnosed, .fatal: []
    }
  }

  /// Advice that seldom applies.
  var lastFixes: [String] {
    circumstances.compactMap {
      guard case .started = $0 else { return nil }
      return "If \(requestedAt.module) has a `registerAllServices`, too, let it register with "
        + "`Resolver.registerAtStart { … }`, which any number of modules can use."
    }
  }

  /// Advice for a failure that ended the process further down than its request.
  var throwingFixes: [String] {
    guard isFatal, chain.count > 1 else { return [] }
    return [
      "To have it thrown, request `\(chain[0])` with `try require`, and in closures with "
        + "`try r.require()`."
    ]
  }

  private var readFixes: [String] {
    switch reason {
    case .missingArgument(let key, _, _), .wrongArgument(let key, _, _):
      let call = "try args.require(\(key?.debugDescription ?? ""))"
      return ["To have `try require` throw this, read it with `\(call)`."]
    default: return []
    }
  }
}

// MARK: - Isolation

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
    case .needsMainActor:
      "The factory of \(service) runs on the main actor, and was requested from elsewhere without "
        + "`await`."
    case .needsAwait:
      "The factory of \(service) is async, and was requested without `await`."
    default:
      "The request for \(service) was cancelled."
    }
  }

  var isolationFixes: [String] {
    if !fixes.isEmpty { return fixes }
    if key?.property != nil, reason != .cancelled {
      return ["Request it from its factory, with `await`: `\(Self.awaiting(key))`."]
    }
    if reason == .cancelled { return ["Catch the error where the task may be cancelled."] }
    var fixes = ["Request it with `await`: `\(Self.awaiting(key))`."]
    if reason == .needsMainActor { fixes.append(Self.onMainFix(key)) }
    return fixes + (chain.count > 1 ? [Self.asyncRequester] : [])
  }

  var setPropertiesFixes: [String] {
    [
      "Register it with `registerMain`; then `\(Self.awaiting(key))` makes it there.",
      Self.onMainFix(key),
    ]
  }

  var fallbackFixes: [String] {
    (key?.property == nil ? ["Request it with `await`: `\(Self.awaiting(key))`."] : []) + [
      "Request it on the main actor.",
      "Or let the fallback return a double that belongs to no actor: a `nonisolated` one.",
    ]
  }

  private static func onMainFix(_ key: ServiceKey?) -> String {
    "Or request it on the main actor: `Resolver.resolve(\(arguments(key)))`."
  }

  private static let asyncRequester =
    "A factory that needs it is async in turn: `registerAsync { r in … }`."

  /// Returns the source code of a request that waits.
  private static func awaiting(_ key: ServiceKey?) -> String {
    if let property = key?.property { return "try await container.\(property.name)()" }
    return "try await Resolver.root.requireAsync(\(arguments(key)))"
  }

  private static func arguments(_ key: ServiceKey?) -> String {
    guard let key else { return "Service.self" }
    return metatypeText(key.type) + (key.name.map { ", name: \"\($0.rawValue)\"" } ?? "")
  }
}
