// The circumstances of an error, in words.

extension ResolutionError {
  var isFatal: Bool { circumstances.contains { if case .fatal = $0 { true } else { false } } }

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
    case .close, .started, .note, .leftOut, .fatal: []
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

  private var readFixes: [String] {
    switch reason {
    case .missingArgument(let key, _, _), .wrongArgument(let key, _, _):
      let call = "try args.require(\(key?.debugDescription ?? ""))"
      return ["To have `try require` throw this, read it with `\(call)`."]
    default: return []
    }
  }
}
