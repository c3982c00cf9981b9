import DIContainer

/// Runs a test of process-wide state in a view of its own, so that no other test sees it.
func inSandbox<Result>(_ body: () throws -> Result) rethrows -> Result {
  let sandbox = ContextFrame(.sandbox, parent: ContextFrame.current, caches: .all)
  defer { sandbox.end() }
  return try ContextFrame.$bound.withValue(sandbox) { try body() }
}

/// Runs an async test of process-wide state in a view of its own.
nonisolated(nonsending) func inSandboxLater<Result>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  let sandbox = ContextFrame(.sandbox, parent: ContextFrame.current, caches: .all)
  defer { sandbox.end() }
  return try await ContextFrame.$bound.withValue(sandbox) { try await body() }
}

extension FactoryContext {
  /// Sets the context of a process in which none holds but that of a simulator, but for the change.
  static func set(_ change: (inout FactoryContext) -> Void) {
    var context = FactoryContext()
    context.arguments = ["shop"]
    (context.isPreview, context.isTest) = (false, false)
    (context.isSimulator, context.isDebug) = (true, false)
    change(&context)
    current = context
  }
}
