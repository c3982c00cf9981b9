/// What Mermaid's grammar asks of labels.
enum Mermaid {
  static func quoted(_ text: String) -> String {
    let escaped = text.map { character -> String in
      switch character {
      case "\"": "#quot;"
      case "#": "#35;"
      case "\n": " "
      default: String(character)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}

/// What Graphviz's grammar asks of labels.
enum Dot {
  static func quoted(_ text: String) -> String {
    let escaped = text.map { character -> String in
      switch character {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      default: String(character)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
