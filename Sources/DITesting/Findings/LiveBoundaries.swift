#if canImport(Testing) && canImport(XCTest)
import DIContainer

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
    report(
      DiagnosticIssue(
        text: Self.text(about: request) {
          Diagnosis(
            headline: "A live boundary was requested: `\(request.key)` is behind \(quoted).",
            facts: Self.chainFacts(request) + [
              ("registered:", "\(service.location), in \(core.label)")
            ] + (isOfNoTest ? [("by:", "work that belongs to no test")] : []),
            fixes: doubleAdvice(request, in: core.settings.containerType) + [
              "If the test may reach it, allow it: `\(allowing)`."
            ])
        }, severity: .error, location: request.location))
  }

  /// Returns a frame that refuses a request of work that belongs to no test, if every test whose
  /// sandbox is open does; its doubles are those of the only such test.
  static func refusing(unbound request: Request, _ container: Resolver) -> ContextFrame? {
    guard isAnySandboxOpen, !ProcessHooks.current.knowsTest else { return nil }
    let boundaries = Boundary.names(behind: request, container: container)
    if boundaries.isEmpty { return nil }
    let (tests, only) = withOpen { open in
      let tests = testSandboxes(of: open)
      return (tests.map(\.strictPolicies), tests.count == 1 ? tests[0] : nil)
    }
    let policies = tests.compactMap { $0?.boundaries }
    guard policies.count == tests.count, let first = policies.first,
      policies.allSatisfy({ !$0.allowed.isSuperset(of: boundaries) })
    else { return nil }
    var policy = FramePolicy()
    policy.boundaries = first
    return ContextFrame(
      .plain, parent: only, policy: PolicyBox(policy), name: workOfNoTest,
      report: { ProcessHooks.current.report($0) })
  }

  private static let workOfNoTest = "work that belongs to no test"
  private var isOfNoTest: Bool { opener.name == Self.workOfNoTest }
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
