extension StringProtocol {
  /// The text without white space at either end.
  var trimmed: SubSequence {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? endIndex
    return self[start..<end]
  }

  /// Whether every scalar leaves a mark: no space, no control, no invisible formatting.
  var isVisible: Bool {
    unicodeScalars.allSatisfy { scalar in
      !scalar.isInvisible && scalar.properties.generalCategory != .spaceSeparator
    }
  }

  /// The text in quotes, shortened, and with everything invisible escaped.
  ///
  /// What a user typed goes to the terminal only like this, so it cannot move the cursor there.
  var quoted: String {
    let limit = 60
    var result = "\""
    for scalar in unicodeScalars.prefix(limit) {
      if scalar.isInvisible {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + (unicodeScalars.dropFirst(limit).isEmpty ? "\"" : "…\"")
  }
}

extension Unicode.Scalar {
  /// Whether the scalar controls or formats, rather than shows, text.
  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
