/// The quoting of labels in Mermaid.
enum Mermaid {
  static func quoted(_ text: String) -> String {
    quote(text, escapes: ["\"": "#quot;", "#": "#35;", "\n": " "])
  }
}

/// The quoting of labels in Graphviz.
enum Dot {
  static func quoted(_ text: String) -> String {
    quote(text, escapes: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n"])
  }
}

private func quote(_ text: String, escapes: [Character: String]) -> String {
  "\"" + text.map { escapes[$0] ?? String($0) }.joined() + "\""
}
