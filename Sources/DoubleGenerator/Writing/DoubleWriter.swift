/// Writes the source of one double.
package struct DoubleWriter {
  /// The source, and what of it has to be written by hand.
  package struct Source: Equatable {
    package var text = ""
    package var byHand: [String] = []
  }

  let symbols: Symbols
  let isPublic: Bool
  let answers: Answers

  package init(symbols: Symbols, isPublic: Bool, answers: Answers = Answers()) {
    self.symbols = symbols
    self.isPublic = isPublic
    self.answers = answers
  }

  /// The double as it usually is.
  package func source(of model: ProtocolModel) -> Source { source(of: model, manner: Manner()) }

  func source(of model: ProtocolModel, manner: Manner) -> Source {
    let spelling = Spelling(model: model, symbols: symbols, answers: answers, manner: manner)
    return DoubleText(spelling, isPublic: isPublic).source()
  }
}

private struct DoubleText {
  let isPublic: Bool
  let planner: StubPlanner
  private let members: MemberWriter
  private var spelling: Spelling { planner.spelling }
  private var model: ProtocolModel { planner.model }
  private var access: String { members.access }
  private var name: String { model.doubleName }
  /// The isolation of members that run outside the double's global actor.
  private var nonisolated: String { model.globalActor == nil ? "" : "nonisolated " }

  init(_ spelling: Spelling, isPublic: Bool) {
    self.isPublic = isPublic
    planner = StubPlanner(spelling)
    members = MemberWriter(
      model: spelling.model, planner: planner, access: isPublic ? "public " : "")
  }

  func source() -> DoubleWriter.Source {
    var byHand: [String] = []
    var texts: [[String]] = []
    for isStatic in [true, false] {
      let requirements = model.requirements.filter { $0.isStatic == isStatic }
      let names = StubNames(requirements)
      let titles = Dictionary(grouping: requirements) { "\($0.owner).\($0.title)" }
      for (index, requirement) in requirements.enumerated() where !isGiven(requirement) {
        do throws(ByHand) {
          var member = try planner.plan(requirement, names: names, index: index)
          // A static stub is found by its requirement's name, which overloads have in common.
          if isStatic, titles["\(requirement.owner).\(requirement.title)"]!.count > 1 {
            for stub in member.stubs.indices {
              member.stubs[stub].requirement = "\(name).\(member.stubs[stub].name)"
            }
          }
          texts.append(members.lines(of: member))
        } catch {
          let line = "extension \(name) { \(members.declaration(of: error.requirement)) }"
          byHand.append("`\(requirement.owner).\(requirement.title)`: \(error.reason): \(line)")
          texts.append(
            Layout.comment(
              "`\(requirement.title)` is to be written by hand, for \(error.reason):")
              + ["// " + line])
        }
      }
    }
    var body = aliases() + [basics()] + texts + [identity()]
    body.removeAll(where: \.isEmpty)
    // The compiler shows the lines above a class that has not all that its protocol requires.
    var lines = [
      "/// A double of `\(model.name)`;",
      "/// if that has changed, `swift package doubles` brings this up to date.",
    ]
    if model.isDeprecated { lines.append("@available(*, deprecated)") }
    lines += model.availability
    lines += header()
    for (index, member) in body.enumerated() {
      if index > 0 { lines.append("") }
      lines += member.map { $0.isEmpty ? "" : "  " + $0 }
    }
    lines.append("}")
    lines = imports(of: lines) + [""] + lines
    // Where there is no module for tests, as in a static build, there is nothing to compile.
    if isPublic { lines = ["#if canImport(Testing)"] + lines + ["#endif"] }
    return DoubleWriter.Source(text: lines.joined(separator: "\n") + "\n", byHand: byHand)
  }

  /// `init()` is there, and so is what compares.
  private func isGiven(_ requirement: Requirement) -> Bool {
    if case .initializer = requirement.kind { return requirement.parameters.isEmpty }
    return false
  }

  // MARK: - Around the members

  private func imports(of lines: [String]) -> [String] {
    let symbols = spelling.qualification.symbols
    let words = Set(lines.flatMap { $0.split { !$0.isWordCharacter }.map(String.init) })
    let scoped = model.mentions.keys.compactMap { id -> String? in
      guard let symbol = symbols[id: id], let name = symbol.pathComponents.first,
        let module = ModuleName.of(id), symbols.modules(declaring: module).contains(module),
        spelling.qualification.isAmbiguous(name, of: module)
      else { return nil }
      return symbols.declaration(name, of: module).map { "\($0) \(module).\(name)" }
    }
    return Imports.lines(
      of: model.modules(symbols, words: words), model: model, symbols: symbols,
      isPublic: isPublic, scoped: Set(scoped).sorted())
  }

  private func header() -> [String] {
    let kind =
      model.isActor
      ? "\(access)actor"
      : (model.globalActor.map { "@\($0) " } ?? "nonisolated ") + "\(access)final class"
    let generics = spelling.generics
    let parameters = generics.isEmpty ? "" : "<\(generics.joined(separator: ", "))>"
    // In a module that isolates by default, the conformance would be isolated.
    let conformance =
      (model.isObject ? "NSObject, " : "")
      + (model.hasNonisolatedConformance ? "nonisolated " : "") + spelling.protocolName
    let testDouble = spelling.toolkit("TestDouble")
    let line = "\(kind) \(name)\(parameters): \(conformance), \(testDouble)"
    let conditions = spelling.conditions
    if conditions.isEmpty {
      if generics.isEmpty, !Layout.fits(line) {
        return ["\(kind) \(name):", "  \(conformance), \(testDouble)", "{"]
      }
      return Layout.fits(line)
        ? [line + " {"]
        : ["\(kind) \(name)<"]
          + generics.enumerated().map { "  \($1)\($0 < generics.count - 1 ? "," : "")" }
          + [">: \(conformance), \(testDouble) {"]
    }
    let whole = "\(line) where \(conditions.joined(separator: ", ")) {"
    if whole.count <= Layout.width { return [whole] }
    return [line] + Layout.clause(conditions)
  }

  private func aliases() -> [[String]] {
    model.aliases.isEmpty
      ? []
      : [model.aliases.map { "\(access)typealias \($0.name) = \(spelling.resolved($0.type).text)" }]
  }

  private func basics() -> [String] {
    let head = "\(nonisolated)\(access)static func asDoubled(_ double: \(name))"
    let line = "\(head) -> \(doubled) { double }"
    return ["\(nonisolated)\(access)\(model.isObject ? "override " : "")init() {}"]
      + (Layout.fits(line) ? [line] : [head, "  -> \(doubled)", "{ double }"])
  }

  private var doubled: String {
    let primary = model.primary.map { spelling.resolved(.name($0)).text }
    return "any \(spelling.protocolName)"
      + (primary.isEmpty ? "" : "<\(primary.joined(separator: ", "))>")
  }

  /// Two doubles are equal if they are one.
  private func identity() -> [String] {
    let parameters = "(left: \(name), right: \(name)) -> \(spelling.standard("Bool"))"
    let identifier = spelling.standard("ObjectIdentifier")
    var lines: [String] = []
    func add(_ declaration: String, _ body: String) {
      lines += Layout.block("\(access)\(declaration)", body: body)
    }
    if model.isEquatable { add("\(nonisolated)static func == \(parameters)", "left === right") }
    if model.isComparable {
      add(
        "\(nonisolated)static func < \(parameters)",
        "\(identifier)(left) < \(identifier)(right)")
    }
    if model.isHashable {
      let isolation = model.isActor ? "nonisolated " : nonisolated
      add(
        "\(isolation)func hash(into hasher: inout \(spelling.standard("Hasher")))",
        "hasher.combine(\(identifier)(self))")
    }
    return lines
  }
}
