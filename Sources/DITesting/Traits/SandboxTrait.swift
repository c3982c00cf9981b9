#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

// Every trait opens a scope around each test case, also where it stands on a suite: so nothing is
// shared between cases, and nothing is global. Traits inside inherit from those outside; what they
// register wins. Their closures run afresh for every case.

/// Runs each test case in a sandbox of its own; see `withSandbox`.
public struct SandboxTrait: TestTrait, SuiteTrait, TestScoping {
  /// Registers doubles; it may be async, throw, and be isolated to an actor.
  public typealias Configuration = @Sendable @isolated(any) (Resolver) async throws -> Void

  private let configure: Configuration?

  init(_ configure: Configuration?) {
    self.configure = configure
  }

  /// Every test case of a suite gets its own.
  public var isRecursive: Bool { true }

  /// Opens the sandbox, registers its doubles and runs the test case.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await ScopeOpener(.sandbox, test: test).run {
      try await configure?(Resolver.root)
      try await function()
    }
  }
}

extension Trait where Self == SandboxTrait {
  /// Runs each test case in a sandbox of its own.
  ///
  /// Whatever a test does to any container is seen by that test case alone, caches start empty,
  /// and tests may run in parallel. No other change to the tests is needed.
  public static var sandbox: Self { SandboxTrait(nil) }

  /// Runs each test case in a sandbox of its own, with doubles.
  ///
  /// - Parameter configure: Gets the sandbox's view of the root, for every test case anew. What
  ///   the test registers later wins over it.
  public static func sandbox(_ configure: @escaping SandboxTrait.Configuration) -> Self {
    SandboxTrait(configure)
  }
}

extension ScopeOpener {
  /// A scope that a trait opens around a test case.
  init(
    _ kind: ContextFrame.Kind, installed: Resolver? = nil, caches: ContextFrame.Caches = .all,
    recorder: ResolutionRecorder? = nil, test: Test
  ) {
    self.init(
      kind, installed: installed, caches: caches, recorder: recorder,
      name: test.displayName ?? test.name, location: CodeLocation(test.sourceLocation))
  }
}
#endif
