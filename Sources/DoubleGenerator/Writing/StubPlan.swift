/// A stub as the double declares it.
struct PlannedStub {
  var name: String
  var isAsync = false
  var arguments: TypeSyntax = .void
  var result: TypeSyntax = .void
  var failure = TypeSyntax.Failure.never
  /// The requirement's name in diagnoses.
  var requirement: String
  /// Whether the stub is `Sendable`.
  var isSendable = true

  var type: String { isAsync ? "AsyncStub" : "Stub" }
  var typeArguments: [String] { [arguments.text, result.text, failureType] }
  private var failureType: String {
    switch failure {
    case .never, .rethrown: "Never"
    case .any: "any Error"
    case .typed(let type): type.text
    }
  }
}

/// A member of a double, with the stubs that it calls.
struct PlannedMember {
  var requirement: Requirement
  var stubs: [PlannedStub] = []
  /// The statements of a function or an initializer.
  var body: [String] = []
  var setter: [String]?
  /// Sentences on what the member does not do.
  var remarks: [String] = []
}

/// A requirement that has to be written by hand.
struct ByHand: Error {
  var requirement: Requirement
  var reason: String
}

/// Decides which stubs a requirement has and how it calls them.
struct StubPlanner {
  let model: ProtocolModel
  let sendability: Sendability
  private let selfType: TypeSyntax

  init(model: ProtocolModel, symbols: Symbols) {
    self.model = model
    selfType = .name(model.doubleName)
    var sendable = Set(model.generics.map(\.name))
    if model.isSendable || model.globalActor != nil || model.isActor {
      sendable.insert(model.doubleName)
    }
    sendability = Sendability(
      symbols: symbols, sendable: sendable,
      nonSendable: sendable.contains(model.doubleName) ? [] : [model.doubleName])
  }

  /// Whether the double runs a requirement outside the actor that it belongs to.
  func isOutsideActor(_ requirement: Requirement) -> Bool {
    if requirement.isStatic && model.isActor { return false }
    if model.isActor {
      if case .initializer = requirement.kind { return true }
      return requirement.isolation == .nonisolated
        || (!requirement.isOwnerActor && !requirement.isAsync)
    }
    guard let actor = model.globalActor else { return false }
    return requirement.isolation != .globalActor(actor)
  }

  /// Whether what the stub keeps has to be `Sendable`.
  private func mustBeSendable(_ requirement: Requirement) -> Bool {
    if requirement.isStatic { return true }
    if model.isActor || model.globalActor != nil { return isOutsideActor(requirement) }
    return model.isSendable
  }

  func plan(_ original: Requirement, names: StubNames, index: Int) throws(ByHand) -> PlannedMember {
    var requirement = original
    requirement.result = resolved(requirement.result)
    for index in requirement.parameters.indices {
      requirement.parameters[index].type = resolved(requirement.parameters[index].type)
    }
    if case .typed(let type) = requirement.failure { requirement.failure = .typed(resolved(type)) }
    requirement.conditions = requirement.conditions.map {
      .init(left: resolved($0.left), isSameType: $0.isSameType, right: resolved($0.right))
    }
    var planning = Planning(
      planner: self, requirement: requirement, mustBeSendable: mustBeSendable(requirement))
    switch requirement.kind {
    case .property, .subscript:
      try planning.accessors(getter: names[index], setter: names.setter(index))
    case .method, .operator, .initializer:
      try planning.function(name: names[index])
    }
    return planning.member
  }

  /// The type as it is spelled outside the protocol: `Self` and nested types have other names.
  private func resolved(_ type: TypeSyntax) -> TypeSyntax {
    type.withExplicitConcurrency.mapped { part in
      guard case .named(let components) = part else { return nil }
      if components[0].name == "Self" {
        return components.count == 1
          ? selfType : resolved(.named(Array(components.dropFirst())))
      }
      // Of an associated type that the protocol itself binds, more is known.
      if components.count == 1, components[0].id?.hasSuffix("Qa") ?? true,
        let alias = model.aliases.first(where: { $0.name == components[0].name })
      {
        return alias.type
      }
      return sendability.symbols.qualified(components)
    }
  }
}

private struct Planning {
  private struct Argument {
    var label: String
    var type: TypeSyntax
    var value: String
    var isInout: Bool
    /// The type in the signature, if the stub knows less.
    var castType: TypeSyntax?
  }
  private struct PassedOn {
    var parameter: Requirement.Parameter
    var function: TypeSyntax.Function
  }

  let planner: StubPlanner
  let mustBeSendable: Bool
  var member: PlannedMember
  private var requirement: Requirement { member.requirement }
  private let generics: Set<String>
  private let packs: Set<String>

  init(planner: StubPlanner, requirement: Requirement, mustBeSendable: Bool) {
    self.planner = planner
    self.mustBeSendable = mustBeSendable
    generics = Set(requirement.generics.map(\.name))
    packs = Set(requirement.generics.filter { $0.isPack || $0.isValue }.map(\.name))
    member = PlannedMember(requirement: requirement)
  }

  // MARK: - Functions

  mutating func function(name: String) throws(ByHand) {
    let isInitializer = if case .initializer = requirement.kind { true } else { false }
    var stub = PlannedStub(
      name: name, isAsync: requirement.isAsync,
      requirement: "\(requirement.owner).\(requirement.title)")
    stub.failure = requirement.failure
    let passedOn = passedOnClosure()
    let arguments = arguments(except: passedOn?.parameter.name)
    if case .typed(let type) = requirement.failure, type.mentions(generics) {
      guard passedOn != nil else { throw byHand("it throws a generic error") }
      stub.failure = .never
    }
    let changed = arguments.filter(\.isInout)
    let keyword = keywords(isAsync: stub.isAsync, failure: stub.failure)
    if let passedOn {
      try passOn(passedOn, stub: &stub, arguments: arguments, keyword: keyword)
    } else if isInitializer || requirement.result.isVoid, changed.isEmpty {
      member.body = [keyword + call(stub, arguments)]
    } else {
      let (result, suffix) =
        requirement.result.isVoid ? (.void, "") : try self.result(requirement.result)
      try returning(result, suffix, stub: &stub, arguments: arguments, keyword: keyword)
    }
    stub.arguments = argumentsType(arguments)
    add(stub)
  }

  /// The statements that return a result, and write back what is `inout`.
  private mutating func returning(
    _ result: TypeSyntax, _ suffix: String, stub: inout PlannedStub, arguments: [Argument],
    keyword: String
  ) throws(ByHand) {
    let changed = arguments.filter(\.isInout)
    if changed.isEmpty {
      stub.result = result
      member.body = [keyword + call(stub, arguments) + suffix]
      return
    }
    let elements = changed.map { TypeSyntax.Element(label: $0.label, type: $0.type) }
    func cast(_ argument: Argument) -> String { argument.castType.map { " as! \($0.text)" } ?? "" }
    guard !requirement.result.isVoid else {
      let values = changed.map(\.value)
      if changed.count == 1 {
        stub.result = changed[0].type
        let call = call(stub, arguments, fallback: values[0])
        member.body = ["\(values[0]) = \(keyword)\(call)\(cast(changed[0]))"]
      } else {
        stub.result = .tuple(elements)
        let tuple = "(\(values.joined(separator: ", ")))"
        let call = call(stub, arguments, fallback: tuple)
        let local = local("changed")
        member.body = ["let \(local) = \(keyword)\(call)"]
        for argument in changed {
          member.body.append("\(argument.value) = \(local).\(argument.label)\(cast(argument))")
        }
      }
      return
    }
    stub.result = .tuple([.init(label: "result", type: result)] + elements)
    let local = local("returned")
    member.body = ["let \(local) = \(keyword)\(call(stub, arguments))"]
    for argument in changed {
      member.body.append("\(argument.value) = \(local).\(argument.label)\(cast(argument))")
    }
    member.body.append("return \(local).result\(suffix)")
  }

  /// A name for a variable that no parameter has.
  private func local(_ name: String) -> String {
    requirement.parameters.contains { $0.name == name } ? local(name + "Values") : name
  }

  /// The statements that call a closure with what the stub returns, and return its result.
  private mutating func passOn(
    _ passedOn: PassedOn, stub: inout PlannedStub, arguments: [Argument], keyword: String
  ) throws(ByHand) {
    let function = passedOn.function
    let name = passedOn.parameter.name.escaped
    let parameters = function.parameters.map {
      $0.type.without(["sending", "borrowing", "consuming"])
    }
    let inner = keywords(
      isAsync: function.isAsync,
      failure: requirement.failure.throwsErrors ? function.failure : .never)
    let called = keyword + call(stub, arguments)
    switch parameters.count {
    case 0:
      member.body = [called, "return \(inner)\(name)()"]
    case 1 where parameters[0].attributes == ["inout"]:
      stub.result = parameters[0].bare
      member.body = ["var value = \(called)", "return \(inner)\(name)(&value)"]
    case 1:
      stub.result = parameters[0]
      member.body = ["return \(inner)\(name)(\(called))"]
      if !keyword.isEmpty || !inner.isEmpty {
        member.body = ["let value = \(called)", "return \(inner)\(name)(value)"]
      }
    default:
      stub.result = .tuple(parameters.map { .init(label: nil, type: $0.bare) })
      let values = parameters.indices.map {
        (parameters[$0].attributes == ["inout"] ? "&" : "") + "values.\($0)"
      }
      let isChanged = parameters.contains { $0.attributes == ["inout"] }
      member.body = [
        "\(isChanged ? "var" : "let") values = \(called)",
        "return \(inner)\(name)(\(values.joined(separator: ", ")))",
      ]
    }
    if mustBeSendable, !planner.sendability.isSendable(stub.result) {
      throw byHand("the argument of its closure `\(passedOn.parameter.name)` is not Sendable")
    }
    if stub.result.isVoid { return }
    member.remarks.append(
      "The stub returns what `\(passedOn.parameter.name)` is called with.")
  }

  /// The closure that makes the requirement's result: it is called, for nobody else could make it.
  private func passedOnClosure() -> PassedOn? {
    for parameter in requirement.parameters where !parameter.isVariadic {
      guard let (attributes, function) = planner.sendability.function(parameter.type),
        attributes.allSatisfy({
          ["@Sendable", "@concurrent", "@escaping", "nonisolated(nonsending)", "sending"].contains(
            $0)
        }),
        function.result == requirement.result,
        !function.isAsync || requirement.isAsync,
        !function.failure.throwsErrors || requirement.failure.throwsErrors,
        !function.parameters.contains(where: {
          $0.type.mentions(generics) || planner.sendability.isUnkept($0.type)
        })
      else { continue }
      let isGeneric = function.result.mentions(generics)
      let passesErrorsOn =
        switch requirement.failure {
        case .rethrown: true
        case .typed(let type): type.mentions(generics)
        default: false
        }
      if isGeneric || (passesErrorsOn && function.parameters.isEmpty) {
        return PassedOn(parameter: parameter, function: function)
      }
    }
    return nil
  }

  // MARK: - Properties and subscripts

  mutating func accessors(getter: String, setter: String) throws(ByHand) {
    let title = "\(requirement.owner).\(requirement.title)"
    let arguments = arguments(except: nil)
    let (result, suffix) = try self.result(requirement.result)
    var get = PlannedStub(name: getter, isAsync: requirement.isAsync, requirement: title)
    get.arguments = argumentsType(arguments)
    get.result = result
    get.failure = requirement.failure
    let keyword = keywords(isAsync: get.isAsync, failure: get.failure)
    // A description is asked for wherever a double is printed.
    let fallback =
      requirement.title == "description" || requirement.title == "debugDescription"
      ? "\"\(planner.model.doubleName)\"" : nil
    let isDescription = requirement.owner.hasSuffix("StringConvertible") && fallback != nil
    member.body = [
      keyword + call(get, arguments, fallback: isDescription ? fallback : nil) + suffix
    ]
    add(get)
    guard requirement.isSettable else { return }
    var set = PlannedStub(name: setter, requirement: title + ".set")
    let value = argument("newValue", type: requirement.result, label: "newValue")
    let all = arguments + (value.map { [$0] } ?? [])
    set.arguments = argumentsType(all)
    member.setter = [call(set, all)]
    add(set)
  }

  // MARK: - Parts

  private func byHand(_ reason: String) -> ByHand {
    ByHand(requirement: requirement, reason: reason)
  }

  private mutating func add(_ stub: PlannedStub) {
    var stub = stub
    stub.isSendable =
      planner.sendability.isSendable(stub.arguments) && planner.sendability.isSendable(stub.result)
    member.stubs.append(stub)
  }

  private func keywords(isAsync: Bool, failure: TypeSyntax.Failure) -> String {
    (failure == .never || failure == .rethrown ? "" : "try ") + (isAsync ? "await " : "")
  }

  private func argumentsType(_ arguments: [Argument]) -> TypeSyntax {
    switch arguments.count {
    case 0: .void
    case 1: arguments[0].type
    default: .tuple(arguments.map { .init(label: $0.label, type: $0.type) })
    }
  }

  private func call(_ stub: PlannedStub, _ arguments: [Argument], fallback: String? = nil) -> String
  {
    // A parameter hides a stub of its name.
    let isHidden = requirement.parameters.contains { $0.name == stub.name }
    let values = arguments.map(\.value).joined(separator: ", ")
    var parts = arguments.isEmpty ? [] : [arguments.count == 1 ? values : "(\(values))"]
    if let fallback { parts.append("default: \(fallback)") }
    let prefix = isHidden ? (requirement.isStatic ? "Self." : "self.") : ""
    return "\(prefix)\(stub.name.escaped).call(\(parts.joined(separator: ", ")))"
  }

  private mutating func arguments(except passedOn: String?) -> [Argument] {
    var arguments: [Argument] = []
    for parameter in requirement.parameters where parameter.name != passedOn {
      let type = parameter.isVariadic ? .array(parameter.type) : parameter.type
      if let argument = argument(parameter.name, type: type, label: parameter.name) {
        arguments.append(argument)
      }
    }
    return arguments
  }

  /// An argument as the stub notes it; nil if it cannot be noted.
  private mutating func argument(_ name: String, type: TypeSyntax, label: String) -> Argument? {
    let attributes = type.attributes
    if attributes.contains("isolated") { return nil }
    let isInout = attributes.contains("inout")
    var value = name.escaped
    var plain = type.without([
      "inout", "sending", "borrowing", "consuming", "__owned", "__shared", "@escaping",
      "@autoclosure", "_const",
    ])
    if type.mentions(packs) || isUnkept(plain) {
      member.remarks.append("`\(name)` cannot be kept, so it is not among the arguments.")
      return nil
    }
    if attributes.contains("@autoclosure"), case .function(let function) = plain.bare {
      guard !function.isAsync, !function.failure.throwsErrors else {
        member.remarks.append("`\(name)` is not evaluated, so it is not among the arguments.")
        return nil
      }
      value += "()"
      plain = function.result
    } else if let (_, function) = planner.sendability.function(plain) {
      guard attributes.contains("@escaping"),
        !function.parameters.contains(where: { $0.type.mentions(generics) }),
        !function.result.mentions(generics)
      else {
        member.remarks.append(
          attributes.contains("@escaping")
            ? "`\(name)` is a generic function, so it is not among the arguments."
            : "`\(name)` does not escape, so it is not among the arguments, and not called.")
        return nil
      }
    }
    if attributes.contains("borrowing") { value = "copy \(value)" }
    var kept = plain
    if case .unwrapped(let type) = kept { kept = .optional(type) }
    kept = erased(kept)
    if mustBeSendable, !planner.sendability.isSendable(kept) {
      if isInout {
        member.remarks.append("`\(name)` is not Sendable, so it is left as it is.")
      }
      let described = "Described(\(value))"
      return Argument(label: label, type: .name("Described"), value: described, isInout: false)
    }
    let cast = kept == plain ? nil : plain
    return Argument(label: label, type: kept, value: value, isInout: isInout, castType: cast)
  }

  /// The result as the stub returns it, and what follows the call to make it the requirement's.
  private mutating func result(_ type: TypeSyntax) throws(ByHand) -> (TypeSyntax, String) {
    var plain = type.without(["sending"])
    if isUnkept(plain) { throw byHand("its result cannot be copied or kept") }
    if plain.mentions(packs) { throw byHand("its result is made of a parameter pack") }
    let isSending = type.attributes.contains("sending")
    if case .unwrapped(let inner) = plain { plain = .optional(inner) }
    let erased = erased(plain)
    let cast = erased == plain ? "" : " as! \(plain.text)"
    if mustBeSendable || isSending, !planner.sendability.isSendable(erased) {
      let result = isSending ? TypeSyntax.attributed(["sending"], erased) : erased
      if isSending, !cast.isEmpty { throw byHand("its generic result is `sending`") }
      let factory = TypeSyntax.attributed(
        ["@Sendable"], .function(.init(parameters: [], result: result)))
      return (factory, "()\(cast)")
    }
    return (erased, cast)
  }

  private func isUnkept(_ type: TypeSyntax) -> Bool {
    if planner.sendability.isUnkept(type) { return true }
    guard let name = type.bare.simpleName, generics.contains(name) else { return false }
    return requirement.conditions.contains { condition in
      guard condition.left.simpleName == name, case .suppressed = condition.right else {
        return false
      }
      return true
    }
  }

  /// The type with generic parameters replaced by the existential types that they conform to.
  private func erased(_ type: TypeSyntax) -> TypeSyntax {
    guard type.mentions(generics) || type.contains({ if case .some = $0 { true } else { false } })
    else { return type }
    switch type {
    case .some(let constraint): return existential(of: [constraint])
    case .named(let components):
      guard components.count == 1, components[0].arguments.isEmpty,
        generics.contains(components[0].name)
      else { return .anything }
      return existential(
        of: requirement.conditions.filter {
          !$0.isSameType && $0.left.simpleName == components[0].name
        }.map(\.right))
    case .optional(let type): return .optional(erased(type))
    case .array(let type): return .array(erased(type))
    case .dictionary(let key, let value) where !key.mentions(generics):
      return .dictionary(key, erased(value))
    case .metatype(let type, let keyword):
      if case .any(let constraint) = erased(type) {
        return .any(.metatype(constraint, keyword: keyword))
      }
      return .metatype(erased(type), keyword: keyword)
    case .attributed(_, let type): return erased(type)
    default: return .anything
    }
  }

  private func existential(of constraints: [TypeSyntax]) -> TypeSyntax {
    let parts = constraints.flatMap { constraint -> [TypeSyntax] in
      if case .composition(let types) = constraint { return types }
      return [constraint]
    }.filter { if case .suppressed = $0 { false } else { !$0.mentions(generics) } }
    if parts.isEmpty { return .anything }
    if parts.count == 1, case .named(let components) = parts[0], components.last?.id?.last == "C" {
      return parts[0]
    }
    return .any(parts.count == 1 ? parts[0] : .composition(parts))
  }
}
