#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Requests before any test runs. Swift Testing evaluates the arguments of tests and the conditions
// of traits when it plans a run; XCTest makes a test case for every test, with its stored
// properties. No sandbox is open by then, so the instances are live and remain so. The first
// sandbox reports them, as a failure if it is strict; where that was none, the first strict one
// too.

/// The requests made while the test framework plans its tests.
enum PlannedWork {
  /// A request that a live service was returned for, before any test began.
  struct LiveRequest: Sendable {
    private let found: FramePolicy.LiveService
    // Requests are kept as long as the process; their containers are not.
    private weak var owner: ContainerCore?
    let location: CodeLocation

    fileprivate init(_ service: FramePolicy.LiveService, at location: CodeLocation) {
      var found = service
      found.owner = nil
      (self.found, owner, self.location) = (found, service.owner, location)
    }

    /// The service, without an owner if that is gone.
    var service: FramePolicy.LiveService {
      var service = found
      service.owner = owner
      return service
    }

    fileprivate var place: ChainLink { ChainLink(key: found.key, location: location) }
  }

  private enum Phase { case notBegun, open, over }

  private struct Planning {
    var phase = Phase.notBegun
    /// In the order made.
    var requests: [LiveRequest] = []
  }

  private static let planning = Lock(Planning())
  private static let reported = ReportedOnce<ChainLink>()

  private static var phase: Phase { planning.withLock { $0.phase } }

  /// Whether the test framework may be planning tests.
  static var isOpen: Bool { phase == .open }

  /// Begins noting requests, unless that has already ended.
  static func begin() {
    planning.withLock { planning in
      guard planning.phase == .notBegun else { return }
      planning.phase = .open
      Tests.watchUnboundRequests(true)
    }
  }

  /// Ends noting requests permanently, because tests run from now on.
  static func end() {
    // Checked first: every scope calls this when it opens.
    if planning.word != 0 { return }
    planning.withLock { planning in
      Self.planning.word = 1
      if planning.phase == .open { Tests.watchUnboundRequests(false) }
      planning.phase = .over
    }
  }

  /// Whether the framework may be making its test cases, with the containers that they hold.
  static var mayBeListing: Bool { phase != .over && ProcessHooks.current.mayBePlanning() }

  /// Whether the calling code may be what the framework evaluates in order to plan tests.
  static var isCurrent: Bool {
    isOpen && ProcessHooks.current.mayBePlanning() && ContextFrame.current == nil
      && !ContextFrame.isSettingUp
  }

  /// Notes a request outside every context.
  static func note(_ request: Request, _ container: Resolver) {
    guard isCurrent, request.isToBeReported(container: container, nil),
      let service = FramePolicy.LiveService(request, in: container)
    else { return }
    let live = LiveRequest(service, at: request.location)
    planning.withLock { planning in
      if !planning.requests.contains(where: { $0.place == live.place }) {
        planning.requests.append(live)
      }
    }
  }

  /// Returns the requests since the last call, which are those of a test case that was made since.
  static func take() -> [LiveRequest] {
    planning.withLock { $0.phase == .open ? exchange(&$0.requests, with: []) : [] }
  }

  /// Reports requests at the end of a sandbox: those of its own test case, and all that belong to
  /// none.
  static func report(in sandbox: ContextFrame) {
    let own = sandbox.notes?.planned ?? []
    for request in own { sandbox.explain(request.service.key) }
    let ofNone = planning.withLock { $0.requests }
    for request in own.isEmpty ? ofNone : own + ofNone {
      let severity: IssueSeverity =
        sandbox.strictPolicies?.forbids(request.service) ?? false ? .error : .warning
      if reported.isFirst(request.place, severity) {
        sandbox.explain(request.service.key)
        sandbox.report(issue(about: request, severity))
      }
    }
  }

  private static func issue(
    about request: LiveRequest, _ severity: IssueSeverity
  ) -> DiagnosticIssue {
    DiagnosticIssue(
      text: Diagnosis(
        headline: "`\(request.service.key)` was resolved before any test began: "
          + "it is the live service.",
        facts: [("requested:", "\(request.location)")],
        fixes: ProcessHooks.current.runsOneTestAtATime() ? fixesOfXCTest : fixes
      ).text, severity: severity, location: request.location)
  }

  private static let fixes = [
    "Resolve it in the test: `@Test(arguments:)`, `.enabled(if:)`, and what they use, are "
      + "evaluated before the first test runs, outside every sandbox."
  ]

  private static let fixesOfXCTest = [
    "Set the stored property that resolves it in `setUp`, or make it `lazy`: XCTest makes every "
      + "test case before the first test runs.",
    "Or declare the dependency as `@LazyInjected` or `@DynamicInjected`: they resolve when they "
      + "are used.",
  ]

  /// Advice for a request that fails during that time, before any test of the process runs.
  static var missingFix: String {
    ProcessHooks.current.runsOneTestAtATime()
      ? "If a stored property of a test case resolves it: XCTest makes every test case before the "
        + "first test runs. Set the property in `setUp`, make it `lazy`, or declare it "
        + "`@LazyInjected`."
      : "If `@Test(arguments:)` or `.enabled(if:)` resolves it: they are evaluated before the "
        + "first test runs. Resolve it in the test."
  }
}

extension FramePolicy.LiveService {
  /// Creates the live service that a request outside every context gets; nil if there is none.
  init?(_ request: Request, in container: Resolver) {
    let found = Lookup.find(request.key, in: container.core, nil)
    // The declaration of a property is not looked up by its key.
    guard found != nil || request.property != nil else { return nil }
    self.init(
      key: request.key, owner: found?.owner ?? container.core,
      registeredAt: found?.registration.location ?? request.location,
      assembly: found?.registration.options.assembly)
  }
}

extension FramePolicy {
  /// Whether a live service fails the test; it calls the test's exceptions.
  ///
  /// `service`: nil if there is none, or if it was registered rather than resolved.
  func forbids(_ service: LiveService?) -> Bool {
    strictness == .fail
      && service.map { service in !mayBeLive.contains { $0(service) } } ?? true
  }
}
#endif
