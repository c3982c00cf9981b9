// Closures that do not escape, and that a requirement only runs: the stub may run them, too.

extension MemberPlanning {
  /// A closure that the stub may run until the call ends.
  mutating func lend(
    _ name: String, _ attributes: [String], _ function: TypeSyntax.Function, label: String
  ) -> KeptArgument {
    lent.append(name)
    // The errors of a closure are not inferred, and with them its parameters have names.
    let isTyped = if case .typed = function.failure { true } else { false }
    let names = function.parameters.indices.map { isTyped ? "value\($0 + 1)" : "$\($0)" }
    let arguments = zip(function.parameters, names).map { parameter, name in
      (parameter.type.attributes.contains("inout") ? "&" : "") + name
    }
    let head = isTyped ? "(\(names.joined(separator: ", ")))\(function.failure.text) in " : ""
    let keyword = keywords(isAsync: function.isAsync, failure: function.failure)
    let call = "\(name.escaped).function(\(arguments.joined(separator: ", ")))"
    let sendable = attributes.contains("@Sendable") ? attributes : attributes + ["@Sendable"]
    let type = TypeSyntax.attributed(sendable, .function(function))
    var value = "{ \(head)\(keyword)\(call) }"
    if isTyped {
      // As the argument of a generic function, such a closure makes the compiler crash.
      let variable = local("run" + name.capitalizedFirst).escaped
      prelude += ["let \(variable): \(spelling.finished(type).text) =", "  \(value)"]
      value = variable
    }
    return KeptArgument(label: label, type: type, value: value, isInout: false)
  }

  /// Puts the call of the stub where closures that do not escape may be passed to it.
  mutating func lendClosures(to stub: PlannedStub, keyword: String) {
    guard !lent.isEmpty else { return }
    if !prelude.isEmpty {
      let isVoid = requirement.result.isVoid
      member.body = prelude + member.body.map { isVoid ? $0 : "return " + $0 }
    }
    let lending = spelling.toolkit("LentClosure") + ".lend"
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
      member.body = block("\(keyword)\(lending)(\(name)) { \(argument) in", member.body)
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
      let rethrowing = spelling.toolkit("Rethrowing")
      member.body =
        ["\(keyword)\(rethrowing).run(", "  {"] + member.body.map { "    " + $0 }
        + ["  }, rescue: { throw $0 })"]
    }
  }
}
