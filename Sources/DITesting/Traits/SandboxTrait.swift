#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

// Every trait opens a scope around each test case, even if it is on a suite, so that nothing is
// shared between cases, and nothing is global. Inner traits inherit from outer ones, and their
// registrations take precedence. Their closures run anew for every case.

/// A trait that runs each test case in a sandbox of its own; see `withSandbox`.
public struct SandboxTrait: TestTrait, SuiteTrait, TestScoping {
  /// A closure that registers doubles; it may be async, throw, and be isolated to an actor.
  public typealias Configuration = @Sendable @isolated(any) (Resolver) async throws -> Void

  private let configure: Configuration?
  private let policy: FramePolicy?
  /// Whether it runs a suite or a test, rather than one of its cases.
  private var isAroundCases = false

  init(_ configure: Configuration?, _ policy: FramePolicy? = nil) {
    self.configure = configure
    self.policy = policy
  }

  /// Whether the trait applies to the tests of a suite: always, with a sandbox for each case.
  public var isRecursive: Bool { true }

  /// Runs each test case in a sandbox, and reports unused doubles when the suite is over.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    var provider = self
    provider.isAroundCases = testCase == nil
    return provider
  }

  /// Opens the sandbox, registers its doubles and runs the test case.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if isAroundCases { return try await SharedSetUp.collect { try await function() } }
    try await ScopeOpener(.sandbox, policy: policy, test: test).runCase {
      try await registeringDoubles { try await configure?(Resolver.root) }
      try await function()
    }
  }
}

extension Trait where Self == SandboxTrait {
  /// Runs each test case in a sandbox of its own.
  ///
  /// All changes that a test makes to any container are visible in that test case only, caches
  /// start empty, and tests may run in parallel. No other change to the tests is needed.
  public static var sandbox: Self { SandboxTrait(nil) }

  /// Runs each test case in a sandbox of its own, with doubles, and with options for what escapes
  /// it.
  ///
  /// - Parameters:
  ///   - unscoped: The treatment of requests that belong to no test while the sandbox is open.
  ///   - lateWork: The treatment of work that outlives the test and resolves; a warning by default.
  ///   - unusedDoubles: The treatment of doubles that are never resolved; a warning by default, and
  ///     a failure in a strict test.
  ///   - configure: Receives the sandbox's view of the root, anew for every test case. Later
  ///     registrations of the test take precedence.
  /// - Returns: The trait.
  public static func sandbox(
    unscoped: UnscopedPolicy? = nil, lateWork: Strictness? = nil, unusedDoubles: Strictness? = nil,
    _ configure: @escaping SandboxTrait.Configuration = { _ in }
  ) -> Self {
    var policy = FramePolicy()
    policy.unscopedWork = unscoped
    policy.lateWork = lateWork
    policy.unusedDoubles = unusedDoubles
    return SandboxTrait(configure, policy)
  }

  /// Runs each test case in a sandbox; an alias for `.sandbox`, named as in FactoryTesting.
  ///
  /// FactoryTesting's trait applies to one container, and starts with an empty one on a test inside
  /// a suite that has it too. This one covers all containers, and inherits the registrations of the
  /// suite's closure.
  public static var container: Self { sandbox }

  /// Runs each test case in a sandbox with doubles; an alias for `.sandbox { … }`.
  ///
  /// - Parameter configure: Receives the sandbox's view of the root, anew for every test case.
  /// - Returns: The trait.
  public static func container(_ configure: @escaping SandboxTrait.Configuration) -> Self {
    sandbox(configure)
  }
}

extension ScopeOpener {
  /// Creates a scope that a trait opens around a test case.
  init(
    _ kind: FrameKind, installed: Resolver? = nil, caches: ContextFrame.Caches = .all,
    recorder: ResolutionRecorder? = nil, policy: FramePolicy? = nil, test: Test
  ) {
    self.init(
      kind, installed: installed, caches: caches, recorder: recorder, policy: policy,
      name: test.displayName ?? test.name, isTest: true,
      location: CodeLocation(test.sourceLocation))
  }

  /// Creates a scope that only sets policies for the test case.
  init(policy: FramePolicy, test: Test) {
    self.init(.plain, caches: .none, policy: policy, test: test)
  }

  /// Runs a test case, and does not report unused doubles if an error ends it, since they might
  /// have been used later.
  nonisolated(nonsending) func runCase(_ operation: () async throws -> Void) async throws {
    try await run {
      do {
        try await operation()
      } catch {
        frame.wasCutShort()
        throw error
      }
    }
  }
}
#endif
