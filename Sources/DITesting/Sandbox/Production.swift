#if canImport(Testing) && canImport(XCTest)
public import DIContainer

extension Resolver {
  /// Runs production's own set-up in a test: `Resolver.production { AppWiring.register() }`.
  ///
  /// Its registrations are live, although a test makes them: a strict test reports them when they
  /// are resolved, and unused ones are not reported. Doubles take precedence over them, whichever
  /// are registered first. Inside a sandbox, a trait's closure or `registerDoubles(in:)` they
  /// belong to the sandbox; outside every scope they belong to the process, and
  /// ``Sandbox/processChanges`` does not count them.
  ///
  /// - Parameter setUp: The calls that production makes when it starts.
  /// - Returns: What the closure returns.
  @discardableResult
  public static func production<Result>(_ setUp: () throws -> Result) rethrows -> Result {
    try RegisteringContext.with(asProduction, setUp)
  }

  /// Runs production's own set-up in a test, as the form with a result does.
  ///
  /// A single registration is the whole of a closure with this one:
  /// `.sandbox { r in Resolver.production { r.register { LiveRules() } } }`.
  ///
  /// - Parameter setUp: The calls that production makes when it starts.
  public static func production(_ setUp: () throws -> Void) rethrows {
    try RegisteringContext.with(asProduction, setUp)
  }

  /// Runs production's own asynchronous set-up in a test: `await Resolver.production { … }`.
  ///
  /// See `production(_:)`.
  ///
  /// - Parameter setUp: The calls that production makes when it starts.
  /// - Returns: What the closure returns.
  @discardableResult
  public nonisolated(nonsending) static func production<Result>(
    _ setUp: () async throws -> Result
  ) async rethrows -> Result {
    try await RegisteringContext.with(asProduction, setUp)
  }

  /// Runs production's own asynchronous set-up in a test, as the form with a result does.
  ///
  /// - Parameter setUp: The calls that production makes when it starts.
  public nonisolated(nonsending) static func production(
    _ setUp: () async throws -> Void
  ) async rethrows {
    try await RegisteringContext.with(asProduction, setUp)
  }

  private static func asProduction(_ context: inout RegisteringContext) {
    context.isProduction = true
    // Assemblies register in the same place as other code, instead of in the process.
    context.assembliesAreDoubles = true
  }
}

/// Runs a closure of a test that registers doubles, so that assemblies applied in it are doubles
/// too.
func registeringDoubles<Result>(_ body: () throws -> Result) rethrows -> Result {
  try RegisteringContext.with({ $0.assembliesAreDoubles = true }, body)
}

/// Runs an async closure of a test that registers doubles.
nonisolated(nonsending) func registeringDoubles<Result>(
  _ body: () async throws -> Result
) async rethrows -> Result {
  try await RegisteringContext.with({ $0.assembliesAreDoubles = true }, body)
}
#endif
