#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that gives each test case empty caches, and changes nothing else.
public struct CacheTrait: TestTrait, SuiteTrait, TestScoping {
  let scopes: [Scope]

  /// Whether the trait applies to the tests of a suite: always, with caches for each case.
  public var isRecursive: Bool { true }

  /// Runs the test case with caches of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let caches: ContextFrame.Caches =
      scopes.isEmpty ? .all : .only(scopes.map { ObjectIdentifier($0.keeping) })
    try await ScopeOpener(.plain, caches: caches, test: test).run { try await function() }
  }
}

extension Trait where Self == CacheTrait {
  /// Gives each test case empty caches of all scopes.
  ///
  /// Nothing global is reset: instances that are kept outside are used again afterwards.
  public static var resetCaches: Self { CacheTrait(scopes: []) }

  /// Gives each test case empty caches of some scopes.
  ///
  /// - Parameter scopes: The scopes.
  /// - Returns: The trait.
  public static func resetCaches(_ scopes: Scope...) -> Self { CacheTrait(scopes: scopes) }
}
#endif
