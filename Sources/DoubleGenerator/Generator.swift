import Foundation

/// One run of `swift package doubles`: from symbol graphs to files, or to what they lack.
package struct Generator {
  /// The output of a run, and whether it succeeded.
  package struct Outcome: Equatable {
    package var lines: [String] = []
    package var hasFailed = false

    package init(lines: [String] = [], hasFailed: Bool = false) {
      self.lines = lines
      self.hasFailed = hasFailed
    }
  }

  let options: Options
  let symbols: Symbols
  let answers = Answers()
  let compiler: Compiler?

  package init(options: Options) throws {
    let toolkit = try Sources(options.toolkit).declaredTypes
    try self.init(
      options: options, symbols: Symbols(folders: options.graphs, toolkit: toolkit),
      compiler: options.compiler.map {
        Compiler(executable: $0, arguments: options.compilerArguments, toolkit: toolkit)
      })
  }

  package init(options: Options, symbols: Symbols, compiler: Compiler? = nil) {
    self.options = options
    self.symbols = symbols
    self.compiler = compiler
  }

  package func run() throws -> Outcome {
    let (chosen, outcomeOfChoice) = try choose()
    if outcomeOfChoice.hasFailed { return outcomeOfChoice }
    if options.asksForModules { return Outcome(lines: missingModules(of: chosen)) }

    var outcome = outcomeOfChoice
    let (drafts, refused) = try drafts(of: chosen)
    for error in refused {
      // Asked for by name, it is an error; among all others, it is a note.
      let isNamed = options.protocols.contains(error.name)
      outcome.lines.append("\(isNamed ? "error" : "warning"): \(error.description)")
      if isNamed { outcome.hasFailed = true }
    }
    var files: [GeneratedFile] = []
    var listed: [String] = []
    for draft in drafts {
      files.append(
        GeneratedFile(
          name: draft.file, origin: origin(draft.model.name), source: draft.source.text))
      if !draft.model.isGeneric && !draft.model.isDeprecated {
        listed.append(draft.model.doubleName)
      }
      outcome.lines += draft.source.byHand.map { "warning: write by hand: \($0)" }
    }

    let folder = Folder(options.output)
    let (orphans, others, kept) = try others(in: folder, than: files, of: chosen)
    outcome.lines += kept
    let upToDate =
      files.count == 1 ? "The double is up to date." : "All \(files.count) doubles are up to date."
    files.append(list(listed + others))
    if options.checks {
      let differences = try folder.differences(from: files, orphans: orphans)
      outcome.lines += differences.map { "error: \($0.description)" }
      if differences.isEmpty {
        outcome.lines.append(upToDate)
      } else {
        let force = differences.contains(where: \.needsForce) ? " --force" : ""
        outcome.lines.append("To bring them up to date, run: \(options.command)\(force)")
        outcome.hasFailed = true
      }
    } else {
      let (changed, refused) = try folder.write(files, orphans: orphans, isForced: options.isForced)
      for difference in changed {
        let isGone = !files.contains { $0.name == difference.file }
        outcome.lines.append("\(isGone ? "Removed" : "Wrote") \(difference.file)")
      }
      if changed.isEmpty && refused.isEmpty {
        outcome.lines.append(upToDate)
      }
      outcome.lines += refused.map { "error: \($0.description)" }
      if !refused.isEmpty { outcome.hasFailed = true }
    }
    return outcome
  }

  // MARK: - Protocols

  func origin(_ name: String) -> String { "the protocol `\(name)` of \(options.module)" }

  /// The protocols to double, and what is to be said about others that were asked for.
  private func choose() throws -> (chosen: [SymbolGraph.Symbol], outcome: Outcome) {
    let all = symbols.protocols(of: options.module)
    guard !options.protocols.isEmpty || options.isOfWiring else {
      var chosen = all
      var notes: [String] = []
      func leaveOut(_ note: String, _ isLeftOut: (SymbolGraph.Symbol) -> Bool) {
        let names = chosen.filter(isLeftOut).map(\.name).joined(separator: ", ")
        chosen.removeAll(where: isLeftOut)
        if !names.isEmpty { notes.append("note: protocols \(note): \(names).") }
      }
      leaveOut("that are @_spi have no doubles") { $0.spi == true }
      leaveOut("whose names begin with an underscore are doubled with --protocol only") {
        $0.pathComponents.last?.hasPrefix("_") ?? false
      }
      return (chosen, Outcome(lines: notes))
    }
    var names = Set(options.protocols)
    var outcome = Outcome()
    for name in names.sorted() where !all.contains(where: { $0.name == name }) {
      let known = all.map(\.name).joined(separator: ", ")
      outcome.lines.append(
        "error: \(options.module) has no protocol `\(name)`. "
          + (known.isEmpty ? "It has none." : "It has: \(known)."))
      outcome.hasFailed = true
    }
    if options.isOfWiring { names.formUnion(try registered(among: all, &outcome)) }
    return (all.filter { names.contains($0.name) }, outcome)
  }

  /// The names of the protocols that the wiring registers or asks for.
  private func registered(
    among all: [SymbolGraph.Symbol], _ outcome: inout Outcome
  ) throws -> Set<String> {
    let files =
      options.wirings.isEmpty ? try Wiring.files(in: options.wiringFolder) : options.wirings
    guard !files.isEmpty else {
      outcome.lines += [
        "error: There is no wiring in \(options.wiringFolder.path).",
        "A test writes `Resolver.main.graph.description` there. Or name a file with --wiring.",
      ]
      outcome.hasFailed = true
      return []
    }
    let wiring = try Wiring(files: files)
    var names: Set<String> = []
    var others: [String] = []
    for name in wiring.protocols.sorted() {
      // A wiring leaves out what a type is nested in, unless two would read the same.
      let found = all.map(\.name).filter { ".\(options.module).\($0)".hasSuffix(".\(name)") }
      names.formUnion(found)
      if found.isEmpty { others.append(name) }
    }
    outcome.lines += wiring.compositions.sorted().map { composition in
      let type = composition.dropFirst("any ".count)
      let name = type.filter { $0.isLetter || $0.isNumber || $0 == "_" } + "Double"
      return "warning: `\(composition)` has no double: a double stands in for one protocol. "
        + "Write by hand:\n  final class \(name): \(type) { … }"
    }
    if names.isEmpty {
      outcome.lines.append("warning: the wiring names no protocol of \(options.module).")
    }
    if !others.isEmpty {
      outcome.lines.append(
        "note: the wiring names protocols that are not of \(options.module): "
          + others.joined(separator: ", ") + ".")
    }
    return names
  }

  func model(
    of symbol: SymbolGraph.Symbol, includesDefaults: Bool = false
  ) throws(Undoubled) -> ProtocolModel {
    let model = try ProtocolReader(
      symbols: symbols, includesDefaults: options.includesDefaults || includesDefaults,
      isPublic: options.isPublic
    ).model(of: symbol)
    guard symbol.spi != true else { throw model.undoubled("it is @_spi") }
    guard !options.isPublic || model.access == "public" else {
      throw model.undoubled("it is \(model.access), and its double would be public")
    }
    return model
  }

  /// The modules whose symbols would tell more.
  private func missingModules(of chosen: [SymbolGraph.Symbol]) -> [String] {
    var missing: Set<String> = []
    for symbol in chosen {
      do throws(Undoubled) {
        let model = try model(of: symbol)
        missing.formUnion(model.mentions.keys.flatMap(symbols.modules(of:)))
      } catch {
        if let module = error.module { missing.insert(module) }
      }
    }
    return missing.subtracting(symbols.modules).compactMap(ModuleName.imported)
      .filter { $0 != "Foundation" }.sorted()
  }

  // MARK: - Files

  /// The generated files that this run does not write: those that are to go, and the others.
  private func others(
    in folder: Folder, than files: [GeneratedFile], of chosen: [SymbolGraph.Symbol]
  ) throws -> (orphans: [String: Folder.Difference.Kind], listed: [String], notes: [String]) {
    let names = Set(symbols.protocols(of: options.module).map(\.name))
    let chosenNames = Set(chosen.map(\.name))
    var (orphans, listed): ([String: Folder.Difference.Kind], [String]) = ([:], [])
    var notes: [String] = []
    lazy var uses = try? Sources(
      options.users.isEmpty ? [options.output.deletingLastPathComponent()] : options.users
    ).uses
    for file in try folder.generated()
    where !files.contains(where: { $0.name == file.name }) && file.name != GeneratedFile.list {
      let suffix = "` of \(options.module)"
      let isOwn = file.origin.hasPrefix("the protocol `") && file.origin.hasSuffix(suffix)
      let name = String(file.origin.dropFirst("the protocol `".count).dropLast(suffix.count))
      if isOwn, !names.contains(name) || chosenNames.contains(name) {
        orphans[file.name] = .orphaned
      } else if isOwn, options.isOfWiring, !isUsed(file.name, name, in: uses) {
        orphans[file.name] = .unregistered
      } else {
        if isOwn, options.isOfWiring {
          notes.append(
            "note: \(file.name) stays: `\(name)` is in use, although no wiring names it.")
        }
        if let double = listedDouble(in: file.source) { listed.append(double) }
      }
    }
    return (orphans, listed, notes)
  }

  /// Whether some source names the double in a file, or has a property with its protocol; taken to
  /// be so if the sources cannot be read.
  private func isUsed(
    _ file: String, _ name: String, in uses: (words: Set<String>, ofProperties: Set<String>)?
  ) -> Bool {
    guard let uses else { return true }
    return uses.words.contains(String(file.dropLast(".swift".count)))
      || uses.ofProperties.contains(name.split(separator: ".").last.map(String.init) ?? name)
  }

  /// The double of a file, if it belongs into the list.
  private func listedDouble(in source: String) -> String? {
    let marker = "static func asDoubled(_ double: "
    guard let start = source.range(of: marker)?.upperBound,
      !source.contains("\n@available(*, deprecated)\n")
    else { return nil }
    let name = String(source[start...].prefix { $0 != ")" })
    return source.contains(" \(name)<") ? nil : name
  }

  private func list(_ doubles: [String]) -> GeneratedFile {
    let access = options.isPublic ? "public " : ""
    let importing = options.isPublic ? "public import DITesting" : "import DITesting"
    let names = doubles.sorted()
    let line = "  \(access)static let all: [any TestDouble.Type] = ["
    let short = line + names.map { "\($0).self" }.joined(separator: ", ") + "]"
    let entries =
      short.count <= 100
      ? short : ([line] + names.map { "    \($0).self," } + ["  ]"]).joined(separator: "\n")
    return GeneratedFile(
      name: GeneratedFile.list, origin: "the doubles of this folder",
      source: (options.isPublic ? "#if canImport(Testing)\n" : "") + """
        \(importing)

        /// The doubles of this folder, for `.solitary(Doubles.all)`.
        nonisolated \(access)enum Doubles {
          /// All of them; a double with generic parameters can only be registered by hand.
        \(entries)
        }

        """ + (options.isPublic ? "#endif\n" : ""))
  }
}
