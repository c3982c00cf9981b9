#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// Records what each test case registers and resolves; see `ResolutionRecorder`.
public struct RecordingTrait: TestTrait, SuiteTrait, TestScoping {
  /// Every test case of a suite gets its own recorder.
  public var isRecursive: Bool { true }

  /// Runs the test case with a recorder, whose tree is attached to the test if it fails.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let recorder = ResolutionRecorder()
    let failed = Atomic()
    let watch = IssueHandlingTrait.compactMapIssues { Self.passOn($0, failed) }
    func attach() {
      guard failed.isSet, recorder.events.contains(where: \.isRequest) else { return }
      Attachment.record(
        recorder.tree, named: "resolutions.txt", sourceLocation: test.sourceLocation)
    }
    do {
      try await ScopeOpener(.recorder, caches: .none, recorder: recorder, test: test).run {
        try await watch.provideScope(for: test, testCase: testCase) { try await function() }
      }
    } catch {
      failed.set(true)
      attach()
      throw error
    }
    attach()
  }

  /// Notes a failure of the test case, and passes its issue on.
  ///
  /// What work outside all tests reports comes to every test case that is watched, beside the run
  /// itself: it is nobody's failure here, and the run's own copy of it is enough.
  static func passOn(_ issue: Issue, _ failed: Atomic) -> Issue? {
    guard Test.current != nil else { return nil }
    if isFailure(issue) { failed.set(true) }
    return issue
  }

  static func isFailure(_ issue: Issue) -> Bool {
    #if compiler(>=6.3)
    issue.isFailure
    #else
    !issue.isKnown
    #endif
  }
}

extension Trait where Self == RecordingTrait {
  /// Records what each test case registers and resolves.
  ///
  /// `ResolutionRecorder.current` is the recorder; the expectations look at it. When the test
  /// fails, the tree of what was resolved is attached to it.
  public static var recorded: Self { RecordingTrait() }
}
#endif
