// Functions and initializers: a call of the stub, and what becomes of its result.

extension MemberPlanning {
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

  /// The statements that return a result, and write back what is `inout`.
  mutating func returning(
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
}
