/// What Mermaid's grammar asks of labels.
enum Mermaid {
  static func quoted(_ text: String) -> String {
    quote(text, escapes: ["\"": "#quot;", "#": "#35;", "\n": " "])
  }
}

/// What Graphviz's grammar asks of labels.
enum Dot {
  static func quoted(_ text: String) -> String {
    quote(text, escapes: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n"])
  }
}

private func quote(_ text: String, escapes: [Character: String]) -> String {
  "\"" + text.map { escapes[$0] ?? String($0) }.joined() + "\""
}
