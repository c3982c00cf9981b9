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
  private let options: Options
  private let level = TraitLevel()
  /// Whether it runs a suite or a test, rather than one of its cases.
  private var isAroundCases = false

  struct Options: Sendable {
    var drain: Duration?
    var unscoped: UnscopedPolicy?
    var lateWork: Strictness?
    var checksLeaks = false
    var unusedDoubles: Strictness?
  }

  init(_ configure: Configuration?, _ options: Options = Options()) {
    self.configure = configure
    self.options = options
  }

  /// Every test case of a suite gets its own.
  public var isRecursive: Bool { true }

  /// Notes whether the trait stands on a suite: its doubles may go unused in single tests.
  public func prepare(for test: Test) async throws {
    level.note(test)
  }

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
    if isAroundCases { return try await SuiteFindings.collect { try await function() } }
    var opener = ScopeOpener(.sandbox, policy: policy, test: test)
    opener.drain = options.drain
    try await opener.runCase {
      try await registeringDoubles(isPreset: level.isSuite) {
        try await configure?(Resolver.root)
      }
      try await function()
    }
  }

  private var policy: ScopePolicy? {
    guard
      options.unscoped != nil || options.lateWork != nil || options.checksLeaks
        || options.unusedDoubles != nil
    else { return nil }
    var policy = ScopePolicy()
    policy.unscopedWork = options.unscoped?.unscopedWork
    policy.lateWork = options.lateWork?.treatment
    policy.unusedDoubles = options.unusedDoubles?.treatment
    if options.checksLeaks { policy.leakWatch = InstanceLog() }
    return policy
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
  ///   the test registers later wins.
  /// - Returns: The trait.
  public static func sandbox(_ configure: @escaping SandboxTrait.Configuration) -> Self {
    SandboxTrait(configure)
  }

  /// Runs each test case in a sandbox of its own, with a say in what escapes it.
  ///
  /// - Parameters:
  ///   - drain: How long the end waits for carried contexts to finish; nil does not wait.
  ///   - unscoped: What happens to requests that belong to no test while the sandbox is open.
  ///   - lateWork: What happens when work that outlived the test resolves; a warning unless set.
  ///   - checksLeaks: Whether doubles and kept instances that outlive the sandbox are reported.
  ///   - unusedDoubles: What happens when a double is never resolved; a warning unless set, and in
  ///     a strict test a failure.
  ///   - configure: Gets the sandbox's view of the root, for every test case anew.
  /// - Returns: The trait.
  public static func sandbox(
    drain: Duration? = nil, unscoped: UnscopedPolicy? = nil, lateWork: Strictness? = nil,
    checksLeaks: Bool = false, unusedDoubles: Strictness? = nil,
    _ configure: @escaping SandboxTrait.Configuration = { _ in }
  ) -> Self {
    SandboxTrait(
      configure,
      SandboxTrait.Options(
        drain: drain, unscoped: unscoped, lateWork: lateWork, checksLeaks: checksLeaks,
        unusedDoubles: unusedDoubles))
  }

  /// The same as `.sandbox`, by FactoryTesting's name.
  ///
  /// There it is for one container and starts afresh on a test inside a suite that has it too; here
  /// it covers all containers, and inherits what the suite's closure registered.
  public static var container: Self { sandbox }

  /// The same as `.sandbox { … }`, by FactoryTesting's name.
  ///
  /// - Parameter configure: Gets the sandbox's view of the root, for every test case anew.
  /// - Returns: The trait.
  public static func container(_ configure: @escaping SandboxTrait.Configuration) -> Self {
    sandbox(configure)
  }
}

/// Whether a trait was put on a suite; its copies on the suite's tests share the answer.
final class TraitLevel: Sendable {
  private let suite = Atomic()

  var isSuite: Bool { suite.isSet }

  func note(_ test: Test) {
    if test.isSuite { suite.set(true) }
  }
}

extension ScopeOpener {
  /// A scope that a trait opens around a test case.
  init(
    _ kind: ContextFrame.Kind, installed: Resolver? = nil, caches: ContextFrame.Caches = .all,
    recorder: ResolutionRecorder? = nil, policy: ScopePolicy? = nil, test: Test
  ) {
    self.init(
      kind, installed: installed, caches: caches, recorder: recorder, policy: policy,
      name: test.displayName ?? test.name, isTest: true,
      location: CodeLocation(test.sourceLocation))
  }

  /// A scope that only says what is asked of the test case.
  init(policy: ScopePolicy, test: Test) {
    self.init(.policy, caches: .none, policy: policy, test: test)
  }

  /// Runs a test case; where an error ends it, nothing is said about doubles that were not used:
  /// their turn may not have come.
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
