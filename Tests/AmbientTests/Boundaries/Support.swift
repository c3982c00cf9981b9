@testable import DITesting
import Testing
import XCTest

/// What a sandbox reports in which a body runs.
func findings(
  policy: FramePolicy? = nil, _ body: () throws -> Void
) rethrows -> [DiagnosticIssue] {
  let issues = Lock<[DiagnosticIssue]>([])
  try opener(policy, issues).run(body)
  return issues.withLock { $0 }
}

/// What a sandbox reports in which a body runs that waits.
nonisolated(nonsending) func findingsLater(
  policy: FramePolicy? = nil, _ body: () async throws -> Void
) async rethrows -> [DiagnosticIssue] {
  let issues = Lock<[DiagnosticIssue]>([])
  try await opener(policy, issues).run(body)
  return issues.withLock { $0 }
}

private func opener(_ policy: FramePolicy?, _ issues: Lock<[DiagnosticIssue]>) -> ScopeOpener {
  ScopeOpener(.sandbox, policy: policy, name: "checkout", location: CodeLocation()) { issue in
    issues.withLock { $0.append(issue) }
  }
}

extension DiagnosticIssue {
  /// The first line of the text.
  var headline: String { String(text.prefix { $0 != "\n" }) }
}

/// Expects an operation to report one issue: exactly this text, at this line of the caller's file.
func expectIssue(
  _ text: String, atLine line: UInt, sourceLocation: SourceLocation = #_sourceLocation,
  from operation: () -> Void
) {
  withKnownIssue(sourceLocation: sourceLocation) {
    operation()
  } matching: {
    $0.comments.map(\.rawValue) == [text] && $0.sourceLocation?.line == Int(line)
      && $0.sourceLocation?.fileID == sourceLocation.fileID
  }
}

#if os(Linux)
/// A test case that expects failures with exactly these texts, at these lines of its file.
class RefusingTestCase: SandboxTestCase {
  private let failures = Lock<[String]>([])
  private let isOver = Atomic()
  var expected: [String] = []

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if isOver.isSet {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    } else {
      failures.withLock { $0.append("\(lineNumber): \(description)") }
    }
  }

  override func invokeTest() {
    super.invokeTest()
    isOver.set(true)
    XCTAssertEqual(failures.withLock { $0 }, expected)
  }
}
#endif
