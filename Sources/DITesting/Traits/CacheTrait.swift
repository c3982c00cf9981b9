#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// Gives each test case empty caches, and leaves everything else as it is.
public struct CacheTrait: TestTrait, SuiteTrait, TestScoping {
  private let scopes: [Scope]

  init(_ scopes: [Scope]) {
    self.scopes = scopes
  }

  /// Every test case of a suite gets its own.
  public var isRecursive: Bool { true }

  /// Runs the test case with caches of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let caches: ContextFrame.Caches =
      scopes.isEmpty ? .all : .only(scopes.map { ObjectIdentifier($0.keeping) })
    try await ScopeOpener(.caches, caches: caches, test: test).run { try await function() }
  }
}

extension Trait where Self == CacheTrait {
  /// Gives each test case empty caches of all scopes.
  ///
  /// Nothing global is reset: what is kept outside is there again afterwards.
  public static var resetCaches: Self { CacheTrait([]) }

  /// Gives each test case empty caches of some scopes.
  public static func resetCaches(_ scopes: Scope...) -> Self { CacheTrait(scopes) }
}
#endif
