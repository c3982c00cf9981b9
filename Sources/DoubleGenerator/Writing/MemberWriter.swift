/// Writes the members of one double: its stubs, and the requirements that call them.
struct MemberWriter {
  let model: ProtocolModel
  let planner: StubPlanner
  /// The access of the double, with a space after it.
  let access: String

  private var hasActor: Bool { model.isActor || model.globalActor != nil }

  func lines(of member: PlannedMember) -> [String] {
    let requirement = member.requirement
    let isOutside = planner.isOutsideActor(requirement)
    // It mentions what is deprecated, too.
    let availability = requirement.isDeprecated ? ["@available(*, deprecated)"] : []
    var lines = member.stubs.flatMap { availability + declaration(of: $0, isOutside, requirement) }
    lines += member.remarks.flatMap(Layout.comment) + availability
    if requirement.isDiscardable { lines.append("@discardableResult") }
    let attributes = isolation(
      of: requirement, isOutside: isOutside, isConcurrent: member.isConcurrent)
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
    let tail = "\"\(stub.requirement.escapedInLiteral)\""
    if requirement.isStatic {
      let isolation = model.globalActor == nil ? "" : "nonisolated "
      let arguments = stub.typeArguments(planner.spelling).joined(separator: ", ")
      let type = "\(planner.spelling.toolkit(stub.type))<\(arguments)>"
      return Layout.block(
        "\(isolation)\(access)static var \(stub.name.escaped): \(type)",
        body: ".shared(\(tail), of: \(model.doubleName).self)")
    }
    let isolation = hasActor && (stub.isSendable || isOutside) ? "nonisolated " : ""
    return Layout.stub(
      "\(isolation)\(access)let \(stub.name.escaped) = \(planner.spelling.toolkit(stub.type))",
      stub.typeArguments(planner.spelling), tail: tail)
  }

  private func accessors(of member: PlannedMember, modifiers: String) -> [String] {
    let requirement = member.requirement
    let type = requirement.result.text
    let head: String
    if requirement.kind == .subscript {
      let generics = genericClause(of: requirement)
      let parameters = parameters(of: requirement).joined(separator: ", ")
      let condition = Layout.condition(conditions(of: requirement))
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

  /// The isolation of a member, with a space after it.
  private func isolation(
    of requirement: Requirement, isOutside: Bool, isConcurrent: Bool = false
  ) -> String {
    switch requirement.isolation {
    case .globalActor(let actor):
      return actor == model.globalActor ? "" : "@\(actor) "
    case .nonsending: return "nonisolated(nonsending) "
    case .nonisolated, .inherited:
      if case .initializer = requirement.kind, model.isActor { return "" }
      if isConcurrent { return "@concurrent " }
      if planner.mayStayWithCaller(requirement) { return "nonisolated(nonsending) " }
      return isOutside && hasActor ? "nonisolated " : ""
    }
  }

  private func genericClause(of requirement: Requirement) -> String {
    let generics = requirement.genericParameters
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
      let name =
        parameter.label.map { "\($0.escapedLabel) \(parameter.name.escaped)" }
        ?? parameter.name.escapedLabel
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

  func declaration(of requirement: Requirement) -> String {
    let modifiers =
      isolation(of: requirement, isOutside: planner.isOutsideActor(requirement)) + access
      + (requirement.isStatic ? "static " : "")
    if requirement.kind == .property {
      return "\(modifiers)var \(requirement.name.escaped): \(requirement.result.text) { … }"
    }
    let condition = Layout.condition(conditions(of: requirement))
    let head = requirement.kind == .subscript ? "subscript" : head(of: requirement)
    return
      "\(modifiers)\(head)(\(parameters(of: requirement).joined(separator: ", ")))"
      + "\(tail(of: requirement))\(condition) { … }"
  }
}

extension Requirement.Condition {
  var text: String { "\(left.text)\(isSameType ? " ==" : ":") \(right.text)" }
}
