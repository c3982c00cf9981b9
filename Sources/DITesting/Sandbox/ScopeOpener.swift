#if canImport(Testing) && canImport(XCTest)
import DIContainer

// All scopes of the module are opened and closed here: a frame is bound to the task, the operation
// runs, leftovers are reported, and the frame releases the instances that it kept.

/// The opening of a scope, with the reports made when it closes.
struct ScopeOpener {
  let frame: ContextFrame
  /// Whether a failure was reported for the scope; nil if it is no test's.
  private let failed: Atomic?
  private let policy: FramePolicy?

  init(
    _ kind: FrameKind, installed: Resolver? = nil, caches: ContextFrame.Caches = .all,
    recorder: ResolutionRecorder? = nil, policy: FramePolicy? = nil, name: String,
    isTest: Bool = false, location: CodeLocation,
    report: IssueHandler? = nil
  ) {
    TestHooks.install()
    PlannedWork.end()
    if policy?.unscopedWork == .adopt { ContextFrame.listAllFrames() }
    let test = isTest ? name : ContextFrame.boundTest ?? IssueReporter.currentTest
    let failed = isTest ? Atomic() : nil
    (self.failed, self.policy) = (failed, policy)
    let report = report ?? IssueReporter.report
    let handler: IssueHandler =
      if let failed {
        { issue in
          if issue.severity == .error { failed.set(true) }
          report(issue)
        }
      } else { report }
    let outer = ContextFrame.around
    frame = ContextFrame(
      kind, parent: outer, installed: installed, caches: caches,
      recorder: recorder, policy: PolicyBox(policy, of: kind, in: outer),
      name: test ?? name, isTest: test != nil, location: location,
      report: handler)
    frame.listInside()
  }

  func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    defer { finish() }
    return try ContextFrame.$bound.withValue(frame, operation: operation)
  }

  nonisolated(nonsending) func run<Result>(
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    defer { finish() }
    return try await ContextFrame.$bound.withValue(frame) { try await operation() }
  }

  private func finish() {
    ForgottenLayers.report(on: frame)
    frame.close()
    policy?.noteMatches(in: frame)
    if failed?.isSet ?? false { frame.notes?.whenFailed.forEach { $0() } }
  }
}

extension ContextFrame {
  /// Ends a scope, and reports its findings.
  func close() { end { reportEnd() } }

  /// Reports the findings about the stubs and the registrations of a scope, at its end.
  func reportEnd() {
    // Causes come first. What comes after this is reported once the scope has ended.
    reportUnscoped()
    if kind == .sandbox, dryRun == nil { PlannedWork.report(in: self) }
    noteHiddenOutside()
    reportFindings()
    // Last: it forgets the registered doubles.
    reportDoubles()
  }
}
#endif
