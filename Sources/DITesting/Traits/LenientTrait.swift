#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that allows calls without a stubbed result, and stubbed results without a call.
public struct LenientTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether the trait applies to the tests of a suite, which it always does.
  public var isRecursive: Bool { true }

  /// Runs the test case with lenient doubles.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let opener = ScopeOpener(policy: FramePolicy(), test: test)
    LenientDoubles.mark(opener.frame)
    try await opener.run { try await function() }
  }
}

extension Trait where Self == LenientTrait {
  /// Allows calls without a stubbed result, and stubbed results without a call.
  ///
  /// A call without a stubbed result is no issue then: it returns nil or an empty value, or else
  /// throws, or else traps.
  public static var lenient: Self { LenientTrait() }
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
  try opener(CodeLocation(fileID, filePath, line, column))
    .run(operation)
}

/// Runs an async operation with lenient doubles.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withLenientDoubles<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, operation: () async throws -> Result
) async rethrows -> Result {
  try await opener(CodeLocation(fileID, filePath, line, column))
    .run(operation)
}

private func opener(_ location: CodeLocation) -> ScopeOpener {
  let opener = ScopeOpener(
    .plain, caches: .none, policy: FramePolicy(), name: "withLenientDoubles", location: location)
  LenientDoubles.mark(opener.frame)
  return opener
}
#endif
