#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that runs each test case with another container as the root; see `withRoot`.
public struct RootTrait: TestTrait, SuiteTrait, TestScoping {
  let root: @Sendable () -> Resolver

  /// Whether the trait applies to the tests of a suite: always, with a root for each case.
  public var isRecursive: Bool { true }

  /// Evaluates the container and runs the test case with it as the root.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await ScopeOpener(.root, installed: root(), test: test).run { try await function() }
  }
}

extension Trait where Self == RootTrait {
  /// Runs each test case with another container as the root.
  ///
  /// - Parameter root: The container, evaluated anew for every test case.
  /// - Returns: The trait.
  public static func root(_ root: @autoclosure @escaping @Sendable () -> Resolver) -> Self {
    RootTrait(root: root)
  }
}
#endif
