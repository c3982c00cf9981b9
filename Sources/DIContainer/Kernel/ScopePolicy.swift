// What a test asks of a scope beside its doubles: how strict it is about live services, what
// stands in where no double is registered, and what happens to work that escapes it.

/// How something that a test may not want is treated.
package enum Treatment: Sendable, Hashable {
  case allow
  case warn
  case fail

  package var severity: DiagnosticIssue.Severity? {
    switch self {
    case .allow: nil
    case .warn: .warning
    case .fail: .error
    }
  }
}

/// How requests that belong to no test are treated while a sandbox is open.
package enum UnscopedWork: Sendable, Hashable {
  /// They get what production set up, and are reported or not.
  case treat(Treatment)
  /// The innermost scope answers them, if all that are open lie in one another.
  case adopt
}

/// A policy as a frame has it: most have none, and handing none on should cost nothing.
package final class SharedPolicy: Sendable {
  let policy: ScopePolicy

  package init(_ policy: ScopePolicy) {
    if policy.unscopedWork == .adopt { ContextFrame.listAllScopes() }
    self.policy = policy
  }
}

/// What a frame asks for; frames inside inherit it and add to it.
package struct ScopePolicy: Sendable {
  /// Whether a live service may be resolved.
  package var strictness: Treatment?
  /// Live services that may be resolved all the same.
  package var mayBeLive: [@Sendable (LiveService) -> Bool] = []
  /// Asked for a double, innermost first, where none is registered.
  package var fallbacks: [Fallback] = []
  /// How requests of work that outlives the scope are treated.
  package var lateWork: Treatment?
  /// How requests that belong to no test are treated while the scope is open.
  package var unscopedWork: UnscopedWork?
  /// Hears of instances that should be gone when the scope has ended.
  package var leakWatch: InstanceLog?

  package init() {}

  /// A live service, as exceptions see it.
  package struct LiveService: Sendable {
    package let key: ServiceKey
    package let owner: ContainerCore
    package let registeredAt: CodeLocation
    package let assembly: ObjectIdentifier?
  }

  /// Makes doubles for what is not registered as one, and keeps one for each service.
  package final class Fallback: Sendable {
    private let container: (@Sendable () -> Resolver)?
    private let make: @Sendable (ServiceKey) -> Any?
    private let made = Lock<[ServiceKey: Any]>([:])

    /// `container`: the one whose services it is for; nil for those of all.
    package init(
      in container: (@Sendable () -> Resolver)? = nil,
      _ make: @escaping @Sendable (ServiceKey) -> Any?
    ) {
      (self.container, self.make) = (container, make)
    }

    private struct Question: Hashable, Sendable {
      let fallback: ObjectIdentifier
      let key: ServiceKey
    }

    /// What fallbacks are asked for right now: a fallback that asks for the very service, to wrap
    /// it, gets what would answer without the fallback.
    @TaskLocal private static var underWay: Set<Question> = []

    /// Puts the double for a service into memory, and answers whether it was made just now; nil if
    /// there is none of its type.
    func copyDouble(
      _ key: ServiceKey, _ core: ContainerCore, to out: UnsafeMutableRawPointer
    ) -> Bool? {
      // What finds the container may ask for services in turn.
      if let container, asking(key, { container().core === core }) != true { return nil }
      func copy<Service>(_ type: Service.Type) -> Bool? {
        guard let (double, isNew): (Service, Bool) = double(key) else { return nil }
        out.assumingMemoryBound(to: Service.self).initialize(to: double)
        return isNew
      }
      return copy(key.type)
    }

    /// Runs the user's code about a service; nil if that is what asks for the service now.
    private func asking<Result>(_ key: ServiceKey, _ body: () -> Result) -> Result? {
      let question = Question(fallback: ObjectIdentifier(self), key: key)
      guard !Self.underWay.contains(question) else { return nil }
      return Self.$underWay.withValue(Self.underWay.union([question]), operation: body)
    }

    private func double<Service>(_ key: ServiceKey) -> (Service, isNew: Bool)? {
      if let double = made.withLock({ $0[key] }) {
        return (double as? Service).map { ($0, false) }
      }
      // First that there is an answer: nil is an optional service, too.
      guard let answer = asking(key, { make(key) }) ?? nil, let double = answer as? Service
      else { return nil }
      return made.withLock { made in
        if let first = made[key] as? Service { return (first, false) }
        made[key] = double
        return (double, true)
      }
    }
  }
}

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
    // Handed out in any case, it will ask for its service itself.
    if found == nil, request.type is any LazyDependency.Type { return .none }
    let core = found?.owner ?? asked.core
    for frame in chain {
      for fallback in frame.policy?.fallbacks ?? [] {
        guard let isNew = fallback.copyDouble(request.key, core, to: out) else { continue }
        observe { $0.answered(request, byFallbackIn: asked.core, isNew: isNew) }
        return .double
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

  /// How strict the innermost frame is that says so.
  package var strictness: Treatment {
    chain.lazy.compactMap(\.policy?.strictness).first ?? .allow
  }

  /// Reports a live service, unless it may be live.
  func reportLive(_ found: Found, _ request: Request) {
    guard let severity = strictness.severity else { return }
    let service = ScopePolicy.LiveService(
      key: request.key, owner: found.owner, registeredAt: found.registration.location,
      assembly: found.registration.options.assembly)
    if chain.contains(where: { $0.policy?.mayBeLive.contains { $0(service) } ?? false }) { return }
    let double = request.key.doubleAdvice("", in: found.owner.factories.containerType)
    let place = request.key.property == nil ? "the sandbox or a layer" : "a layer"
    report(
      DiagnosticIssue(
        text: Self.text(about: request) {
          Diagnosis(
            headline: "A live service was resolved: `\(request.key)`.",
            facts: Self.chainFacts(request) + [
              ("registered:", "\(found.registration.location), in \(found.owner.label)")
            ],
            fixes: [
              "Register a double: \(double) in \(place).",
              "If it may be live here, say so: `.strict(except: \(metatypeText(request.type)))`.",
            ])
        }, severity: severity, location: request.location))
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

extension Found {
  /// Whether a double answers in the end: what counts for an alias is what it stands for.
  package func isEffectivelyDouble(asked: Resolver, _ frame: ContextFrame?) -> Bool {
    isDouble || registration.aliasTarget != nil && standsFor(asked: asked, frame).isDouble
  }

  /// What answers in the end, by way of aliases that may stand for each other.
  ///
  /// It counts as a double if one of them is.
  func standsFor(asked: Resolver, _ frame: ContextFrame?) -> Found {
    var last = self
    // They may stand for each other in a circle, which resolving reports.
    for _ in 0..<64 {
      guard let key = last.registration.aliasTarget,
        let target = Lookup.find(key.typeAndName, in: asked.core, frame)
      else { break }
      last = Found(
        registration: target.registration, owner: target.owner,
        isDouble: last.isDouble || target.isDouble)
    }
    return last
  }
}
