#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait with the treatment of test cases that change the process; see
/// ``Sandbox/processChanges``.
public struct ProcessChangesTrait: TestTrait, SuiteTrait, TestScoping {
  let strictness: Strictness

  /// Whether the trait applies to the tests of a suite, which it always does.
  public var isRecursive: Bool { true }

  /// Runs the test case with the policy.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    var policy = FramePolicy()
    policy.processChanges = strictness
    try await ScopeOpener(policy: policy, test: test).run { try await function() }
  }
}

extension Trait where Self == ProcessChangesTrait {
  /// Sets the treatment of a test case that changes the process outside every sandbox.
  ///
  /// For suites that do so deliberately, use `.processChanges(.off)`. A warning is the default.
  ///
  /// - Parameter strictness: The treatment.
  /// - Returns: The trait.
  public static func processChanges(_ strictness: Strictness) -> Self {
    ProcessChangesTrait(strictness: strictness)
  }
}
#endif
