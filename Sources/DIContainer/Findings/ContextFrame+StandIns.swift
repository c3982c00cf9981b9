// The checks made before a live service is returned: whether a fallback's double replaces it,
// whether it is reported, and whether late work gets it at all.

extension ContextFrame {
  /// The log of instances that should be released when the frame has ended, if they are watched.
  package var leakWatch: InstanceLog? { policy?.leakWatch }

  /// Whether live services need a check before they are returned.
  var isGuarded: Bool { hasPolicies || endedScope != nil }

  enum StandIn {
    /// The registration is resolved, if there is one.
    case none
    /// A fallback's double was returned.
    case double
    /// Nothing is returned: it would be a live service, for work that outlived its sandbox.
    case refused
    /// A fallback has a double, which belongs to the main actor; the caller runs elsewhere.
    case onMainOnly
  }

  /// Checks the registration found for a request, and may return a double instead.
  ///
  /// Doubles pass. For live services, and if nothing is registered, a fallback may supply a double;
  /// otherwise strict scopes report, and sandboxes that have ended refuse: their late work gets
  /// nothing.
  func standIn(
    for found: Found?, _ requested: UnsafePointer<Request>, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) -> StandIn {
    let request = requested.pointee
    let found = found.flatMap { $0.standsForNothing(asked: asked, self) ? nil : $0 }
    if let found, found.isEffectivelyDouble(asked: asked, self) { return .none }
    // A wrapper is returned in any case, and requests its service itself.
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
    // Work without a context was served by the scope while that was open, so it is not late.
    if endedSandbox != nil, ContextFrame.bound != nil {
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

  /// Whether an asynchronous request has to switch to the main actor for a fallback's double.
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

  /// The strictness of the innermost frame that specifies one.
  package var strictness: Treatment {
    chain.lazy.compactMap(\.policy?.strictness).first ?? .allow
  }

  /// Reports a live service, unless it is allowed to be live.
  func reportLive(_ found: Found, _ request: Request) {
    let service = FramePolicy.LiveService(
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
              doubleAdvice(request, in: found.owner.settings.containerType),
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

  /// Without a sandbox, a test's registrations are as live as those of production code.
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

  /// The treatment of doubles that were never resolved; nil if not specified.
  package var unusedDoublePolicy: Treatment? {
    hasPolicies ? chain.lazy.compactMap(\.policy?.unusedDoubles).first : nil
  }

  /// Returns a text that names the requests that led to a request.
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
