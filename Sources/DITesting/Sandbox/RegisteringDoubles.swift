#if canImport(Testing) && canImport(XCTest)
import DIContainer

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
