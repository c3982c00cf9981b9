// What is looked at before a live service is handed out: whether a fallback's double stands in for
// it, whether it is reported, and whether late work gets it at all.

extension ContextFrame {
  /// Hears of instances that should be gone when the frame has ended, if anybody wants to know.
  package var leakWatch: InstanceLog? { hasNoPolicy ? nil : policy?.leakWatch }

  /// Whether live services need a look before they are handed out.
  var isGuarded: Bool { hasPolicies || endedScope != nil }

  enum StandIn {
    /// What is registered answers, if anything is.
    case none
    /// A fallback's double did.
    case double
    /// Nothing does: it would be a live service, for work that outlived its sandbox.
    case refused
    /// A fallback's double would, on the main actor.
    case onMainOnly
  }

  /// Looks at what would answer a request, and may answer it instead.
  ///
  /// Doubles pass. For live services, and where nothing is registered, a fallback may stand in;
  /// then strict scopes report, and sandboxes that have ended refuse: their late work gets nothing.
  func standIn(
    for found: Found?, _ requested: UnsafePointer<Request>, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) -> StandIn {
    let request = requested.pointee
    let found = found.flatMap { $0.standsForNothing(asked: asked, self) ? nil : $0 }
    if let found, found.isEffectivelyDouble(asked: asked, self) { return .none }
    // Handed out in any case, it asks for its service itself.
    if found == nil, request.type is any RequestWrapper.Type { return .none }
    let core = found?.owner ?? asked.core
    for frame in chain {
      for fallback in frame.policy?.fallbacks ?? [] {
        switch fallback.copyDouble(request.key, core, to: out) {
        case .none: continue
        case .double(let isNew):
          observe { $0.answered(request, byFallbackIn: asked.core, isNew: isNew) }
          return .double
        case .onMainOnly:
          observe { $0.missed(request, in: asked.core) }
          return .onMainOnly
        case .unfit(let type): report(unfit: type, request)
        }
      }
    }
    guard let found else { return .none }
    // Work that carries nothing was answered by the scope as long as that was open; it is not late.
    if endedSandbox != nil, ContextFrame.borrowed != nil {
      observe { $0.missed(request, in: asked.core) }
      return .refused
    }
    reportLive(found, request)
    return .none
  }

  private func report(unfit type: Any.Type, _ request: Request) {
    let key = ServiceKey(request.key.type)
    report(
      DiagnosticIssue(
        text: Self.text(about: request) {
          Diagnosis(
            headline: "The fallback made a `\(ServiceKey(type))` on the main actor for "
              + "`\(request.key)`, which it is not: the double is not used.",
            facts: Self.chainFacts(request),
            fixes: [
              "Return a `MainActorDouble` of `\(key)`: `MainActorDouble { … as \(key) }`.",
              "Or return nil for it, to leave the request to what is registered.",
            ])
        }, severity: .error, location: request.location))
  }

  /// Whether a request that can wait has to go to the main actor for a fallback's double.
  func waitsForMain(_ found: Found?, _ request: Request, asked: Resolver) -> Bool {
    guard isGuarded, !MainActor.shared.isCurrent else { return false }
    let found = found.flatMap { $0.standsForNothing(asked: asked, self) ? nil : $0 }
    if let found, found.isEffectivelyDouble(asked: asked, self) { return false }
    if found == nil, request.type is any RequestWrapper.Type { return false }
    let core = found?.owner ?? asked.core
    for frame in chain {
      for fallback in frame.policy?.fallbacks ?? [] {
        if let answers = fallback.answersOnMain(request.key, core) { return answers }
      }
    }
    return false
  }

  /// How strict the innermost frame is that says so.
  package var strictness: Treatment {
    chain.lazy.compactMap(\.policy?.strictness).first ?? .allow
  }

  /// Reports a live service, unless it may be live.
  func reportLive(_ found: Found, _ request: Request) {
    let service = ScopePolicy.LiveService(
      key: request.key, owner: found.owner, registeredAt: found.registration.location,
      assembly: found.registration.options.assembly)
    for frame in chain { frame.policy?.hearsLive?(service, request.location) }
    guard let severity = strictness.severity else { return }
    if chain.contains(where: { $0.policy?.mayBeLive.contains { $0(service) } ?? false }) { return }
    report(
      DiagnosticIssue(
        text: Self.text(about: request) {
          Diagnosis(
            headline: "A live service was resolved: `\(request.key)`.",
            facts: Self.chainFacts(request) + [
              ("registered:", "\(found.registration.location), in \(found.owner.label)")
            ],
            fixes: sandboxAdvice + [
              doubleAdvice(request, in: found.owner.factories.containerType),
              exceptionAdvice(request),
            ])
        }, severity: severity, location: request.location))
  }

  private func doubleAdvice(_ request: Request, in container: Any.Type?) -> String {
    let double = request.key.doubleAdvice("", in: container)
    let hasPlace = sandbox != nil || !hasLayers
    let place =
      request.key.property == nil && hasPlace ? "the sandbox or a layer" : "a layer"
    return "Register a double: \(double) in \(place)."
  }

  /// Without a sandbox, what a test registers is as live as what production does.
  private var sandboxAdvice: [String] {
    if sandbox != nil || hasLayers { return [] }
    let advice =
      ProcessHooks.current?.runsOneTestAtATime() ?? false
      ? "inherit from `SandboxTestCase`, or use `withSandbox`"
      : "add `.sandbox` to the test or its suite, or use `withSandbox`"
    return ["No sandbox is open, so what the test itself registers is live: \(advice)."]
  }

  private func exceptionAdvice(_ request: Request) -> String {
    let policy = chain.lazy.compactMap(\.policy).first { $0.strictness != nil }
    let type = metatypeText(request.type)
    let code =
      switch policy?.strictBy {
      case .function:
        "withStrictness(.\(strictness), except: [.type(\(type))])"
      case .testCase: "override var mayBeLive: [LiveException] { [.type(\(type))] }"
      case .trait, nil: ".strict(except: \(type))"
      }
    return "If it may be live here, say so: `\(code)`."
  }

  /// How doubles that nobody resolved are treated; nil where that was not said.
  package var unusedDoublePolicy: Treatment? {
    hasPolicies ? chain.lazy.compactMap(\.policy?.unusedDoubles).first : nil
  }

  /// A text that names what leads to a request.
  static func text(about request: Request, _ diagnosis: () -> Diagnosis) -> String {
    TypeNames.telling(apart: ResolutionStack.current.map(\.key) + [request.key]) {
      diagnosis().text
    }
  }

  static func chainFacts(_ request: Request) -> [(String, String)] {
    let chain = ResolutionStack.current + [request.chainLink]
    var facts: [(String, String)] = []
    if chain.count > 1 {
      facts.append(("chain:", chain.map { "\($0.key)" }.joined(separator: " → ")))
    }
    facts.append(("requested:", "\(request.location)"))
    return facts
  }
}
