/// Plans one member of a double.
struct MemberPlanning {
  let spelling: Spelling
  let sendability: Sendability
  let mustBeSendable: Bool
  /// Whether the member runs on an actor, which a concurrent closure leaves.
  let isIsolated: Bool
  /// Whether the member runs where its caller does.
  let staysWithCaller: Bool
  /// Whether stubs may run closures that do not escape, and the names of those.
  var lendsClosures: Bool
  var lent: [String] = []
  /// The statements before the call of the stub.
  var prelude: [String] = []
  var member: PlannedMember

  var requirement: Requirement { member.requirement }
  var generics: Set<String> { Set(requirement.generics.map(\.name)) }
  var packs: Set<String> {
    Set(requirement.generics.filter { $0.isPack || $0.isValue }.map(\.name))
  }

  func byHand(_ reason: String) -> ByHand {
    ByHand(requirement: requirement, reason: reason)
  }

  mutating func add(_ stub: PlannedStub) {
    var stub = stub
    stub.isSendable =
      sendability.isSendable(stub.arguments) && sendability.isSendable(stub.result)
    member.stubs.append(stub)
  }

  func keywords(isAsync: Bool, failure: TypeSyntax.Failure) -> String {
    (failure == .never || failure == .rethrown ? "" : "try ") + (isAsync ? "await " : "")
  }

  func argumentsType(_ arguments: [KeptArgument]) -> TypeSyntax {
    switch arguments.count {
    case 0: .void
    case 1: arguments[0].type
    default: .tuple(arguments.map { .init(label: $0.label, type: $0.type) })
    }
  }

  /// The result of a call, as the requirement returns it.
  func value(
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

  func call(
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

  func name(of stub: PlannedStub) -> String {
    // A parameter hides a stub of its name.
    let isHidden = requirement.parameters.contains { $0.name == stub.name }
    return (isHidden ? (requirement.isStatic ? "Self." : "self.") : "") + stub.name.escaped
  }

  /// A name for a variable that no parameter has.
  func local(_ name: String) -> String {
    requirement.parameters.contains { $0.name == name } ? local(name + "Values") : name
  }
}

extension TypeSyntax {
  /// A closure that makes a value.
  var made: TypeSyntax {
    .attributed(["@Sendable"], .function(.init(parameters: [], result: self)))
  }

  /// The type as a value.
  var textOfItself: String { TypeSyntax.metatype(self, keyword: "self").text }
}
