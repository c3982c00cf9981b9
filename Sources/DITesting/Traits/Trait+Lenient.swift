#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

extension Trait where Self == CaseTrait {
  /// Allows calls without a stubbed result, and stubbed results without a call.
  ///
  /// A call without a stubbed result is no issue then: it returns nil or an empty value, or else
  /// throws, or else traps.
  public static var lenient: Self { .setting { $0.hasLenientDoubles = true } }
}

/// Runs an operation with lenient doubles; see the `.lenient` trait.
///
/// - Parameter operation: The operation to run; doubles that it makes or calls are lenient.
/// - Returns: The operation's result.
@discardableResult
public func withLenientDoubles<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, operation: () throws -> Result
) rethrows -> Result {
  try opener(CodeLocation(fileID, filePath, line, column)).run(operation)
}

/// Runs an async operation with lenient doubles.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withLenientDoubles<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, operation: () async throws -> Result
) async rethrows -> Result {
  try await opener(CodeLocation(fileID, filePath, line, column)).run(operation)
}

private func opener(_ location: CodeLocation) -> ScopeOpener {
  var policy = FramePolicy()
  policy.hasLenientDoubles = true
  return ScopeOpener(
    .plain, caches: .none, policy: policy, name: "withLenientDoubles", location: location)
}
#endif
