internal import DIPrimitives

// State that few frames use: findings, settings, values of other modules. The object is made on
// first use, so that opening and closing a scope does not pay for it (six dictionaries and optional
// closures to set up and to destroy).

/// The state of a frame that few frames use.
final class FrameExtras: Sendable {
  let state = Lock(State())

  struct State {
    var decorate: ((Any) -> Void)??
    var defaultScope: Scope?
    var startup: StartupRun?
    var findings: [ScopeFinding] = []
    var findingStrictness: Treatment?
    var values: [ObjectIdentifier: any Sendable] = [:]
  }
}

extension ContextFrame {
  var hasExtras: Bool { di_load(di_scope_extras(plain)) != nil }

  /// The frame's extra state, if any; it lives as long as the frame.
  private var extras: FrameExtras? {
    di_load(di_scope_extras(plain)).map {
      Unmanaged<FrameExtras>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private func makeExtras() -> FrameExtras {
    if let extras { return extras }
    return withLock {
      if let extras { return extras }
      let extras = FrameExtras()
      di_store(di_scope_extras(plain), Unmanaged.passRetained(extras).toOpaque())
      return extras
    }
  }

  private func withExtras<Result>(_ body: (inout FrameExtras.State) -> Result) -> Result {
    makeExtras().state.withLock(body)
  }

  private func ifExtras<Result>(_ body: (inout FrameExtras.State) -> Result) -> Result? {
    extras?.state.withLock(body)
  }
}

// MARK: - Findings

extension ContextFrame {
  func add(_ finding: ScopeFinding) {
    withExtras { $0.findings.append(finding) }
  }

  /// The findings made while the scope was open, in order.
  package var noticed: [ScopeFinding] { ifExtras { $0.findings } ?? [] }
}

extension ContextFrame {
  /// The test case's strictness with the scope's findings, if set inside the scope.
  package var findingStrictness: Treatment? {
    get { ifExtras { $0.findingStrictness } ?? nil }
    set { withExtras { $0.findingStrictness = newValue } }
  }
}

// MARK: - Settings

extension ContextFrame {
  var decorate: ((Any) -> Void)?? {
    ifExtras { $0.decorate } ?? nil
  }

  func setDecorate(_ decorate: ((Any) -> Void)?) {
    let old = withExtras { state in
      defer { state.decorate = .some(decorate) }
      becomeOdd()
      return state.decorate
    }
    withExtendedLifetime(old) {}
  }

  var defaultScope: Scope? {
    get { ifExtras { $0.defaultScope } ?? nil }
    set {
      withExtras { $0.defaultScope = newValue }
      di_note_default_scope()
    }
  }

  /// The default scope of the frame or of the innermost enclosing one that has one.
  var ownDefaultScope: Scope? {
    guard hasExtrasAround else { return nil }
    return chain.lazy.compactMap(\.defaultScope).first
  }

  /// The runs of start-up into this sandbox's view, if any was requested.
  var startup: StartupRun? { ifExtras { $0.startup } ?? nil }

  /// Makes `registerAllServices` run before the next request, into this sandbox's view.
  func rearmStartup() {
    becomeOdd()
    let startup = withExtras { state in
      let startup = state.startup ?? StartupRun(isPending: false)
      state.startup = startup
      return startup
    }
    startup.startAgain()
  }

  /// Returns the value of a type that other modules and dialects keep with the frame, made on first
  /// use.
  package func extra<Value: Sendable>(_ type: Value.Type, orMake make: () -> Value) -> Value {
    withExtras { state in
      if let value = state.values[ObjectIdentifier(type)] as? Value { return value }
      let value = make()
      state.values[ObjectIdentifier(type)] = value
      return value
    }
  }

  package func extra<Value: Sendable>(_ type: Value.Type) -> Value? {
    // The check that needs no metadata comes first: other modules call this unspecialised.
    guard let extras else { return nil }
    return extras.state.withLock { $0.values[ObjectIdentifier(type)] } as? Value
  }
}
