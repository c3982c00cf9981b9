#if canImport(Testing) && canImport(XCTest)
import DIContainer

// All scopes of the module are opened and closed here: a frame is bound to the task, the operation
// runs, what was left behind is reported, and the frame lets go of what it kept.

/// How a scope is opened, and what is reported when it closes.
struct ScopeOpener {
  let frame: ContextFrame

  init(
    _ kind: ContextFrame.Kind, installed: Resolver? = nil, caches: ContextFrame.Caches = .all,
    recorder: ResolutionRecorder? = nil, name: String, location: CodeLocation
  ) {
    TestHooks.install()
    let owner = ContextFrame.Owner(
      name: IssueReporter.currentTest ?? name, location: location,
      report: { IssueReporter.report($0) })
    frame = ContextFrame(
      kind, parent: ContextFrame.current, installed: installed, caches: caches,
      recorder: recorder, owner: owner)
  }

  func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    defer { close() }
    return try ContextFrame.$bound.withValue(frame) { try operation() }
  }

  nonisolated(nonsending) func run<Result>(
    _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    defer { close() }
    return try await ContextFrame.$bound.withValue(frame) { try await operation() }
  }

  func close() {
    LayerStack.reportOpenLayers(on: frame)
    frame.end()
  }
}
#endif
