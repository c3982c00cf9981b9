import Foundation

/// Lays declarations out in lines of at most 100 characters, as swift-format does.
enum Layout {
  static let width = 100

  /// A declaration of a stub; `head` ends before the generic arguments, as in `let charge = Stub`.
  static func stub(_ head: String, _ arguments: [String], tail: String) -> [String] {
    let type = "\(head)<\(arguments.joined(separator: ", "))>"
    if fits(type + "(\(tail))") { return [type + "(\(tail))"] }
    if fits(type + "(") { return [type + "(", "  \(tail))"] }
    let lines = filled(arguments, indent: "  ")
    guard !lines.allSatisfy(fits), let tuple = arguments.first, tuple.hasPrefix("("),
      tuple.hasSuffix(")")
    else { return [head + "<"] + lines + [">(\(tail))"] }
    let elements = split(String(tuple.dropFirst().dropLast()))
    return [head + "<", "  ("] + filled(elements, indent: "    ")
      + ["  ), " + arguments.dropFirst().joined(separator: ", "), ">(\(tail))"]
  }

  /// The elements of a tuple.
  private static func split(_ text: String) -> [String] {
    var elements = [""]
    var depth = 0
    for character in text {
      if "([<".contains(character) { depth += 1 }
      if ")]>".contains(character) && !elements[elements.count - 1].hasSuffix("-") { depth -= 1 }
      if character == ",", depth == 0 {
        elements.append("")
      } else if character != " " || !elements[elements.count - 1].isEmpty {
        elements[elements.count - 1].append(character)
      }
    }
    return elements
  }

  /// A statement, with the argument of its last call in a line of its own if it is long.
  private static func statement(_ text: String) -> [String] {
    guard !fits("  " + text), let open = text.range(of: ".call(("), text.hasSuffix("))") else {
      return [text]
    }
    let head = text[..<text.index(before: open.upperBound)]
    let argument = text[text.index(before: open.upperBound)...]
    if fits("    " + argument) { return [String(head), "  \(argument)"] }
    let elements = split(String(argument.dropFirst().dropLast(2)))
    return [String(head), "  ("] + filled(elements, indent: "    ") + ["  ))"]
  }

  /// A function with its body.
  static func function(
    head: String, parameters: [String], tail: String, conditions: [String], body: [String]
  ) -> [String] {
    let condition = condition(conditions)
    let line = "\(head)(\(parameters.joined(separator: ", ")))\(tail)"
    if body.count == 1, fits("\(line)\(condition) { \(body[0]) }") {
      return ["\(line)\(condition) { \(body[0]) }"]
    }
    if fits("\(line)\(condition) {") {
      return ["\(line)\(condition) {"] + body.flatMap(statement).map { "  " + $0 } + ["}"]
    }
    var lines: [String]
    if fits(line) {
      lines = [line]
    } else if parameters.isEmpty {
      lines = ["\(head)()\(tail)"]
    } else {
      lines = ["\(head)("] + filled(parameters, indent: "  ") + [")\(tail)"]
    }
    if conditions.isEmpty, fits(lines[lines.count - 1] + " {") {
      lines[lines.count - 1] += " {"
    } else if conditions.isEmpty {
      lines.append("{")
    } else if fits(lines[lines.count - 1] + condition + " {"), lines.count > 1 {
      lines[lines.count - 1] += condition + " {"
    } else {
      lines += clause(conditions)
    }
    return lines + body.flatMap(statement).map { "  " + $0 } + ["}"]
  }

  /// A `where` clause at the end of a line.
  static func condition(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : " where \(conditions.joined(separator: ", "))"
  }

  /// A `where` clause in lines of its own, with the brace after it.
  static func clause(_ conditions: [String]) -> [String] {
    let line = "where \(conditions.joined(separator: ", ")) {"
    if fits(line) { return [line] }
    var lines = ["where"] + filled(conditions, indent: "  ")
    lines[lines.count - 1] += " {"
    return lines
  }

  /// A declaration with one statement.
  static func block(_ head: String, body: String) -> [String] {
    fits("\(head) { \(body) }") ? ["\(head) { \(body) }"] : ["\(head) {", "  \(body)", "}"]
  }

  /// Items with commas, as many in a line as there is room for.
  private static func filled(_ items: [String], indent: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for (index, item) in items.enumerated() {
      let text = item + (index < items.count - 1 ? "," : "")
      if line.isEmpty {
        line = indent + text
      } else if fits(line + " " + text) {
        line += " " + text
      } else {
        lines.append(line)
        line = indent + text
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Whether a line of a member fits, two spaces in.
  static func fits(_ line: String) -> Bool { line.count + 2 <= width }

  /// A comment in lines of its own.
  static func comment(_ text: String) -> [String] {
    var lines: [String] = []
    var line = "//"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count + 2 > width {
        lines.append(line)
        line = "//"
      }
      line += " " + word
    }
    return lines + [line]
  }
}
