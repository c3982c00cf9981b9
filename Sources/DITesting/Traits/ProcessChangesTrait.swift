#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// Says what happens when a test case changes the process; see ``Sandbox/processChanges``.
public struct ProcessChangesTrait: TestTrait, SuiteTrait, TestScoping {
  private let strictness: Strictness

  init(_ strictness: Strictness) {
    self.strictness = strictness
  }

  /// It holds for every test case of a suite.
  public var isRecursive: Bool { true }

  /// Runs the test case with the policy.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    var policy = ScopePolicy()
    policy.processChanges = strictness.treatment
    try await ScopeOpener(policy: policy, test: test).run { try await function() }
  }
}

extension Trait where Self == ProcessChangesTrait {
  /// Says what happens when a test case changes the process, with no sandbox around it.
  ///
  /// For suites that mean it: `.processChanges(.off)`. A warning is the default.
  ///
  /// - Parameter strictness: What happens.
  /// - Returns: The trait.
  public static func processChanges(_ strictness: Strictness) -> Self {
    ProcessChangesTrait(strictness)
  }
}
#endif
