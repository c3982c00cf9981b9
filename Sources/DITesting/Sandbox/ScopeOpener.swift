#if canImport(Testing) && canImport(XCTest)
import DIContainer

// All scopes of the module are opened and closed here: a frame is bound to the task, the operation
// runs, what was left behind is reported, and the frame lets go of what it kept.

/// How a scope is opened, and what is reported when it closes.
struct ScopeOpener {
  let frame: ContextFrame
  /// How long the end waits for contexts that are still carried somewhere.
  var drain: Duration?

  init(
    _ kind: ContextFrame.Kind, installed: Resolver? = nil, caches: ContextFrame.Caches = .all,
    recorder: ResolutionRecorder? = nil, policy: ScopePolicy? = nil, name: String,
    location: CodeLocation, report: @escaping IssueHandler = { IssueReporter.report($0) }
  ) {
    TestHooks.install()
    let owner = ContextFrame.Owner(
      name: IssueReporter.currentTest ?? name, location: location, report: report)
    var policy = policy
    if kind == .sandbox, policy?.unscopedWork == nil, IssueReporter.isOnlyXCTest {
      // XCTest runs one test at a time: work that left the task is that test's.
      policy = policy ?? ScopePolicy()
      policy?.adoptsUnscopedWork = true
    }
    frame = ContextFrame(
      kind, parent: ContextFrame.current, installed: installed, caches: caches,
      recorder: recorder, policy: policy, owner: owner)
  }

  func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    defer { close() }
    return try ContextFrame.$bound.withValue(frame) { try operation() }
  }

  nonisolated(nonsending) func run<Result>(
    _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    do {
      let result = try await ContextFrame.$bound.withValue(frame) { try await operation() }
      await waitForCarriedContexts()
      close()
      return result
    } catch {
      await waitForCarriedContexts()
      close()
      throw error
    }
  }

  func close() {
    LayerStack.reportOpenLayers(on: frame)
    reportFindings()
    let watch = frame.policy?.leakWatch
    frame.end()
    if let watch { reportLeaks(watch) }
  }

  private func reportFindings() {
    guard frame.kind == .sandbox || frame.kind == .layer else { return }
    let severity: DiagnosticIssue.Severity = frame.strictness == .fail ? .error : .warning
    let findings = ContextFrame.$bound.withValue(frame) { frame.findings }
    for finding in findings {
      frame.report(
        DiagnosticIssue(text: finding.text, severity: severity, location: finding.location))
    }
  }

  private func reportLeaks(_ watch: LeakWatch) {
    for leak in watch.leaks {
      var facts = [("requested:", "\(leak.requestedAt)")]
      if let asked = leak.askedBy { facts.append(("asked by:", "`\(asked)`")) }
      facts.append(("sandbox:", "\(frame.owner.name), at \(frame.owner.location)"))
      frame.report(
        DiagnosticIssue(
          text: Diagnosis(
            headline: "\(leak.isDouble ? "A double" : "An instance") of `\(leak.key)` "
              + "is still alive after its sandbox.",
            facts: facts,
            fixes: [
              "Look for a reference cycle, or for work that was started and not awaited.",
              "Let go of what the test holds in static or global variables.",
            ]
          ).text, severity: .error, location: leak.requestedAt))
    }
  }

  private nonisolated(nonsending) func waitForCarriedContexts() async {
    guard let drain, let carried = frame.extra(CarriedContexts.self) else { return }
    let timer = Task {
      try? await Task.sleep(for: drain)
      carried.giveUp()
    }
    await carried.waitUntilDropped()
    timer.cancel()
    guard carried.count > 0 else { return }
    frame.report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "The sandbox ended while \(carried.count) carried "
            + "\(carried.count == 1 ? "context was" : "contexts were") still in use.",
          facts: [
            ("sandbox:", "\(frame.owner.name), at \(frame.owner.location)"),
            ("waited:", "\(drain)"),
          ],
          fixes: ["Wait longer, or let the test await the work that it starts."]
        ).text, severity: .warning, location: frame.owner.location))
  }
}
#endif
