import DIContainer
@testable import DITesting
import Foundation

/// Collects what a scope reports.
final class Issues: Sendable {
  private let issues = Lock<[DiagnosticIssue]>([])

  var all: [DiagnosticIssue] { issues.withLock { $0 } }
  var handler: IssueHandler { { issue in self.issues.withLock { $0.append(issue) } } }
}

extension DiagnosticIssue {
  /// The first line of the text.
  var headline: String { String(text.prefix { $0 != "\n" }) }
}

/// What a scope reports in which a body runs, its end included.
func findings(
  in kind: FrameKind = .sandbox, policy: FramePolicy? = nil, recorded: Bool = false,
  _ body: () throws -> Void
) rethrows -> [DiagnosticIssue] {
  let issues = Issues()
  try opener(kind, policy, recorded, issues).run(body)
  return issues.all
}

/// What a scope reports in which a body runs that waits.
nonisolated(nonsending) func findingsLater(
  in kind: FrameKind = .sandbox, policy: FramePolicy? = nil, recorded: Bool = false,
  _ body: () async throws -> Void
) async rethrows -> [DiagnosticIssue] {
  let issues = Issues()
  try await opener(kind, policy, recorded, issues).run(body)
  return issues.all
}

private func opener(
  _ kind: FrameKind, _ policy: FramePolicy?, _ recorded: Bool, _ issues: Issues
) -> ScopeOpener {
  ScopeOpener(
    kind, recorder: recorded ? ResolutionRecorder() : nil, policy: policy, name: "checkout",
    location: CodeLocation(), report: issues.handler)
}

/// Writes to standard error, for tests of processes that end.
func writeError(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}
