#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

/// The type of the trait `.sandbox`, to extend with suites' own: a ``CaseTrait``.
public typealias SandboxTrait = CaseTrait

extension Trait where Self == CaseTrait {
  /// Runs each test case in a sandbox of its own; see `withSandbox`.
  ///
  /// All changes that a test makes to any container are visible in that test case only, caches
  /// start empty, and tests may run in parallel. No other change to the tests is needed.
  public static var sandbox: Self { inSandbox { _ in } }

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
    _ configure: @escaping CaseTrait.Configuration = { _ in }
  ) -> Self {
    var policy = FramePolicy()
    policy.unscopedWork = unscoped
    policy.lateWork = lateWork
    policy.unusedDoubles = unusedDoubles
    return inSandbox(policy, configure)
  }

  private static func inSandbox(
    _ policy: FramePolicy? = nil, _ configure: @escaping CaseTrait.Configuration
  ) -> Self {
    CaseTrait(holdingDoubles: true) { test, testCase in
      try await ScopeOpener(.sandbox, policy: policy, test: test).runCase {
        try await registeringDoubles { try await configure(Resolver.root) }
        try await testCase()
      }
    }
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
  public static func container(_ configure: @escaping CaseTrait.Configuration) -> Self {
    sandbox(configure)
  }

  /// Sets the treatment of a test case that changes the process outside every sandbox; see
  /// ``Sandbox/processChanges``.
  ///
  /// For suites that do so deliberately, use `.processChanges(.off)`. A warning is the default.
  ///
  /// - Parameter strictness: The treatment.
  /// - Returns: The trait.
  public static func processChanges(_ strictness: Strictness) -> Self {
    .setting { $0.processChanges = strictness }
  }
}
#endif
