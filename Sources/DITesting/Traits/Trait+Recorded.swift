#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

extension Trait where Self == CaseTrait {
  /// Records the registrations and requests of each test case; see `ResolutionRecorder`.
  ///
  /// `ResolutionRecorder.current` is the recorder that expectations use. When the test fails, the
  /// tree of resolved services is attached to it.
  public static var recorded: Self {
    CaseTrait { test, testCase in
      let recorder = ResolutionRecorder()
      let failed = Atomic()
      let watch = IssueHandlingTrait.compactMapIssues { TestFailures.passOn($0, failed) }
      let attached = Atomic()
      @Sendable func attach() {
        guard recorder.events.contains(where: \.isRequest), attached.increment() == 0
        else { return }
        Attachment.record(
          recorder.tree, named: "resolutions.txt", sourceLocation: test.sourceLocation)
      }
      do {
        try await watch.provideScope(for: test, testCase: Test.Case.current) {
          try await ScopeOpener(.plain, caches: .none, recorder: recorder, test: test).run {
            try await testCase()
          }
        }
      } catch {
        attach()
        throw error
      }
      if failed.isSet { return attach() }
      // The test may still fail for what the scopes around report at their ends.
      for scope in ContextFrame.current.map({ Array($0.chain) }) ?? [] where scope.opener.isTest {
        scope.whenFailed { attach() }
      }
    }
  }
}

/// The issues that fail a test case.
enum TestFailures {
  /// Records a failure of the test case, and returns its issue; nil for one of work outside tests.
  ///
  /// An issue that work outside all tests reports is passed to every test case that is watched,
  /// besides the run itself. It is no failure of this test case, and the run's own copy is enough.
  static func passOn(_ issue: Issue, _ failed: Atomic) -> Issue? {
    guard Test.current != nil else { return nil }
    if isFailure(issue) { failed.set(true) }
    return issue
  }

  static func isFailure(_ issue: Issue) -> Bool {
    #if compiler(>=6.3)
    issue.isFailure
    #else
    // Swift 6.2 does not distinguish known issues: the tree is attached for them, too.
    true
    #endif
  }
}

/// Runs an operation with an active recorder.
///
/// The recorder covers the operation's task and its child tasks; enclosing recorders record them
/// too.
///
/// - Parameters:
///   - recorder: The recorder.
///   - operation: The operation to record.
/// - Returns: The result of the operation.
/// - Throws: The error that the operation throws.
@discardableResult
public func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  try opener(recorder, CodeLocation(fileID, filePath, line, column)).run(operation)
}

/// Runs an async operation with an active recorder.
///
/// The recorder covers the operation's task and its child tasks; enclosing recorders record them
/// too. An operation written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await opener(recorder, CodeLocation(fileID, filePath, line, column)).run(operation)
}

private func opener(_ recorder: ResolutionRecorder, _ location: CodeLocation) -> ScopeOpener {
  ScopeOpener(
    .plain, caches: .none, recorder: recorder, name: "withRecorder", location: location)
}

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
