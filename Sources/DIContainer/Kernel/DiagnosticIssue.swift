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
