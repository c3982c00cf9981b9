import Foundation

/// A question about a type that the compiler answers better than a graph.
package struct Question: Hashable {
  package enum Kind {
    case isSendable
    /// Whether values can be copied, and outlive the call.
    case canBeKept
    /// Whether a module has a type of this name.
    case isDeclared
  }
  package var kind: Kind
  /// The type, as the double's file spells it.
  package var type: String
  /// The lines that the file imports modules with.
  var imports: [String] = []
  /// Declarations that the type is asked about in, from the outside in.
  var context: [String] = []

  /// The question as source in one line, which has an error if the answer is no.
  func source(number: Int) -> String {
    let name = "Probe\(number)"
    switch kind {
    case .isDeclared: return "private typealias \(name) = \(type)"
    case .isSendable, .canBeKept:
      let call = "\(kind == .isSendable ? "DoublesIsSendable" : "DoublesCanBeKept")((\(type)).self)"
      let lines = context.isEmpty ? ["private func \(name)() {"] : context
      return lines.joined(separator: " ").replacingOccurrences(of: "PROBE", with: name)
        + " \(call) " + String(repeating: "}", count: lines.count { $0.hasSuffix("{") })
    }
  }

  /// Whether an error in the line of the question answers it.
  func isAnswered(by text: String) -> Bool {
    switch kind {
    case .isDeclared: true
    case .isSendable: text.contains("'Sendable'")
    case .canBeKept: text.contains("Copyable") || text.contains("Escapable")
    }
  }
}

/// What the compiler said about types so far, and what it is still to be asked.
///
/// Doubles are written as if all was as it usually is, which asks the questions; with the answers
/// they are written again.
package final class Answers {
  private var known: [Question: Bool] = [:]
  private var open: Set<Question> = []

  /// - Parameter refused: Questions whose answer is no, as in `canBeKept Span<Int>`, where there is
  ///   no compiler.
  package init(refused: Set<String> = []) { self.refused = refused }
  private let refused: Set<String>

  /// Returns the answer, or what is taken for it until it is known.
  func answer(_ question: Question, otherwise guess: Bool) -> Bool {
    if let answer = known[question] { return answer }
    if refused.contains("\(question.kind) \(question.type)") { return false }
    open.insert(question)
    return guess
  }

  /// Asks what is open; returns whether anything was.
  func ask(_ compiler: Compiler) throws -> Bool {
    guard !open.isEmpty else { return false }
    var files: [String: String] = [:]
    var places: [String: [Int: Question]] = [:]
    for (number, (imports, questions)) in Dictionary(grouping: open, by: \.imports).enumerated() {
      let file = "Probes\(number).swift"
      var lines = imports
      for question in questions {
        lines.append(question.source(number: lines.count))
        places[file, default: [:]][lines.count] = question
      }
      files[file] = lines.joined(separator: "\n") + "\n"
    }
    files["Probe.swift"] = """
      func DoublesIsSendable<T: Sendable & ~Copyable>(_: T.Type) {}
      func DoublesCanBeKept<T>(_: T.Type) {}
      """
    for question in open { known[question] = true }
    for diagnostic in try compiler.check(files) where diagnostic.kind == "error" {
      guard let question = places[diagnostic.file]?[diagnostic.line] else { continue }
      // What cannot be asked is not known to be Sendable.
      if question.isAnswered(by: diagnostic.text) || question.kind == .isSendable {
        known[question] = false
      }
    }
    open = []
    return true
  }
}
