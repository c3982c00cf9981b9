#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

// The checks made before a live service is returned: whether a fallback's double replaces it, and
// whether it is reported.

extension ContextFrame {
  /// Returns a fallback's double for a container's service; nil if there is none.
  func fallback(
    for request: Request, of core: ContainerCore,
    from fallbacks: (FramePolicy) -> [Fallback] = \.fallbacks
  ) -> FallbackDouble? {
    for fallback in testPolicies.map(fallbacks) ?? [] {
      switch fallback.supply(for: request.key, of: core) {
      case nil: continue
      case .double(_, isOfMain: true) where !MainActor.isCurrent: return .onMainOnly
      case .double(let double, _):
        guard Fallback.isInstance(double, of: request.key.type) else { continue }
        return .double(double, isNew: fallback.noteReturned(request))
      case .onMain: return .onMainOnly
      case .unfit(let type): report(unfit: type, request)
      }
    }
    return nil
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

  /// The strictness of the innermost frame that specifies one.
  var strictness: Strictness { testPolicies?.strictness ?? .off }

  /// Reports a live service, unless a double wraps it, it may be live, or a dry run resolves it.
  func noteLive(
    _ registration: Registration, of core: ContainerCore, _ request: Request, isWrapped: Bool
  ) {
    if dryRun != nil, !isWrapped { return }
    let service = FramePolicy.LiveService(
      key: request.key, owner: core, registeredAt: registration.location,
      assembly: registration.options.assembly, isWrapped: isWrapped)
    let isForSetUp = ContextFrame.isSettingUp
    if !isForSetUp {
      for hear in testPolicies?.hearsLive ?? [] { hear(service, request.location) }
    }
    guard !isWrapped, let severity = strictness.severity else { return }
    // All are asked: each notes whether it was of use.
    if (testPolicies?.mayBeLive ?? []).map({ $0(service) }).contains(true) { return }
    explain(request.key)
    if isForSetUp { return reportInSetUp(registration, of: core, request, severity) }
    report(
      DiagnosticIssue(
        text: text(
          ofLive: registration, of: core, request,
          "A live service was resolved: `\(request.key)`.", fix: exceptionAdvice(request)),
        severity: severity, location: request.location))
  }

  /// Reports a live service that set-up code resolves, which no double could have replaced.
  private func reportInSetUp(
    _ registration: Registration, of core: ContainerCore, _ request: Request,
    _ severity: IssueSeverity
  ) {
    let text = Self.text(about: request) {
      Diagnosis(
        headline: "Production's set-up resolved a live service: `\(request.key)`.",
        facts: Self.chainFacts(request) + testFacts(besides: request) + [
          ("registered:", "\(registration.location), in \(core.label)")
        ],
        fixes: [
          "Let the set-up register only, and resolve it where it is used: set-up gets no double.",
          exceptionAdvice(request),
        ])
    }
    report(DiagnosticIssue(text: text, severity: severity, location: request.location))
  }

  /// Returns the text about a live service that a request of a test found, with the test's doubles
  /// that come close.
  private func text(
    ofLive registration: Registration, of core: ContainerCore, _ request: Request,
    _ headline: @autoclosure () -> String, facts: [(String, String)] = [], fix: String
  ) -> String {
    let close = closeDoubles(to: request.key)
    return Self.text(about: request, and: close.map(\.place.key)) {
      Diagnosis(
        headline: headline(),
        facts: Self.chainFacts(request) + testFacts(besides: request) + [
          ("registered:", "\(registration.location), in \(core.label)")
        ] + close.map { ("close:", $0.text(for: request.key)) } + facts,
        fixes: sandboxAdvice + doubleAdvice(request, in: core, close) + [fix])
    }
  }

  /// How a test gets a clock.
  static var clockAdvice: [String] {
    let override = "in a `SandboxTestCase`: `override var clock: TestClock? { TestClock() }`."
    return ProcessHooks.current.runsOneTestAtATime()
      ? ["Add one, \(override)"]
      : ["Add the `.time` trait to the test or its suite.", "Or, \(override)"]
  }

  /// How a test gets a value that is the same in every run.
  private static func ambientAdvice(_ key: ServiceKey) -> [String] {
    if key.isRequest(for: (any Clock<Duration>).self) {
      return ["Or let the test move its clock. \(clockAdvice[0])"]
    }
    let ambient: [Any.Type] = [
      (() -> Date).self, (@Sendable () -> Date).self, (() -> UUID).self,
      (@Sendable () -> UUID).self, Calendar.self, TimeZone.self, Locale.self,
    ]
    if !ambient.contains(where: key.isRequest) { return [] }
    let adding =
      ProcessHooks.current.runsOneTestAtATime()
      ? "`override var isDeterministic: Bool { true }`"
      : "add the `.deterministic` trait to the test or its suite"
    return ["Or get the same value in every run: \(adding)."]
  }

  private func doubleAdvice(
    _ request: Request, in core: ContainerCore, _ close: [CloseDouble]
  ) -> [String] {
    let double = request.key.doubleAdvice("", in: core.containerType)
    let hasPlace = sandbox != nil || layer == nil
    let place =
      request.key.property == nil && hasPlace ? "the sandbox or a layer" : "a layer"
    let keeping =
      FixtureScope.builder.map { _ in
        [
          "To make the fixture from a kept one, keep that: `.keep(\(request.key.sourceText), "
            + "for: .suite) { … }`."
        ]
      } ?? []
    if close.isEmpty {
      return keeping + ["Register a double: \(double) in \(place)."]
        + Self.ambientAdvice(request.key)
    }
    return keeping
      + close.map {
        let code =
          isTestDouble(at: $0.place.location) ? request.key.doubleCall : "\(double) in \(place)"
        return $0.fix(for: request.key, of: core, code)
      }
      .reduce(into: []) { fixes, fix in if !fixes.contains(fix) { fixes.append(fix) } }
  }

  /// Without a sandbox, a test's registrations are as live as those of production code.
  private var sandboxAdvice: [String] {
    if sandbox != nil || layer != nil { return [] }
    let advice =
      ProcessHooks.current.runsOneTestAtATime()
      ? "inherit from `SandboxTestCase`, or use `withSandbox`"
      : "add `.sandbox` to the test or its suite, or use `withSandbox`"
    return ["No sandbox is open, so what the test itself registers is live: \(advice)."]
  }

  private func exceptionAdvice(_ request: Request) -> String {
    let type = metatypeText(request.type)
    let code =
      switch testPolicies?.strictBy {
      case .function:
        "withStrictness(.\(strictness), except: [.type(\(type))])"
      case .testCase: "override var mayBeLive: [LiveException] { [.type(\(type))] }"
      case .trait, nil: ".strict(except: \(type))"
      }
    return "If it may be live here, allow it: `\(code)`."
  }
}

// Live services behind boundaries that a test refuses, and the assemblies that it leaves out.

extension ContextFrame {
  /// Reports a refused request, the first one of each boundary's service in a test.
  func noteRefused(_ request: Request, for service: Registration, of core: ContainerCore) {
    guard let name = service.options.boundary, let policy = testPolicies?.boundaries,
      policy.refused.withLock({
        let isFirst = $0[service.id] == nil
        $0[service.id, default: []].insert(request.key)
        return isFirst
      })
    else { return }
    let quoted = name.debugDescription
    let allowed = (policy.allowed.sorted() + [name]).map(\.debugDescription)
      .joined(separator: ", ")
    let allowing =
      ProcessHooks.current.runsOneTestAtATime()
      ? "override var allowedBoundaries: [String]? { [\(allowed)] }"
      : ".boundaries(allow: \(allowed))"
    let text = text(
      ofLive: service, of: core, request,
      "A live boundary was requested: `\(request.key)` is behind \(quoted).",
      facts: isOfNoTest ? [("by:", "work that belongs to no test")] : [],
      fix: "If the test may reach it, allow it: `\(allowing)`.")
    if isOfNoTest, let test = parent, !test.hasEnded {
      // Reported here it would be no test's.
      return test.add(
        FrameFinding(text: text, location: request.location, key: request.key, severity: .error))
    }
    report(DiagnosticIssue(text: text, severity: .error, location: request.location))
  }

  fileprivate static let workOfNoTest = "work that belongs to no test"
  private var isOfNoTest: Bool { opener.name == Self.workOfNoTest }
}

extension Findings {
  func fallbackNeedsMain(
    _ key: ServiceKey, of core: ContainerCore, in frame: ContextFrame
  ) -> Bool {
    for fallback in frame.testPolicies?.fallbacks ?? [] {
      switch fallback.supply(for: key, of: core) {
      case nil, .unfit: continue
      case .double(_, let isOfMain): return isOfMain
      case .onMain: return true
      }
    }
    return false
  }

  /// The frame's doubles are those of the only test with an open sandbox.
  func frame(refusing request: Request, container: Resolver) -> ContextFrame? {
    guard ContextFrame.isAnySandboxOpen, !ProcessHooks.current.isInTest() else { return nil }
    let boundaries = Boundary.names(behind: request, container: container)
    if boundaries.isEmpty { return nil }
    let (tests, only) = ContextFrame.withOpen { open in
      let tests = ContextFrame.testSandboxes(of: open)
      return (tests.map(\.strictPolicies), tests.count == 1 ? tests[0] : nil)
    }
    let policies = tests.compactMap { $0?.boundaries }
    guard policies.count == tests.count, let first = policies.first,
      policies.allSatisfy({ !$0.allowed.isSuperset(of: boundaries) })
    else { return nil }
    var policy = FramePolicy()
    policy.boundaries = first
    return ContextFrame(
      .plain, parent: only, policy: PolicyBox(policy), name: ContextFrame.workOfNoTest,
      report: { ProcessHooks.current.report($0) })
  }
}

extension ContainerCore {
  /// Returns a note about a missing service that an assembly registers which the test leaves out.
  func leftOut(_ key: ServiceKey) -> ResolutionError.Circumstance? {
    let frame = ContextFrame.current
    guard let assemblies = frame?.testPolicies?.leftOut, !assemblies.isEmpty,
      let registration = reachable(frame).first(where: { $0.key == key && frame.leavesOut($0) }),
      let type = assemblies.first(where: { ObjectIdentifier($0) == registration.options.assembly })
    else { return nil }
    return .note(
      "`\(ServiceKey(type))` registers it (\(registration.location)), which the test leaves out")
  }
}
#endif
