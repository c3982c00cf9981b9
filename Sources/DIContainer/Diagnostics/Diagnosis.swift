/// A diagnostic text in three parts: the failure, its circumstances, and how to fix it.
package struct Diagnosis: Sendable {
  var headline: String
  /// Labels and values, shown as an indented block.
  var facts: [(String, String)]
  var fixes: [String]

  package init(headline: String, facts: [(String, String)] = [], fixes: [String] = []) {
    self.headline = headline
    self.facts = facts
    self.fixes = fixes
  }

  package var text: String {
    var parts = [headline]
    if !facts.isEmpty {
      let width = facts.map(\.0.count).max()! + 2
      parts.append(
        facts.map { label, value in
          "  " + label + String(repeating: " ", count: width - label.count) + value
        }.joined(separator: "\n"))
    }
    if !fixes.isEmpty {
      parts.append((["To fix this:"] + fixes.map { "  - \($0)" }).joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }
}

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
