/// Plans one member of a double.
struct MemberPlanning {
  private struct PassedOn {
    var parameter: Requirement.Parameter
    var function: TypeSyntax.Function
    /// Whether the closure leaves the member's isolation.
    var isConcurrent: Bool
  }

  let sendability: Sendability
  let doubleName: String
  /// The toolkit's type for descriptions of arguments.
  let described: String
  /// Those for closures that do not escape.
  let lentClosure: String
  let rethrowing: String
  let mustBeSendable: Bool
  /// Whether stubs may run closures that do not escape, and the names of those.
  var lendsClosures: Bool
  var lent: [String] = []
  /// Whether the member runs on an actor, which a concurrent closure leaves.
  let isIsolated: Bool
  /// Whether the member runs where its caller does.
  let staysWithCaller: Bool
  var member: PlannedMember
  var requirement: Requirement { member.requirement }
  let generics: Set<String>
  let packs: Set<String>

  init(
    _ requirement: Requirement, spelling: Spelling, sendability: Sendability,
    mustBeSendable: Bool, isIsolated: Bool, lendsClosures: Bool, staysWithCaller: Bool
  ) {
    self.sendability = sendability
    doubleName = spelling.model.doubleName
    described = spelling.toolkit("Described")
    lentClosure = spelling.toolkit("LentClosure")
    rethrowing = spelling.toolkit("Rethrowing")
    self.mustBeSendable = mustBeSendable
    self.isIsolated = isIsolated
    self.lendsClosures = lendsClosures
    self.staysWithCaller = staysWithCaller
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
    if passedOn != nil || requirement.parameters.contains(where: \.isInout) {
      lendsClosures = false
    }
    let arguments = arguments(except: passedOn?.parameter.name)
    // What the stub throws then are the closures' errors, and those that it is told.
    if !lent.isEmpty, stub.failure == .rethrown { stub.failure = .any }
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
      let result = requirement.result.isVoid ? KeptResult() : try self.result(requirement.result)
      try returning(result, stub: &stub, arguments: arguments, keyword: keyword)
    }
    lendClosures(to: stub, keyword: keyword)
    stub.arguments = argumentsType(arguments)
    add(stub)
  }

  /// Puts the call of the stub where closures that do not escape may be passed to it.
  private mutating func lendClosures(to stub: PlannedStub, keyword: String) {
    guard !lent.isEmpty else { return }
    let indent = requirement.failure == .rethrown ? "        " : "    "
    func block(_ head: String, _ lines: [String]) -> [String] {
      let line = "\(head) \(lines[0]) }"
      if lines.count == 1, Layout.fits(indent + line) { return [line] }
      return [head] + lines.map { "  " + $0 } + ["}"]
    }
    // The errors of a closure are not inferred, and beside them nor is what it awaits.
    var effects = ""
    if case .typed = stub.failure { effects = (stub.isAsync ? " async" : "") + stub.failure.text }
    for parameter in requirement.parameters.reversed() where lent.contains(parameter.name) {
      let name = parameter.name.escaped
      let argument = effects.isEmpty ? name : "(\(name))\(effects)"
      member.body = block("\(keyword)\(lentClosure).lend(\(name)) { \(argument) in", member.body)
      let head = "\(keyword)withoutActuallyEscaping(\(name)"
      guard staysWithCaller else {
        member.body = ["\(head)) { \(argument) in"] + member.body.map { "  " + $0 } + ["}"]
        continue
      }
      // A closure would leave its caller; of functions, one can be told to stay.
      let function = local(stub.name == "lend" ? "lendClosure" : "lend")
      member.body =
        Layout.function(
          head: "nonisolated(nonsending) func \(function)",
          parameters: ["_ \(name): @escaping \(parameter.type.text)"],
          tail: " async\(stub.failure.text)"
            + (requirement.result.isVoid ? "" : " -> \(requirement.result.text)"),
          conditions: [], body: member.body) + ["return \(head), do: \(function))"]
    }
    if requirement.failure == .rethrown {
      member.body =
        ["\(keyword)\(rethrowing).run(", "  {"] + member.body.map { "    " + $0 }
        + ["  }, rescue: { throw $0 })"]
    }
  }

  /// The statements that return a result, and write back what is `inout`.
  private mutating func returning(
    _ result: KeptResult, stub: inout PlannedStub, arguments: [KeptArgument], keyword: String
  ) throws(ByHand) {
    let changed = arguments.filter(\.isInout)
    if changed.isEmpty {
      stub.result = result.type
      member.body = [value(of: stub, arguments, keyword: keyword, result: result)]
      return
    }
    let isVoid = requirement.result.isVoid
    if isVoid, changed.count == 1 {
      let value = changed[0].value
      stub.result = changed[0].type
      let call = call(stub, arguments, fallback: value, castType: changed[0].castType)
      member.body = ["\(value) = \(keyword)\(call)"]
      return
    }
    let elements = changed.map { TypeSyntax.Element(label: $0.label, type: $0.type) }
    stub.result = .tuple(isVoid ? elements : [.init(label: "result", type: result.type)] + elements)
    let values = "(\(changed.map(\.value).joined(separator: ", ")))"
    let local = local(isVoid ? "changed" : "returned")
    let call = call(stub, arguments, fallback: isVoid ? values : nil)
    let name = self.name(of: stub)
    let throwing = keywords(isAsync: false, failure: stub.failure)
    func cast(_ value: String, _ type: TypeSyntax?) -> String {
      guard let type else { return value }
      let any = type.isOptional ? " as Any" : ""
      return "\(throwing)\(name).cast(\(value)\(any), as: \(type.textOfItself))"
    }
    member.body = ["let \(local) = \(keyword)\(call)"]
    for argument in changed {
      let part = cast("\(local).\(argument.label)", argument.castType)
      member.body.append("\(argument.value) = \(part)")
    }
    if !isVoid {
      let made = "\(local).result\(result.isMade ? "()" : "")"
      member.body.append("return \(cast(made, result.castType))")
    }
  }

  /// A name for a variable that no parameter has.
  private func local(_ name: String) -> String {
    requirement.parameters.contains { $0.name == name } ? local(name + "Values") : name
  }

  /// The statements that call a closure with what the stub returns, and return its result.
  private mutating func passOn(
    _ passedOn: PassedOn, stub: inout PlannedStub, arguments: [KeptArgument], keyword: String
  ) throws(ByHand) {
    let function = passedOn.function
    let name = passedOn.parameter.name.escaped
    let parameters = function.parameters.map {
      $0.type.without(["sending", "borrowing", "consuming", "isolated"])
    }
    let passed: TypeSyntax =
      switch parameters.count {
      case 0: .void
      case 1: parameters[0].without(["inout"])
      default: .tuple(parameters.map { .init(label: nil, type: $0.bare) })
      }
    let inner = keywords(
      isAsync: function.isAwaited,
      failure: requirement.failure.throwsErrors ? function.failure : .never)
    // What is not Sendable is made at each call.
    let isMade = mustBeSendable && !sendability.isSendable(passed)
    stub.result = isMade ? passed.made : passed
    let called = keyword + call(stub, arguments) + (isMade ? "()" : "")
    // Other parameters may be hidden once the stub is called, but not the closure.
    let value = name == "value" ? "argument" : "value"
    let values = name == "values" ? "arguments" : "values"
    switch parameters.count {
    case 0:
      member.body = [called, "return \(inner)\(name)()"]
    case 1 where parameters[0].attributes == ["inout"]:
      member.body = ["var \(value) = \(called)", "return \(inner)\(name)(&\(value))"]
    case 1:
      member.body = ["return \(inner)\(name)(\(called))"]
      if !keyword.isEmpty || !inner.isEmpty {
        member.body = ["let \(value) = \(called)", "return \(inner)\(name)(\(value))"]
      }
    default:
      let elements = parameters.indices.map {
        (parameters[$0].attributes == ["inout"] ? "&" : "") + "\(values).\($0)"
      }
      let isChanged = parameters.contains { $0.attributes == ["inout"] }
      member.body = [
        "\(isChanged ? "var" : "let") \(values) = \(called)",
        "return \(inner)\(name)(\(elements.joined(separator: ", ")))",
      ]
    }
    if !sendability.isSendable(passed) {
      member.isConcurrent = passedOn.isConcurrent
      guard !isIsolated || !member.isConcurrent else {
        throw byHand("the argument of its closure `\(passedOn.parameter.name)` is not Sendable")
      }
    }
    if passed.isVoid { return }
    member.remarks.append(
      "The stub returns what \(isMade ? "makes what " : "")`\(passedOn.parameter.name)` is called "
        + "with.")
  }

  /// The closure that makes the requirement's result: it is called, for nobody else could make it.
  private func passedOnClosure() -> PassedOn? {
    for parameter in requirement.parameters where !parameter.isVariadic {
      guard let (attributes, function) = sendability.function(parameter.type),
        attributes.allSatisfy({
          ["@Sendable", "@concurrent", "@escaping", "nonisolated(nonsending)", "sending"].contains(
            $0)
        }),
        function.result == requirement.result,
        !function.isAwaited || requirement.isAsync,
        !function.failure.throwsErrors || requirement.failure.throwsErrors,
        !function.parameters.contains(where: {
          $0.type.mentions(generics) || sendability.isUnkept($0.type)
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
        return PassedOn(
          parameter: parameter, function: function,
          isConcurrent: attributes.contains("@concurrent"))
      }
    }
    return nil
  }

  // MARK: - Properties and subscripts

  mutating func accessors(getter: String, setter: String) throws(ByHand) {
    let title = "\(requirement.owner).\(requirement.title)"
    lendsClosures = false
    let arguments = arguments(except: nil)
    let result = try self.result(requirement.result)
    var get = PlannedStub(name: getter, isAsync: requirement.isAsync, requirement: title)
    get.arguments = argumentsType(arguments)
    get.result = result.type
    get.failure = requirement.failure
    let keyword = keywords(isAsync: get.isAsync, failure: get.failure)
    // A description is asked for wherever a double is printed.
    let fallback =
      requirement.title == "description" || requirement.title == "debugDescription"
      ? "\"\(doubleName)\"" : nil
    let isDescription = requirement.owner.hasSuffix("StringConvertible") && fallback != nil
    member.body = [
      value(
        of: get, arguments, keyword: keyword, fallback: isDescription ? fallback : nil,
        result: result)
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

  func byHand(_ reason: String) -> ByHand {
    ByHand(requirement: requirement, reason: reason)
  }

  private mutating func add(_ stub: PlannedStub) {
    var stub = stub
    stub.isSendable =
      sendability.isSendable(stub.arguments) && sendability.isSendable(stub.result)
    member.stubs.append(stub)
  }

  func keywords(isAsync: Bool, failure: TypeSyntax.Failure) -> String {
    (failure == .never || failure == .rethrown ? "" : "try ") + (isAsync ? "await " : "")
  }

  private func argumentsType(_ arguments: [KeptArgument]) -> TypeSyntax {
    switch arguments.count {
    case 0: .void
    case 1: arguments[0].type
    default: .tuple(arguments.map { .init(label: $0.label, type: $0.type) })
    }
  }

  /// The result of a call, as the requirement returns it.
  private func value(
    of stub: PlannedStub, _ arguments: [KeptArgument], keyword: String, fallback: String? = nil,
    result: KeptResult
  ) -> String {
    guard result.isMade else {
      return keyword + call(stub, arguments, fallback: fallback, castType: result.castType)
    }
    let made = call(stub, arguments, fallback: fallback) + "()"
    guard let type = result.castType else { return keyword + made }
    let any = type.isOptional ? " as Any" : ""
    return "\(keyword)\(name(of: stub)).cast(\(made)\(any), as: \(type.textOfItself))"
  }

  private func call(
    _ stub: PlannedStub, _ arguments: [KeptArgument], fallback: String? = nil,
    castType: TypeSyntax? = nil
  ) -> String {
    let values = arguments.map(\.value).joined(separator: ", ")
    var parts = arguments.count == 1 ? [values] : ["(\(values))"]
    if arguments.isEmpty, castType == nil { parts = [] }
    if let fallback { parts.append("default: \(fallback)") }
    if let castType { parts.append("as: \(castType.textOfItself)") }
    return "\(name(of: stub)).call(\(parts.joined(separator: ", ")))"
  }

  private func name(of stub: PlannedStub) -> String {
    // A parameter hides a stub of its name.
    let isHidden = requirement.parameters.contains { $0.name == stub.name }
    return (isHidden ? (requirement.isStatic ? "Self." : "self.") : "") + stub.name.escaped
  }
}

extension TypeSyntax {
  /// A closure that makes a value.
  var made: TypeSyntax {
    .attributed(["@Sendable"], .function(.init(parameters: [], result: self)))
  }

  /// The type as a value.
  fileprivate var textOfItself: String { TypeSyntax.metatype(self, keyword: "self").text }
}
