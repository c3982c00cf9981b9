#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Runs a closure that a test gave to register doubles: assemblies applied in it are doubles too.
///
/// `isPreset`: whether it serves several tests, some of which may not use a double.
func registeringDoubles<Result>(
  isPreset: Bool = false, _ body: () throws -> Result
) rethrows -> Result {
  try RegisteringContext.with({ $0.mark(isPreset) }, body)
}

/// Runs an async closure that a test gave to register doubles.
nonisolated(nonsending) func registeringDoubles<Result>(
  isPreset: Bool = false, _ body: () async throws -> Result
) async rethrows -> Result {
  try await RegisteringContext.with({ $0.mark(isPreset) }, body)
}

extension RegisteringContext {
  fileprivate mutating func mark(_ isPreset: Bool) {
    assembliesAreDoubles = true
    self.isPreset = isPreset
  }
}
#endif
