#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

extension Trait where Self == CaseTrait {
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
    CaseTrait { test, testCase in
      let location = CodeLocation(test.sourceLocation)
      do {
        let report = try Resolver.root.validate(roots: roots, dryRun: dryRun)
        for warning in report.warnings.map(\.description) where reportedWarnings.isFirst(warning) {
          IssueReporter.report(
            DiagnosticIssue(text: warning, severity: .warning, location: location))
        }
      } catch {
        IssueReporter.fail("\(error)", at: location)
        // Nothing can resolve the doubles of the enclosing traits.
        for frame in ContextFrame.current.map({ Array($0.chain) }) ?? [] where frame.opener.isTest {
          frame.wasCutShort()
        }
        return
      }
      try await testCase()
    }
  }
}

/// The warnings of this process, each of which is reported once.
private let reportedWarnings = ReportedOnce<String>()
#endif
