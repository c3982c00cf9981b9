/// Writes the source of one double.
package struct DoubleWriter {
  /// The source, and what of it has to be written by hand.
  package struct Source: Equatable {
    package var text: String
    package var byHand: [String]
  }

  let symbols: Symbols
  let isPublic: Bool

  package init(symbols: Symbols, isPublic: Bool) {
    self.symbols = symbols
    self.isPublic = isPublic
  }

  package func source(of model: ProtocolModel) -> Source {
    DoubleText(model: model, symbols: symbols, isPublic: isPublic).source()
  }
}

private struct DoubleText {
  let model: ProtocolModel
  let symbols: Symbols
  let isPublic: Bool
  let planner: StubPlanner
  private var access: String { isPublic ? "public " : "" }
  private var name: String { model.doubleName }

  init(model: ProtocolModel, symbols: Symbols, isPublic: Bool) {
    self.model = model
    self.symbols = symbols
    self.isPublic = isPublic
    planner = StubPlanner(model: model, symbols: symbols)
  }

  func source() -> DoubleWriter.Source {
    var byHand: [String] = []
    var members: [[String]] = []
    for isStatic in [true, false] {
      let requirements = model.requirements.filter { $0.isStatic == isStatic }
      let names = StubNames(requirements)
      for (index, requirement) in requirements.enumerated() where !isGiven(requirement) {
        do throws(ByHand) {
          let member = try planner.plan(requirement, names: names, index: index)
          members.append(lines(of: member))
        } catch {
          let line = "extension \(name) { \(declaration(of: error.requirement)) }"
          byHand.append("`\(requirement.owner).\(requirement.title)`: \(error.reason): \(line)")
          members.append(
            Layout.comment(
              "`\(requirement.title)` is to be written by hand, for \(error.reason):")
              + ["// " + line])
        }
      }
    }
    var body = aliases() + [basics()] + members + [identity()]
    body.removeAll(where: \.isEmpty)
    var lines = imports() + ["", "/// A double of `\(model.name)`."]
    if model.isDeprecated { lines.append("@available(*, deprecated)") }
    lines += model.availability
    lines += header()
    for (index, member) in body.enumerated() {
      if index > 0 { lines.append("") }
      lines += member.map { $0.isEmpty ? "" : "  " + $0 }
    }
    lines.append("}")
    return DoubleWriter.Source(text: lines.joined(separator: "\n") + "\n", byHand: byHand)
  }

  /// `init()` is there, and so is what compares.
  private func isGiven(_ requirement: Requirement) -> Bool {
    if case .initializer = requirement.kind { return requirement.parameters.isEmpty }
    return false
  }

  // MARK: - Around the members

  private func imports() -> [String] {
    var modules = Set(
      model.mentions.compactMap(symbols.module(of:)).compactMap(ModuleName.imported))
    modules.insert("DITesting")
    // Types of C come with Foundation, which brings the system's headers.
    if model.mentions.contains(where: { $0.hasPrefix("c:") }) { modules.insert("Foundation") }
    modules.insert(model.module)
    let needsTestable =
      model.access != "public"
      || model.mentions.contains { id in
        symbols[id: id].map { ["internal", "package"].contains($0.accessLevel) } ?? false
      }
    return modules.sorted().map { module in
      module == model.module && needsTestable
        ? "@testable import \(module)" : (isPublic ? "public import \(module)" : "import \(module)")
    }
  }

  private func header() -> [String] {
    let kind =
      model.isActor
      ? "actor" : (model.globalActor.map { "@\($0) " } ?? "nonisolated ") + "final class"
    let generics = model.generics.map { generic in
      var conformances = generic.conformances
      if model.isSendable, !conformances.contains("Sendable") { conformances.append("Sendable") }
      return conformances.isEmpty
        ? generic.name : "\(generic.name): \(conformances.joined(separator: " & "))"
    }
    let parameters = generics.isEmpty ? "" : "<\(generics.joined(separator: ", "))>"
    // In a module that isolates by default, the conformance would be isolated.
    let conformance = (model.hasNonisolatedConformance ? "nonisolated " : "") + model.name
    let line = "\(prefix(kind))\(name)\(parameters): \(conformance), TestDouble"
    let conditions = self.conditions
    if conditions.isEmpty {
      if generics.isEmpty, line.count + 2 > Layout.width {
        return ["\(prefix(kind))\(name):", "  \(conformance), TestDouble", "{"]
      }
      return line.count + 2 <= Layout.width
        ? [line + " {"]
        : ["\(prefix(kind))\(name)<"]
          + generics.enumerated().map { "  \($1)\($0 < generics.count - 1 ? "," : "")" }
          + [">: \(conformance), TestDouble {"]
    }
    let whole = "\(line) where \(conditions.joined(separator: ", ")) {"
    if whole.count <= Layout.width { return [whole] }
    return [line] + Layout.clause(conditions)
  }

  /// The access comes before `final class` and after what isolates.
  private func prefix(_ kind: String) -> String {
    guard isPublic else { return kind + " " }
    return kind.hasSuffix("final class")
      ? kind.dropLast("final class".count) + "public final class " : "public \(kind) "
  }

  private var conditions: [String] {
    model.conditions.map(\.text).sorted()
  }

  private func aliases() -> [[String]] {
    model.aliases.isEmpty
      ? [] : [model.aliases.map { "\(access)typealias \($0.name) = \($0.type.text)" }]
  }

  private func basics() -> [String] {
    let isolation = model.globalActor == nil ? "" : "nonisolated "
    return [
      "\(isolation)\(access)init() {}",
      "\(isolation)\(access)static func asDoubled(_ double: \(name)) -> \(doubled) { double }",
    ].flatMap { line -> [String] in
      guard line.count + 2 > Layout.width else { return [line] }
      return [
        "\(isolation)\(access)static func asDoubled(_ double: \(name))", "  -> \(doubled)",
        "{ double }",
      ]
    }
  }

  private var doubled: String {
    let open = Set(model.generics.map(\.name))
    let primary = model.primary.map { name in
      open.contains(name) ? name : model.aliases.first { $0.name == name }?.type.text ?? name
    }
    return "any \(model.name)" + (primary.isEmpty ? "" : "<\(primary.joined(separator: ", "))>")
  }

  /// Two doubles are equal if they are one.
  private func identity() -> [String] {
    let isolation = model.globalActor != nil ? "nonisolated " : ""
    let parameters = "(left: \(name), right: \(name)) -> Bool"
    var lines: [String] = []
    func add(_ declaration: String, _ body: String) {
      lines += Layout.block("\(access)\(declaration)", body: body)
    }
    if model.isEquatable { add("\(isolation)static func == \(parameters)", "left === right") }
    if model.isComparable {
      add(
        "\(isolation)static func < \(parameters)",
        "ObjectIdentifier(left) < ObjectIdentifier(right)")
    }
    if model.isHashable {
      let isolation = model.isActor ? "nonisolated " : isolation
      add(
        "\(isolation)func hash(into hasher: inout Hasher)", "hasher.combine(ObjectIdentifier(self))"
      )
    }
    return lines
  }

  // MARK: - Members

  private func lines(of member: PlannedMember) -> [String] {
    let requirement = member.requirement
    let isOutside = planner.isOutsideActor(requirement)
    // It mentions what is deprecated, too.
    let availability = requirement.isDeprecated ? ["@available(*, deprecated)"] : []
    var lines = member.stubs.flatMap { availability + declaration(of: $0, isOutside, requirement) }
    lines += member.remarks.flatMap(Layout.comment) + availability
    if requirement.isDiscardable { lines.append("@discardableResult") }
    let attributes = isolation(of: requirement, isOutside: isOutside)
    let modifiers = attributes + access + (requirement.isStatic ? "static " : "")
    switch requirement.kind {
    case .property, .subscript:
      lines += accessors(of: member, modifiers: modifiers)
    case .method, .operator, .initializer:
      var body = member.body
      if body.count == 1 { body = [expression(body[0], of: requirement)] }
      lines += Layout.function(
        head: modifiers + head(of: requirement), parameters: parameters(of: requirement),
        tail: tail(of: requirement), conditions: conditions(of: requirement), body: body)
    }
    return lines
  }

  /// The only statement of a body, without `return` unless a result builder would transform it.
  private func expression(_ statement: String, of requirement: Requirement) -> String {
    let isReturned = statement.hasPrefix("return ")
    if requirement.hasResultBuilder, !requirement.result.isVoid {
      return isReturned ? statement : "return \(statement)"
    }
    return isReturned ? String(statement.dropFirst("return ".count)) : statement
  }

  private func declaration(
    of stub: PlannedStub, _ isOutside: Bool, _ requirement: Requirement
  ) -> [String] {
    let tail = "\"\(stub.requirement)\""
    if requirement.isStatic {
      let isolation = model.globalActor != nil ? "nonisolated " : ""
      let type = "\(stub.type)<\(stub.typeArguments.joined(separator: ", "))>"
      return Layout.block(
        "\(isolation)\(access)static var \(stub.name.escaped): \(type)",
        body: ".shared(\(tail), of: \(name).self)")
    }
    let hasActor = model.isActor || model.globalActor != nil
    let isolation = hasActor && (stub.isSendable || isOutside) ? "nonisolated " : ""
    return Layout.stub(
      "\(isolation)\(access)let \(stub.name.escaped) = \(stub.type)", stub.typeArguments,
      tail: tail)
  }

  private func accessors(of member: PlannedMember, modifiers: String) -> [String] {
    let requirement = member.requirement
    let type = requirement.result.text
    let head: String
    if requirement.kind == .subscript {
      let generics = genericClause(of: requirement)
      let parameters = parameters(of: requirement).joined(separator: ", ")
      let conditions = conditions(of: requirement)
      let condition = conditions.isEmpty ? "" : " where \(conditions.joined(separator: ", "))"
      head = "\(modifiers)subscript\(generics)(\(parameters)) -> \(type)\(condition)"
    } else {
      head = "\(modifiers)var \(requirement.name.escaped): \(type)"
    }
    let effects = (requirement.isAsync ? " async" : "") + requirement.failure.text
    let get = expression(member.body[0], of: requirement)
    guard let setter = member.setter else {
      let inner = effects.isEmpty ? get : "get\(effects) { \(get) }"
      return Layout.block(head, body: inner)
    }
    return [
      "\(head) {", "  get\(effects) { \(get) }", "  set { \(setter[0]) }", "}",
    ]
  }

  /// What isolates a member, with a space after it.
  private func isolation(of requirement: Requirement, isOutside: Bool) -> String {
    switch requirement.isolation {
    case .globalActor(let actor):
      return actor == model.globalActor ? "" : "@\(actor) "
    case .nonsending: return "nonisolated(nonsending) "
    case .nonisolated, .inherited:
      if case .initializer = requirement.kind, model.isActor { return "" }
      let hasActor = model.isActor || model.globalActor != nil
      if requirement.isAsync, !hasActor, mayStayWithCaller(requirement) {
        return "nonisolated(nonsending) "
      }
      return isOutside && hasActor ? "nonisolated " : ""
    }
  }

  /// Whether a requirement passes what is not Sendable, so that it has to run where its caller is.
  ///
  /// A module with `NonisolatedNonsendingByDefault` has such ones, and its graph does not say so.
  /// Where they are not, it makes no difference to a double.
  private func mayStayWithCaller(_ requirement: Requirement) -> Bool {
    if case .initializer = requirement.kind { return false }
    let parameters = requirement.parameters.map(\.type)
    if parameters.contains(where: { $0.attributes.contains("isolated") }) { return false }
    return !(parameters + [requirement.result]).allSatisfy {
      planner.sendability.isSendable($0.without(["inout", "borrowing", "consuming", "@escaping"]))
    }
  }

  private func genericClause(of requirement: Requirement) -> String {
    let generics = requirement.generics.map {
      ($0.isPack ? "each " : $0.isValue ? "let " : "") + $0.name + ($0.isValue ? ": Int" : "")
    }
    return generics.isEmpty ? "" : "<\(generics.joined(separator: ", "))>"
  }

  private func head(of requirement: Requirement) -> String {
    switch requirement.kind {
    case .initializer(let isFailable):
      "init\(isFailable ? "?" : "")" + genericClause(of: requirement)
    case .operator:
      (requirement.fixity.map { "\($0) " } ?? "") + "func \(requirement.name) "
        + genericClause(of: requirement)
    default: "func \(requirement.name.escaped)" + genericClause(of: requirement)
    }
  }

  private func parameters(of requirement: Requirement) -> [String] {
    requirement.parameters.map { parameter in
      let name = parameter.label.map { "\($0) \(parameter.name.escaped)" } ?? parameter.name
      return "\(name): \(parameter.type.text)\(parameter.isVariadic ? "..." : "")"
    }
  }

  private func tail(of requirement: Requirement) -> String {
    let effects = (requirement.isAsync ? " async" : "") + requirement.failure.text
    if case .initializer = requirement.kind { return effects }
    return effects + (requirement.result.isVoid ? "" : " -> \(requirement.result.text)")
  }

  private func conditions(of requirement: Requirement) -> [String] {
    requirement.conditions.map(\.text)
  }

  private func declaration(of requirement: Requirement) -> String {
    let modifiers =
      isolation(of: requirement, isOutside: planner.isOutsideActor(requirement)) + access
      + (requirement.isStatic ? "static " : "")
    if requirement.kind == .property {
      return "\(modifiers)var \(requirement.name.escaped): \(requirement.result.text) { … }"
    }
    let conditions = conditions(of: requirement)
    let condition = conditions.isEmpty ? "" : " where \(conditions.joined(separator: ", "))"
    let head = requirement.kind == .subscript ? "subscript" : head(of: requirement)
    return
      "\(modifiers)\(head)(\(parameters(of: requirement).joined(separator: ", ")))"
      + "\(tail(of: requirement))\(condition) { … }"
  }
}

extension Requirement.Condition {
  fileprivate var text: String { "\(left.text)\(isSameType ? " ==" : ":") \(right.text)" }
}
