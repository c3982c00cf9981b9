#if canImport(Testing) && canImport(XCTest)
import DIContainer
import XCTest

// All scopes of the module are opened and closed here: a frame is bound to the task, the operation
// runs, leftovers are reported, and the frame releases the instances that it kept.

/// The opening of a scope, with the reports made when it closes.
struct ScopeOpener {
  let frame: ContextFrame
  /// The time for which the end waits for contexts that are still carried.
  var drain: Duration?
  /// Whether findings are reported to a handler other than the test framework.
  private let hasOwnReport: Bool
  /// Whether a failure was reported for the scope; nil if it is no test's.
  private let failed: Atomic?

  init(
    _ kind: FrameKind, installed: Resolver? = nil, caches: ContextFrame.Caches = .all,
    recorder: ResolutionRecorder? = nil, policy: FramePolicy? = nil, name: String,
    isTest: Bool = false, location: CodeLocation,
    report: IssueHandler? = nil
  ) {
    TestHooks.install()
    hasOwnReport = report != nil
    StoredProperties.reportOfRunningTest()
    if policy?.unscopedWork == .adopt { ContextFrame.listAllFrames() }
    let test = isTest ? name : ContextFrame.boundTest ?? IssueReporter.currentTest
    let failed = isTest ? Atomic() : nil
    self.failed = failed
    let report = Self.report(report ?? { IssueReporter.report($0) }, notingIn: failed)
    frame = ContextFrame(
      kind, parent: ContextFrame.around, installed: installed, caches: caches,
      recorder: recorder, policy: policy.map(PolicyBox.init),
      name: test ?? name, isTest: test != nil, location: location,
      report: report)
    frame.listInside()
  }

  private static func report(
    _ report: @escaping IssueHandler, notingIn failed: Atomic?
  ) -> IssueHandler {
    guard let failed else { return report }
    return { issue in
      if issue.severity == .error { failed.set(true) }
      report(issue)
    }
  }

  func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    defer { close() }
    return try ContextFrame.$bound.withValue(enter(), operation: operation)
  }

  nonisolated(nonsending) func run<Result>(
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    do {
      let result = try await ContextFrame.$bound.withValue(enter()) { try await operation() }
      await closeOnceDrained()
      return result
    } catch {
      await closeOnceDrained()
      throw error
    }
  }

  private func enter() -> ContextFrame {
    isCarried ? frame.makeTrackedCarrier() : frame.withCarrier
  }

  /// Whether it matters if the scope is still carried: only then it has a tracked carrier.
  private var isCarried: Bool { drain != nil || frame.leakWatch != nil }

  private nonisolated(nonsending) func closeOnceDrained() async {
    ForgottenLayers.report(on: frame)
    if let drain, let carried = frame.extra(CarriedContexts.self), !carried.isDropped {
      let timer = Task {
        try? await Task.sleep(for: drain)
        carried.giveUp()
      }
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        carried.whenDone { done.resume() }
      }
      timer.cancel()
    }
    finish()
  }

  private func close() {
    ForgottenLayers.report(on: frame)
    if let drain, let carried = frame.extra(CarriedContexts.self), !carried.isDropped {
      // XCTest's way to wait: the main thread continues to run work that is dispatched to it.
      let done = XCTestExpectation(description: "carried contexts are done")
      carried.whenDone { done.fulfill() }
      _ = XCTWaiter.wait(for: [done], timeout: drain / .seconds(1))
    }
    finish()
  }

  private func finish() {
    if let drain { frame.reportCarried(after: drain) }
    frame.close(isAtOnce: hasOwnReport)
    if let watch = frame.leakWatch { frame.reportLeaks(watch) }
    if failed?.isSet ?? false { frame.notes?.whenFailed.forEach { $0() } }
  }
}

extension ContextFrame {
  /// Ends a scope, and reports its findings.
  func close(isAtOnce: Bool = false) {
    end { reportEnd(isAtOnce: isAtOnce) }
  }

  /// Reports the findings about the stubs and the registrations of a scope, at its end.
  ///
  /// `isAtOnce`: whether unused doubles are reported here, not by the suite.
  func reportEnd(isAtOnce: Bool = false) {
    reportDoubles()
    noteHiddenOutside()
    reportFindings(isAtOnce: isAtOnce)
  }

  fileprivate func reportCarried(after drain: Duration) {
    guard let carried = extra(CarriedContexts.self), !carried.isDropped else { return }
    report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "The sandbox ended while work that carries it was still going on.",
          facts: [("sandbox:", opener.place), ("waited:", "\(drain)")],
          fixes: ["Wait longer, or let the test await the work that it starts."]
        ).text, severity: .warning, location: opener.location))
  }

  fileprivate func reportLeaks(_ watch: InstanceLog) {
    guard extra(CarriedContexts.self)?.isDropped ?? true else {
      report(
        DiagnosticIssue(
          text: Diagnosis(
            headline: "Leaks were not looked for: work that carries the sandbox is still going on.",
            facts: [("sandbox:", opener.place)],
            fixes: [
              "Let the test await the work that it starts.",
              "Or let the sandbox wait for it: `\(isTestCase ? Self.testCaseDrain : Self.drain)`.",
            ]
          ).text, severity: .warning, location: opener.location))
      return
    }
    // Factories that can no longer be called hold the instances that they captured. The doubles
    // that the sandbox keeps hold others, and the arguments of their calls.
    forgetDoubles()
    extra(DoubleLedger.self)?.forgetCalls()
    for fallback in testPolicy?.fallbacks ?? [] { fallback.forgetDoubles() }
    extra(SolitaryDoubles.self)?.forgetDoubles()
    extra(SharedStubs.self)?.forgetAll()
    for leak in watch.alive {
      var facts = [("requested:", "\(leak.origin.location)")]
      if let requester = leak.origin.requester { facts.append(("asked by:", "`\(requester)`")) }
      facts.append(("sandbox:", opener.place))
      report(
        DiagnosticIssue(
          text: Diagnosis(
            headline: "\(leak.isDouble ? "A double" : "An instance") of `\(leak.key)` "
              + "is still alive after its sandbox.",
            facts: facts,
            fixes: (isTestCase ? [Self.testCaseFix] : []) + [
              "Look for a reference cycle, or for work that was started and not awaited.",
              "Let go of what the test holds in static or global variables.",
            ]
          ).text, severity: .error, location: leak.origin.location))
    }
  }

  private static let drain = ".sandbox(drain: .seconds(1), checksLeaks: true)"
  private static let testCaseDrain = "override var drain: Duration? { .seconds(1) }"
  private static let testCaseFix =
    "Set the test case's properties that hold it to nil in `tearDown`: XCTest keeps every test "
    + "case to the end of the run."
}
#endif
