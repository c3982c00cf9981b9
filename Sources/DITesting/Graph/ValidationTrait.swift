#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// Checks the wiring before each test case; see `Resolver.validate`.
public struct ValidationTrait: TestTrait, SuiteTrait, TestScoping {
  private let roots: [Any.Type]
  private let rules: [ValidationRule]
  private let dryRun: Bool

  init(roots: [Any.Type], rules: [ValidationRule], dryRun: Bool) {
    self.roots = roots
    self.rules = rules
    self.dryRun = dryRun
  }

  /// Every test case of a suite is checked, with the doubles of the traits around.
  public var isRecursive: Bool { true }

  /// Checks the root container, and runs the test case if nothing is wrong.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    do {
      try Resolver.root.validate(roots: roots, rules: rules, dryRun: dryRun)
    } catch {
      IssueReporter.fail("\(error)", at: CodeLocation(test.sourceLocation))
      // Nobody could ask for the doubles of the traits around.
      ContextFrame.current?.chain.forEach { $0.wasNotUsed() }
      return
    }
    try await function()
  }
}

extension Trait where Self == ValidationTrait {
  /// Checks the wiring of the root container before each test case.
  ///
  /// Where something is wrong, the test fails with all of it, and its body does not run: it would
  /// trap. Put it after traits that register doubles; they are checked too.
  public static var validated: Self { validated() }

  /// Checks the wiring of the root container before each test case, more closely.
  ///
  /// - Parameters:
  ///   - roots: The types that the program asks for itself.
  ///   - rules: What the project wants of its wiring beside.
  ///   - dryRun: Whether to run every factory once, to see what closures ask for.
  /// - Returns: The trait.
  public static func validated(
    roots: [Any.Type] = [], rules: [ValidationRule] = [], dryRun: Bool = false
  ) -> Self {
    ValidationTrait(roots: roots, rules: rules, dryRun: dryRun)
  }
}
#endif
