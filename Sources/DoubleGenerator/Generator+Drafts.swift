// What is written is compiled before it goes to a file: where that fails, it is written in another
// way, and refused if none is left.

extension Generator {
  /// A double that is not yet in its file.
  struct Draft {
    let symbol: SymbolGraph.Symbol
    var model: ProtocolModel
    var source: DoubleWriter.Source
    /// How it is written, of all ways.
    var attempt = 0
    var manner: Manner { Manner.all[attempt] }

    var file: String { "\(model.doubleName).swift" }
  }

  /// The doubles of some protocols, and those that cannot be doubled.
  func drafts(of chosen: [SymbolGraph.Symbol]) throws -> ([Draft], [Undoubled]) {
    var drafts: [Draft] = []
    var refused: [Undoubled] = []
    var origins: [String: String] = [:]
    for symbol in chosen {
      do throws(Undoubled) {
        let draft = Draft(symbol: symbol, model: try model(of: symbol), source: .init())
        if let other = origins[draft.file] {
          throw Undoubled(
            name: draft.model.name, reason: "its double would be called as that of \(other)",
            line: "final class …Double: \(draft.model.spelledName) { … }")
        }
        origins[draft.file] = origin(draft.model.name)
        drafts.append(draft)
      } catch {
        refused.append(error)
      }
    }
    try write(&drafts)
    guard let compiler else { return (drafts, refused) }

    var done: [Draft] = []
    var failed: [Draft] = []
    // Returns the drafts that the compiler finds nothing wrong with; the others are sorted.
    func sound(_ drafts: [Draft], inFull: Bool) throws -> [Draft] {
      guard !drafts.isEmpty else { return [] }
      let texts = Dictionary(uniqueKeysWithValues: drafts.map { ($0.file, $0.source.text) })
      let found = Self.errors(try compiler.check(texts, inFull: inFull))
      let said = Dictionary(grouping: found, by: \.file)
      // An error without a place is that of a double which has it alone.
      if said[""] != nil, drafts.count > 1 {
        let half = drafts.count / 2
        return try sound(Array(drafts[..<half]), inFull: inFull)
          + sound(Array(drafts[half...]), inFull: inFull)
      }
      return drafts.compactMap { draft in
        var draft = draft
        let (byHand, rest) = Self.split(
          said[draft.file, default: []] + said["", default: []], of: draft)
        guard let error = rest.first else {
          draft.source.byHand += byHand
          return draft
        }
        if draft.attempt + 1 < Manner.all.count {
          draft.attempt += 1
          failed.append(draft)
        } else {
          let lacking = error.lacking.first.map { ": \($0)" } ?? ""
          refused.append(
            draft.model.undoubled("its double would not compile: \(error.text)\(lacking)"))
        }
        return nil
      }
    }
    while !drafts.isEmpty {
      let typed = try sound(drafts, inFull: false)
      // What may be sent where is found only once no type is wrong, and nothing is missing.
      done += typed.filter { !$0.source.byHand.isEmpty }
      done += try sound(typed.filter(\.source.byHand.isEmpty), inFull: true)
      (drafts, failed) = (failed, [])
      try write(&drafts)
    }
    return (done.sorted { $0.file < $1.file }, refused.sorted { $0.name < $1.name })
  }

  /// Writes the doubles, until the compiler is asked nothing new.
  private func write(_ drafts: inout [Draft]) throws {
    let writer = DoubleWriter(symbols: symbols, isPublic: options.isPublic, answers: answers)
    for index in drafts.indices where drafts[index].manner.includesDefaults {
      drafts[index].model = try model(of: drafts[index].symbol, includesDefaults: true)
    }
    repeat {
      for index in drafts.indices {
        drafts[index].source = writer.source(
          of: drafts[index].model, manner: drafts[index].manner)
      }
    } while try compiler.map(answers.ask) ?? false
  }

  /// An error, with its notes on requirements that are not met.
  private struct Found {
    var file: String
    var text: String
    var lacking: [String] = []
    /// The names of the requirements.
    var required: [String] {
      lacking.map { note in
        let words = note.split(separator: "'")
        return words.count > 1 ? String(words[1]) : ""
      }
    }
  }

  private static func errors(_ diagnostics: [Compiler.Diagnostic]) -> [Found] {
    diagnostics.reduce(into: []) { found, diagnostic in
      if diagnostic.kind == "error" {
        // Of several protocols that a double does not conform to, the notes follow the last.
        if let last = found.last, last.file == diagnostic.file, last.lacking.isEmpty,
          [last.text, diagnostic.text].allSatisfy({ $0.contains("does not conform to protocol") })
        {
          found.removeLast()
        }
        found.append(Found(file: diagnostic.file, text: diagnostic.text))
      } else if diagnostic.text.hasPrefix("protocol requires "), !found.isEmpty {
        found[found.count - 1].lacking.append(diagnostic.text)
      }
    }
  }

  /// What of a double is left to be written by hand: what its source says so of, and requirements
  /// that begin with an underscore, of which no graph tells.
  private static func split(
    _ errors: [Found], of draft: Draft
  ) -> (byHand: [String], rest: [Found]) {
    var byHand: [String] = []
    let rest = errors.filter { error in
      let hidden = error.required.filter { $0.hasPrefix("_") }
      guard !error.lacking.isEmpty,
        error.lacking.count - hidden.count <= draft.source.byHand.count
      else { return true }
      byHand += hidden.map {
        "`\(draft.model.name).\($0)`: its name begins with an underscore: "
          + "extension \(draft.model.doubleName) { … }"
      }
      return false
    }
    return (byHand, rest)
  }
}
