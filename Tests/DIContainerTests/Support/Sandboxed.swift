import DIContainer

/// Runs a test of process-wide state in a view of its own, so that no other test sees it.
func inSandbox<Result>(_ body: () throws -> Result) rethrows -> Result {
  let sandbox = ContextFrame(.sandbox, parent: ContextFrame.current, caches: .all)
  defer { sandbox.end() }
  return try ContextFrame.$bound.withValue(sandbox) { try body() }
}
