/// An argument as a stub keeps it.
struct KeptArgument {
  var label: String
  var type: TypeSyntax
  var value: String
  var isInout: Bool
  /// The type in the signature, if the stub knows less.
  var castType: TypeSyntax?
}

/// A result as a stub returns it.
struct KeptResult {
  var type = TypeSyntax.void
  /// The type in the signature, if the stub knows less.
  var castType: TypeSyntax?
  /// Whether the stub returns a closure that makes the result.
  var isMade = false
}

// The arguments and results that a stub keeps: as the requirement declares them, or as what is
// known of them where they are generic, or as a description where they cannot be kept.

extension MemberPlanning {
  mutating func arguments(except passedOn: String?) -> [KeptArgument] {
    var arguments: [KeptArgument] = []
    for parameter in requirement.parameters where parameter.name != passedOn {
      let type = parameter.isVariadic ? .array(parameter.type) : parameter.type
      if let argument = argument(parameter.name, type: type, label: parameter.name.escapedLabel) {
        arguments.append(argument)
      }
    }
    return arguments
  }

  /// An argument as the stub notes it; nil if it cannot be noted.
  mutating func argument(_ name: String, type: TypeSyntax, label: String) -> KeptArgument? {
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
      member.remarks.append("`\(name)` is evaluated at each call.")
      value += "()"
      plain = function.result
    } else if let (_, function) = sendability.function(plain) {
      let isGeneric = (function.parameters.map(\.type) + [function.result])
        .contains { $0.mentions(generics) }
      if isGeneric {
        member.remarks.append("`\(name)` is a generic function, so it is not among the arguments.")
        return nil
      }
      if !attributes.contains("@escaping") {
        // One that stays with its caller's isolation cannot be handed on.
        guard lendsClosures, !attributes.contains("nonisolated(nonsending)") else {
          member.remarks.append(
            "`\(name)` does not escape, so it is not among the arguments, and not called.")
          return nil
        }
        return lend(name, plain.attributes, function, label: label)
      }
    }
    if attributes.contains("borrowing") { value = "copy \(value)" }
    var kept = plain
    if case .unwrapped(let type) = kept { kept = .optional(type) }
    kept = erased(kept)
    if mustBeSendable, !sendability.isSendable(kept) {
      if isInout {
        member.remarks.append("`\(name)` is not Sendable, so it is left as it is.")
      }
      let described = spelling.toolkit("Described")
      let description = kept.isOptional ? "\(described)(\(value) as Any)" : "\(described)(\(value))"
      return KeptArgument(label: label, type: .name(described), value: description, isInout: false)
    }
    let cast = kept == plain ? nil : plain
    return KeptArgument(label: label, type: kept, value: value, isInout: isInout, castType: cast)
  }

  /// The result as the stub returns it.
  func result(_ type: TypeSyntax) throws(ByHand) -> KeptResult {
    var plain = type.without(["sending"])
    if isUnkept(plain) { throw byHand("its result cannot be copied or kept") }
    if plain.mentions(packs) { throw byHand("its result is made of a parameter pack") }
    let isSending = type.attributes.contains("sending")
    if case .unwrapped(let inner) = plain { plain = .optional(inner) }
    let erased = erased(plain)
    let cast = erased == plain ? nil : plain
    if mustBeSendable || isSending, !sendability.isSendable(erased) {
      let result = isSending ? TypeSyntax.attributed(["sending"], erased) : erased
      if isSending, cast != nil { throw byHand("its generic result is `sending`") }
      return KeptResult(type: result.made, castType: cast, isMade: true)
    }
    return KeptResult(type: erased, castType: cast)
  }

  private func isUnkept(_ type: TypeSyntax) -> Bool {
    if sendability.isUnkept(type) { return true }
    guard let name = type.bare.simpleName, generics.contains(name) else { return false }
    return requirement.conditions.contains { condition in
      guard condition.left.simpleName == name, case .suppressed = condition.right else {
        return false
      }
      return true
    }
  }
}
