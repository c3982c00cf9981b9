/// Whether values of a type may cross threads and be kept.
struct Sendability {
  let spelling: Spelling
  /// Names known to be `Sendable`: the double's own, and associated types that it asks to be.
  let sendable: Set<String>
  /// Names that are known not to be.
  let nonSendable: Set<String>
  /// A requirement whose generic parameters types may mention.
  private var requirement: Requirement?

  private var symbols: Symbols { spelling.qualification.symbols }

  init(_ spelling: Spelling) {
    let model = spelling.model
    let plain = Sendability(spelling: spelling, sendable: [], nonSendable: [])
    var sendable = Set(
      model.generics.filter { generic in
        model.isSendable || generic.conformances.contains { plain.isSendable(.any($0)) }
      }.map(\.name))
    if model.isSendable || model.globalActor != nil || model.isActor {
      sendable.insert(model.doubleName)
    }
    self.init(
      spelling: spelling, sendable: sendable,
      nonSendable: Set(model.generics.map(\.name) + [model.doubleName]).subtracting(sendable))
  }

  private init(spelling: Spelling, sendable: Set<String>, nonSendable: Set<String>) {
    (self.spelling, self.sendable, self.nonSendable) = (spelling, sendable, nonSendable)
  }

  /// The same inside a requirement.
  func inside(_ requirement: Requirement) -> Sendability {
    var inner = self
    inner.requirement = requirement.generics.isEmpty ? nil : requirement
    return inner
  }

  func isSendable(_ type: TypeSyntax) -> Bool {
    switch type {
    case .optional(let type), .unwrapped(let type), .array(let type): return isSendable(type)
    case .dictionary(let key, let value): return isSendable(key) && isSendable(value)
    case .tuple(let elements): return elements.allSatisfy { isSendable($0.type) }
    case .function, .suppressed, .pack: return false
    case .attributed(let attributes, let type):
      if case .function = type {
        // A function of a global actor is Sendable.
        return attributes.contains {
          $0 == "@Sendable" || $0.dropFirst().first?.isUppercase == true
        }
      }
      return isSendable(type)
    case .some(let type): return isSendable(.any(type))
    case .named, .any, .composition, .metatype:
      if let name = type.simpleName {
        if sendable.contains(name) || type.isVoid { return true }
        if nonSendable.contains(name) { return false }
      }
      return answer(.isSendable, type, otherwise: isLikelySendable(type))
    }
  }

  /// What the graphs tell.
  private func isLikelySendable(_ type: TypeSyntax) -> Bool {
    switch type {
    case .any(.composition(let types)), .composition(let types):
      return types.contains { isLikelySendable($0) }
    case .any(let type): return isLikelySendable(type)
    case .named(let components):
      guard let last = components.last,
        components.allSatisfy({ $0.arguments.allSatisfy(isSendable) })
      else { return false }
      guard let id = last.id else { return true }
      if let alias = symbols.alias(id) { return isSendable(alias.type) }
      guard symbols[id: id] == nil else { return symbols.isSendable(id) }
      return ModuleName.of(id) != nil && !id.hasSuffix("C") && !id.hasSuffix("Qa")
    default: return true
    }
  }

  /// Whether values cannot be copied, or may not outlive the call.
  func isUnkept(_ type: TypeSyntax) -> Bool {
    switch type.bare {
    case .optional(let type): return isUnkept(type)
    case .named, .any, .some:
      var type = type.bare
      if case .some(let constraint) = type { type = .any(constraint) }
      if let name = type.simpleName, sendable.union(nonSendable).contains(name) { return false }
      return !answer(.canBeKept, type, otherwise: true)
    default: return false
    }
  }

  private func answer(_ kind: Question.Kind, _ type: TypeSyntax, otherwise guess: Bool) -> Bool {
    let qualification = spelling.qualification
    return qualification.answers.answer(
      Question(
        kind: kind, type: spelling.resolved(type).text, imports: qualification.imports,
        context: context(of: type)),
      otherwise: guess)
  }

  /// The declarations around a type that mentions generic parameters, or the double.
  private func context(of type: TypeSyntax) -> [String] {
    let model = spelling.model
    let own = sendable.union(nonSendable)
    let generics = Set(requirement?.generics.map(\.name) ?? [])
    guard type.mentions(own.union(generics).union(model.memberTypes)) else { return [] }
    let double = sendable.contains(model.doubleName) ? ": @unchecked Sendable" : ""
    func clause(_ parameters: [String], _ conditions: [String]) -> (String, String) {
      (
        parameters.isEmpty ? "" : "<\(parameters.joined(separator: ", "))>",
        Layout.condition(conditions)
      )
    }
    let outer = clause(spelling.generics, spelling.conditions)
    let inner = clause(
      requirement?.genericParameters ?? [],
      requirement?.conditions.map { $0.mapped(spelling.resolved).text } ?? [])
    return [
      "private struct PROBE\(outer.0)\(outer.1) {", "final class \(model.doubleName)\(double) {}",
      "func probe\(inner.0)()\(inner.1) {",
    ]
  }

  /// The function that a type is or that a type alias names, with its attributes.
  func function(_ type: TypeSyntax) -> (attributes: [String], function: TypeSyntax.Function)? {
    switch type {
    case .attributed(let attributes, let type):
      return function(type).map { (attributes + $0.attributes, $0.function) }
    case .function(let function): return ([], function)
    case .named(let components):
      guard components.count == 1, components[0].arguments.isEmpty, let id = components[0].id,
        let alias = symbols.alias(id)
      else { return nil }
      return function(alias.type)
    default: return nil
    }
  }
}
