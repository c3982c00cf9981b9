/// A report for a running test.
package struct DiagnosticIssue: Sendable, Hashable {
  package enum Severity: Sendable, Hashable { case warning, error }

  package let text: String
  package let severity: Severity
  package let location: CodeLocation

  package init(text: String, severity: Severity, location: CodeLocation) {
    self.text = text
    self.severity = severity
    self.location = location
  }
}

/// A handler that receives issues.
///
/// The kernel depends on no test framework: the testing module binds this.
package typealias IssueHandler = @Sendable (DiagnosticIssue) -> Void

extension ContextFrame {
  /// Reports an issue to the test that the current scope belongs to; without one, does nothing.
  static func report(_ issue: DiagnosticIssue) {
    guard let frame = current else { return }
    frame.report(issue)
  }

  package func report(_ issue: DiagnosticIssue) {
    chain.first { $0.owner.report != nil }?.owner.report?(issue)
  }
}
