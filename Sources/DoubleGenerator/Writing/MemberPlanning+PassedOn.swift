// A closure that makes the requirement's result: the double calls it with what the stub returns.

/// A closure that a requirement calls to make its result.
struct PassedOn {
  var parameter: Requirement.Parameter
  var function: TypeSyntax.Function
  /// Whether the closure leaves the member's isolation.
  var isConcurrent: Bool
}

extension MemberPlanning {
  /// The closure that makes the requirement's result: it is called, for nobody else could make it.
  func passedOnClosure() -> PassedOn? {
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

  /// The statements that call a closure with what the stub returns, and return its result.
  mutating func passOn(
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
}
