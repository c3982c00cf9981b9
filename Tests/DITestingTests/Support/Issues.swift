import DIContainer
import Foundation

/// Collects what a scope reports.
final class Issues: Sendable {
  private let issues = Lock<[DiagnosticIssue]>([])

  var all: [DiagnosticIssue] { issues.withLock { $0 } }
  var handler: IssueHandler { { issue in self.issues.withLock { $0.append(issue) } } }
}

/// Writes to standard error, for tests of processes that end.
func writeError(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}
