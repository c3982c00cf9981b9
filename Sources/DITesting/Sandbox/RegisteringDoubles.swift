#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Runs a closure of a test that registers doubles, so that assemblies applied in it are doubles
/// too.
///
/// `mayBeUnused`: whether it runs for several tests, some of which may not use a double.
func registeringDoubles<Result>(
  mayBeUnused: Bool = false, _ body: () throws -> Result
) rethrows -> Result {
  try RegisteringContext.with({ $0.mark(mayBeUnused) }, body)
}

/// Runs an async closure of a test that registers doubles.
nonisolated(nonsending) func registeringDoubles<Result>(
  mayBeUnused: Bool = false, _ body: () async throws -> Result
) async rethrows -> Result {
  try await RegisteringContext.with({ $0.mark(mayBeUnused) }, body)
}

extension RegisteringContext {
  fileprivate mutating func mark(_ mayBeUnused: Bool) {
    assembliesAreDoubles = true
    self.mayBeUnused = mayBeUnused
  }
}
#endif
