#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Work that belongs to no test, while sandboxes are open. With one test's sandbox open it is that
// test's: it is noted there, and reported at the sandbox's end, as a failure if that is strict.
// With several, it is reported at once, once for its place and process, as a failure if all of them
// are strict.

/// An action of work that belongs to no test.
struct UnscopedAction: Sendable {
  struct Place: Hashable {
    let link: ChainLink
    let done: String
  }

  let place: Place
  /// The thing that it acted on, if that is no service.
  var subject: String?
  /// The effect of the action.
  let outcome: String
  /// The live service that it got; nil if it got none.
  fileprivate(set) var service: FramePolicy.LiveService?
  let thread = ContextFrame.threadText
  /// The scope that the owner of the lazy wrapper in use was made in, if it has ended.
  let origin = LazyOrigin.ended?.place
  let chain: [(String, String)]
  /// The tests that it may belong to.
  fileprivate(set) var open: [String] = []

  fileprivate var isOfOneTest: Bool { open.count == 1 }

  fileprivate static let resolved = "resolved"

  fileprivate var isRequest: Bool { place.done == Self.resolved }

  /// Whether it is a request that a double of a service would have served.
  func isRequest(for double: ServiceKey) -> Bool {
    isRequest && place.link.key.isClose(to: double)
  }

  /// Returns the text of the report.
  ///
  /// `double`: the line of the double that would have served it, in a test that has one.
  func text(double: CodeLocation? = nil) -> String {
    let count = isOfOneTest ? "this sandbox was" : "several sandboxes were"
    // The cases of one test are one line, and ten lines are enough.
    let open = open.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let more = open.count > 10 ? ["… \(open.count - 10) more"] : []
    return TypeNames.telling(apart: [place.link.key]) {
      var facts = chain + [("thread:", thread)]
      if let origin { facts.append(("made in:", "\(origin), which has ended")) }
      facts += (open.prefix(10) + more).map { ("open:", $0) }
      if let double { facts.append(("double:", "\(double)")) }
      return Diagnosis(
        headline: "\(subject ?? "`\(place.link.key)`") was \(place.done) by work that belongs to "
          + "no test, while \(count) open: \(outcome).",
        facts: facts,
        fixes: [
          "Carry the context there: `let context = ResolutionContext.current`, then "
            + "`context.run { … }`.",
          "Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.",
        ]
      ).text
    }
  }

  fileprivate func report(_ severity: IssueSeverity) {
    ProcessHooks.current.report(
      DiagnosticIssue(text: text(), severity: severity, location: place.link.location))
  }
}

extension UnscopedPolicy {
  /// Returns the severity of an action in a test with policies; nil if it is not reported.
  fileprivate func severity(
    _ policies: FramePolicy?, _ service: FramePolicy.LiveService?
  ) -> IssueSeverity? {
    self != .allow && policies?.forbids(service) ?? false ? .error : strictness.severity
  }
}

extension ContextFrame {
  /// Whether any sandbox is open; retains none of them.
  static var isAnySandboxOpen: Bool { withOpen { $0.contains { $0.sandbox != nil } } }

  /// Notes a request without a context that no scope serves: it gets what production registered.
  ///
  /// `frame`: that of a layer on the process.
  static func noteUnscoped(_ request: Request, _ container: Resolver, in frame: ContextFrame?) {
    if PlannedWork.isOpen { PlannedWork.note(request, container) }
    // A request of a test concerns that test only; and checking all scopes takes long if there are
    // thousands.
    guard !ProcessHooks.current.isInTest(), isAnySandboxOpen,
      request.isToBeReported(container: container, nil)
    else { return }
    let isDouble = frame.flatMap { Lookup.find(request.key, in: container.core, $0) }?.isDouble
    let service = isDouble == true ? nil : FramePolicy.LiveService(request, in: container)
    note(
      UnscopedAction(
        place: UnscopedAction.Place(link: request.chainLink, done: UnscopedAction.resolved),
        outcome: service != nil
          ? "it got the live service"
          : isDouble == true
            ? "it got the double of a layer on the process" : "it got what production registers",
        service: service, chain: chainFacts(request)))
  }

  /// Notes what such work registers or removes in a container that others reach, where it stays.
  static func noteUnscoped(_ registration: Registration, in core: ContainerCore) {
    guard core.isEverybodys else { return }
    let (done, outcome) =
      registration.isRemoval
      ? ("removed", "the process is without it") : ("registered", "the process keeps it")
    let request = Request(registration.key, location: registration.location)
    note(
      UnscopedAction(
        place: UnscopedAction.Place(link: request.chainLink, done: done), outcome: outcome,
        service: nil, chain: [("\(done):", "\(registration.location)")]))
  }

  private struct Reported: Hashable {
    let place: UnscopedAction.Place
    /// The test; nil if it is not specific to one.
    let test: RunningTest?
  }

  private static let reported = ReportedOnce<Reported>()

  private static func isFirst(_ place: UnscopedAction.Place, of test: RunningTest?) -> Bool {
    reported.isFirst(Reported(place: place, test: test))
  }

  /// Notes an action with the tests that it may belong to, and reports it if they are several.
  static func note(_ action: UnscopedAction) {
    let (action, treatments) = withOpen { open in
      let tests = testSandboxes(of: open)
      var action = action
      action.open = tests.map(\.opener.place)
      // Of several, each needs to know only what its doubles would have served, to its end.
      var noted = action
      if !action.isOfOneTest { noted.service = nil }
      if action.isOfOneTest || action.isRequest { for test in tests { test.note(noted) } }
      return (action, tests.map(\.unscopedTreatment))
    }
    let severities = treatments.compactMap { $0.unscoped.severity($0.policies, action.service) }
    if action.isOfOneTest || severities.isEmpty || !isFirst(action.place, of: nil) { return }
    let isFailure = severities.count == treatments.count && severities.allSatisfy { $0 == .error }
    action.report(isFailure ? .error : .warning)
  }

  /// Returns, of each test that has a sandbox open, the one opened last, in the order of the tests.
  static func testSandboxes(of open: OpenScopes) -> [ContextFrame] {
    var tests: [UInt64: ContextFrame] = [:]
    for sandbox in open where sandbox.kind == .sandbox {
      let outermost = Array(sandbox.sandboxes).last ?? sandbox
      if sandbox.number > tests[outermost.number]?.number ?? 0 { tests[outermost.number] = sandbox }
    }
    return tests.sorted { $0.key < $1.key }.map(\.value)
  }

  private var unscopedTreatment: (policies: FramePolicy?, unscoped: UnscopedPolicy) {
    (strictPolicies, unscopedPolicy)
  }

  /// Notes an action for the end of the scope, which is still open.
  private func note(_ action: UnscopedAction) {
    withNotes { notes in
      // The end reports only what was done while this was the only test's.
      let isNoted = notes.unscoped.contains {
        $0.place == action.place && $0.isOfOneTest == action.isOfOneTest
      }
      if !isNoted { notes.unscoped.append(action) }
    }
  }

  /// Reports actions of work that belongs to no test, while this was the only one with a sandbox.
  func reportUnscoped() {
    guard extra(Lock<ScopeNotes>.self) != nil else { return }
    let actions = withNotes { notes in
      defer { notes.unscoped.removeAll(where: \.isOfOneTest) }
      return notes.unscoped.filter(\.isOfOneTest)
    }
    let outermost = outermostOfTest ?? self
    let test = RunningTest(outermost.opener.name, at: outermost.opener.location)
    let (policies, unscoped) = unscopedTreatment
    for action in actions {
      guard let severity = unscoped.severity(policies, action.service) else { continue }
      if action.isRequest { explain(action.place.link.key) }
      // A warning is about the code rather than about the test: many cases report it once.
      if severity == .warning, !Self.isFirst(action.place, of: test) { continue }
      action.report(severity)
    }
  }
}

// The choice of the open scope that serves work which left its task without the context.

extension ContextFrame {
  /// The frame that serves work without a context: the innermost that was pushed on its scope.
  static var unboundWorkFrame: ContextFrame? {
    unboundWorkScope.map { $0.pushedLayers?.top ?? $0 }
  }

  /// The scope that serves work without a context: the innermost one of the only running test.
  private static var unboundWorkScope: ContextFrame? {
    if let top = processTop {
      let scope = top.asUnboundWorkScope
      // A sandbox that was opened inside a layer of the process says itself what it adopts.
      let mayServe = top.sandbox != nil || scope.sandbox == nil
      return mayServe || scope.unscopedPolicy == .adopt ? scope : top
    }
    guard mayServeUnboundWork, !ProcessHooks.current.isInTest() else { return nil }
    return withOpen { open in
      let open = open.filter { $0.sandbox != nil }
      guard let last = innermost(of: open), last.unscopedPolicy == .adopt,
        open.allSatisfy({ last.isInside($0) })
      else { return nil }
      return last
    }
  }

  private static func innermost(of open: [ContextFrame]) -> ContextFrame? {
    open.max { $0.number < $1.number }
  }

  /// The frame on which work without a context pushes layers: the scope that serves it.
  static var unboundWorkAnchor: ContextFrame? {
    guard let scope = unboundWorkScope else { return nil }
    return scope.pushedLayers?.anchor ?? scope
  }

  private var asUnboundWorkScope: ContextFrame {
    // In most cases no other scope was opened since.
    if Self.withOpen({ open in !open.contains { $0.number > number } }) { return self }
    // Code of a test that has no context does not belong to a scope that another test opened
    // meanwhile.
    if ProcessHooks.current.isInTest() { return self }
    return Self.withOpen { open in
      let inside = open.filter { $0.isInside(self) }
      guard let last = Self.innermost(of: inside) else { return self }
      if inside.allSatisfy({ last.isInside($0) }) { return last }
      return last.chain.first { around in inside.allSatisfy { $0.isInside(around) } } ?? self
    }
  }

  /// The innermost frame pushed on this frame, or outside it while it was the innermost, and the
  /// frame that it was pushed on.
  private var pushedLayers: (top: ContextFrame, anchor: ContextFrame)? {
    for frame in chain {
      if let top = frame.pushedTop, top.isInside(self) { return (top, frame) }
    }
    return nil
  }
}
#endif
