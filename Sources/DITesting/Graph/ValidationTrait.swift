#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that checks the wiring before each test case; see `Resolver.validate`.
public struct ValidationTrait: TestTrait, SuiteTrait, TestScoping {
  let roots: [Any.Type]
  let dryRun: Bool
  /// The warnings of this process, each of which is reported once.
  private static let warnings = Lock<Set<String>>([])

  /// Whether the trait applies to the tests of a suite: each is checked, with the outer traits'
  /// doubles.
  public var isRecursive: Bool { true }

  /// Checks the root container, and runs the test case if the wiring is valid.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    do {
      let report = try Resolver.root.validate(roots: roots, dryRun: dryRun)
      for warning in report.warnings.map(\.description)
      where Self.warnings.withLock({ $0.insert(warning).inserted }) {
        IssueReporter.report(
          DiagnosticIssue(
            text: warning, severity: .warning, location: CodeLocation(test.sourceLocation)))
      }
    } catch {
      IssueReporter.fail("\(error)", at: CodeLocation(test.sourceLocation))
      // Nothing can resolve the doubles of the enclosing traits.
      ContextFrame.current?.chain.forEach { $0.wasNotUsed() }
      return
    }
    try await function()
  }
}

extension Trait where Self == ValidationTrait {
  /// Checks the wiring of the root container before each test case.
  ///
  /// If the wiring is wrong, the test fails with all findings, and its body does not run, because
  /// it would trap. Warnings are reported once each. Put it after traits that register doubles, so
  /// that they are checked too.
  public static var validated: Self { validated() }

  /// Checks the wiring of the root container before each test case, from given roots.
  ///
  /// - Parameters:
  ///   - roots: The types that the program resolves itself.
  ///   - dryRun: Whether to run every factory once, to find the dependencies of closures.
  /// - Returns: The trait.
  public static func validated(
    roots: [Any.Type] = [], dryRun: Bool = false
  ) -> Self {
    ValidationTrait(roots: roots, dryRun: dryRun)
  }
}
#endif
