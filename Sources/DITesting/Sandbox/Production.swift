#if canImport(Testing) && canImport(XCTest)
public import DIContainer

extension Resolver {
  /// Runs production's own set-up in a test: `Resolver.production { AppWiring.register() }`.
  ///
  /// What it registers is live, although a test calls it: a strict test reports it when it is
  /// resolved, and nothing is said where it is not. It goes under the doubles that are there, in
  /// whichever order the two are registered. Inside a sandbox, a trait's closure or
  /// `registerDoubles(in:)` it belongs to the sandbox; outside of all scopes the process keeps it,
  /// and ``Sandbox/processChanges`` does not count it.
  ///
  /// - Parameter setUp: Calls what production calls when it starts.
  /// - Returns: What the closure returns.
  @discardableResult
  public static func production<Result>(_ setUp: () throws -> Result) rethrows -> Result {
    try RegisteringContext.with(
      {
        $0.isProduction = true
        $0.isPreset = false
        // Assemblies register where everything else does, instead of in the process.
        $0.assembliesAreDoubles = true
      }, setUp)
  }
}
#endif
