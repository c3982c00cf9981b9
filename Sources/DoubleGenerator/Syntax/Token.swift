/// A lexical element of a declaration, with the identifier of the symbol that it names.
struct Token {
  var text: String
  var id: String?
  /// Whether this is the name of what is declared, or of a parameter.
  var isName = false

  /// The tokens of a symbol's declaration.
  static func tokens(of fragments: [SymbolGraph.Fragment]) -> [Token] {
    fragments.flatMap { fragment -> [Token] in
      switch fragment.kind {
      case "identifier", "externalParam", "internalParam":
        [Token(text: fragment.spelling, isName: true)]
      default: lex(fragment.spelling, id: fragment.preciseIdentifier)
      }
    }
  }

  /// The tokens of plain text; words get `id`.
  static func lex(_ text: String, id: String? = nil) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "`", let end = rest.dropFirst().firstIndex(of: "`") {
        // A raw identifier may have spaces.
        tokens.append(Token(text: String(rest[...end]), id: id))
        rest = rest[rest.index(after: end)...]
      } else if first.isWordCharacter {
        let word = rest.prefix(while: \.isWordCharacter)
        tokens.append(Token(text: String(word), id: id))
        rest.removeFirst(word.count)
      } else if let operation = ["->", "...", "=="].first(where: { rest.hasPrefix($0) }) {
        tokens.append(Token(text: operation))
        rest.removeFirst(operation.count)
      } else {
        tokens.append(Token(text: String(first)))
        rest.removeFirst()
      }
    }
    return tokens
  }
}

extension Character {
  var isWordCharacter: Bool {
    isLetter || isNumber || self == "_" || self == "`" || self == "$"
      || unicodeScalars.contains { $0.properties.isEmojiPresentation }
  }
}

/// Reads tokens one after another.
struct TokenReader {
  let tokens: [Token]
  private(set) var position = 0

  init(_ tokens: [Token]) { self.tokens = tokens }

  var current: Token? { position < tokens.count ? tokens[position] : nil }
  func isNext(_ text: String) -> Bool { current?.text == text }
  func peek(_ distance: Int) -> Token? {
    position + distance < tokens.count ? tokens[position + distance] : nil
  }

  mutating func take() throws(ParseError) -> Token {
    guard let token = current else { throw error("ends too early") }
    position += 1
    return token
  }
  /// Skips some tokens.
  mutating func skip(_ count: Int) { position += count }
  mutating func take(if text: String) -> Bool {
    guard isNext(text) else { return false }
    position += 1
    return true
  }
  mutating func expect(_ text: String) throws(ParseError) {
    guard take(if: text) else {
      throw error("has `\(current?.text ?? "its end")` where `\(text)` was expected")
    }
  }
  func error(_ what: String) -> ParseError {
    ParseError(description: "`\(tokens.map(\.text).joined(separator: " "))` \(what)")
  }
}

/// A declaration that the generator cannot read.
struct ParseError: Error, CustomStringConvertible {
  var description: String
}
