#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

// Every trait opens a scope around each test case, even if it is on a suite, so that nothing is
// shared between cases, and nothing is global. Inner traits inherit from outer ones, and their
// registrations take precedence. Their closures run anew for every case.

/// A trait that runs each test case in a scope of its own.
public struct CaseTrait: TestTrait, SuiteTrait, TestScoping {
  /// A closure that registers doubles; it may be async, throw, and be isolated to an actor.
  public typealias Configuration = @Sendable @isolated(any) (Resolver) async throws -> Void

  private let run:
    @Sendable (_ test: Test, _ testCase: @Sendable () async throws -> Void) async throws -> Void
  /// Whether the scope holds doubles, or names services: what no test of a suite resolved is
  /// reported when the suite is over.
  private let holdsDoubles: Bool
  private let prepare: @Sendable (Test) -> Void

  /// Creates a trait from a closure that opens the scope and runs the test case in it.
  init(
    holdingDoubles holdsDoubles: Bool = false,
    preparing prepare: @escaping @Sendable (Test) -> Void = { _ in },
    _ run:
      @escaping @Sendable (
        _ test: Test, _ testCase: @Sendable () async throws -> Void
      ) async throws -> Void
  ) {
    (self.holdsDoubles, self.prepare, self.run) = (holdsDoubles, prepare, run)
  }

  /// Notes a test or a suite that has the trait, before any test runs.
  public func prepare(for test: Test) async throws { prepare(test) }

  /// Whether the trait applies to the tests of a suite: always, with a scope for each case.
  public var isRecursive: Bool { true }

  /// Returns the trait for a test case, and for suites and tests what reports unused doubles.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    if testCase != nil { return self }
    return holdsDoubles ? CaseTrait { _, tests in try await SharedSetUp.collect(tests) } : nil
  }

  /// Opens the scope and runs the test case in it.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await run(test, function)
  }
}

extension CaseTrait {
  /// Returns a trait that only sets policies for the test case.
  ///
  /// `inOuterScopes`: whether they apply to the scopes of the test case around this one, too.
  static func setting(
    inOuterScopes: Bool = false, _ set: @escaping @Sendable (inout FramePolicy) -> Void
  ) -> CaseTrait {
    CaseTrait(holdingDoubles: true) { test, testCase in
      var policy = FramePolicy()
      set(&policy)
      let opener = ScopeOpener(policy: policy, test: test)
      if inOuterScopes { opener.frame.applyPolicyOutside() }
      try await opener.runCase { try await testCase() }
    }
  }
}

extension ContextFrame {
  /// Applies its policies to the scopes of the test case that are open around it, too: traits may
  /// have any order.
  func applyPolicyOutside() {
    for outer in chain.dropFirst()
    where outer.opener.isTest && outer.opener.name == opener.name {
      outer.withNotes { $0.strictPolicies = testPolicies }
    }
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
