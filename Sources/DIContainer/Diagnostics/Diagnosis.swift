/// A diagnostic text in three parts: the failure, its circumstances, and how to fix it.
package struct Diagnosis: Sendable {
  package let headline: String
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
