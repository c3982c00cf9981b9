#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that records the registrations and requests of each test case; see `ResolutionRecorder`.
public struct RecordingTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether the trait applies to the tests of a suite: always, with a recorder for each case.
  public var isRecursive: Bool { true }

  /// Runs the test case with a recorder, whose tree is attached to the test if it fails.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let recorder = ResolutionRecorder()
    let failed = Atomic()
    let watch = IssueHandlingTrait.compactMapIssues { Self.passOn($0, failed) }
    let attached = Atomic()
    @Sendable func attach() {
      guard recorder.events.contains(where: \.isRequest), attached.increment() == 0
      else { return }
      Attachment.record(
        recorder.tree, named: "resolutions.txt", sourceLocation: test.sourceLocation)
    }
    do {
      try await watch.provideScope(for: test, testCase: testCase) {
        try await ScopeOpener(.plain, caches: .none, recorder: recorder, test: test).run {
          try await function()
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

extension Trait where Self == RecordingTrait {
  /// Records the registrations and requests of each test case.
  ///
  /// `ResolutionRecorder.current` is the recorder that expectations use. When the test fails, the
  /// tree of resolved services is attached to it.
  public static var recorded: Self { RecordingTrait() }
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
#endif
