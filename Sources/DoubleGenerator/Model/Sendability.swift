/// Whether values of a type may cross threads and be kept, as far as the graphs tell.
struct Sendability {
  let symbols: Symbols
  /// Names known to be `Sendable`: the double's own, and associated types that it asks to be.
  var sendable: Set<String> = []
  /// Names that are known not to be.
  var nonSendable: Set<String> = []

  func isSendable(_ type: TypeSyntax) -> Bool {
    switch type {
    case .named(let components): return isSendable(components)
    case .optional(let type), .unwrapped(let type), .array(let type): return isSendable(type)
    case .dictionary(let key, let value): return isSendable(key) && isSendable(value)
    case .tuple(let elements): return elements.allSatisfy { isSendable($0.type) }
    case .function: return false
    case .any(let type), .some(let type): return isSendableExistential(type)
    case .composition(let types): return types.contains(where: isSendableExistential)
    case .metatype(let type, _):
      if case .named(let components) = type {
        return components.last?.id?.last != "P" && type.text != "Any"
      }
      return false
    case .attributed(let attributes, let type):
      if case .function = type {
        // A function of a global actor is Sendable.
        return attributes.contains {
          $0 == "@Sendable" || $0.dropFirst().first?.isUppercase == true
        }
      }
      return isSendable(type)
    case .suppressed, .pack: return false
    }
  }

  private func isSendable(_ components: [TypeSyntax.Component]) -> Bool {
    guard let last = components.last else { return false }
    if components.count == 1, sendable.contains(last.name) { return true }
    if components.count == 1, nonSendable.contains(last.name) { return false }
    let areArgumentsSendable = components.allSatisfy { $0.arguments.allSatisfy(isSendable) }
    guard let id = last.id else { return !StandardLibrary.nonSendable.contains(last.name) }
    if let symbol = symbols[id: id] {
      if symbol.kind.identifier == "swift.typealias" {
        guard let alias = try? DeclarationParser.alias(symbol) else { return false }
        return areArgumentsSendable
          && isSendable(
            alias.type.mapped { part in
              guard let name = part.simpleName, alias.generics.contains(name) else { return nil }
              return .void
            })
      }
      if symbol.kind.identifier == "swift.protocol" { return isSendableProtocol(id) }
      if symbol.kind.identifier == "swift.associatedtype" { return false }
      let conformance = symbols.conformances(of: id).first { $0.target == "s:s8SendableP" }
      guard let conformance else { return false }
      let depends = (conformance.swiftConstraints ?? []).contains { $0.rhs == "Sendable" }
      return !depends || areArgumentsSendable
    }
    if id.hasPrefix("c:") { return false }
    if id.hasSuffix("Qa") { return false }
    if StandardLibrary.nonSendable.contains(last.name) { return false }
    // Classes of a module that is not at hand are rarely Sendable, its other types often.
    let isClass = id.hasSuffix("C") && !ModuleName.isStandard(id)
    return !isClass && areArgumentsSendable
  }

  func isSendableExistential(_ type: TypeSyntax) -> Bool {
    switch type {
    case .composition(let types): return types.contains(where: isSendableExistential)
    case .named(let components):
      guard let last = components.last else { return false }
      let isKnown = last.id.map { symbols[id: $0] != nil } ?? false
      if !isKnown, StandardLibrary.sendableProtocols.contains(last.name) { return true }
      return last.id.map(isSendableProtocol) ?? false
    default: return false
    }
  }

  private func isSendableProtocol(_ id: String) -> Bool {
    symbols.conformances(of: id).contains {
      $0.target == "s:s8SendableP" || $0.target == "s:ScA" || isSendableProtocol($0.target)
    }
  }

  /// Whether values cannot be copied, or may not outlive the call.
  func isUnkept(_ type: TypeSyntax) -> Bool {
    switch type.bare {
    case .named(let components):
      guard let last = components.last else { return false }
      guard let symbol = last.id.flatMap({ symbols[id: $0] }) else {
        return StandardLibrary.unkept.contains(last.name)
      }
      if symbol.kind.identifier == "swift.typealias" {
        return (try? DeclarationParser.alias(symbol)).map { isUnkept($0.type) } ?? false
      }
      guard ["swift.struct", "swift.enum"].contains(symbol.kind.identifier) else { return false }
      let clause = symbols.inheritanceClause(of: symbol)
      return clause.contains("~Copyable") || clause.contains("~Escapable")
    case .optional(let type): return isUnkept(type)
    case .any(let type), .some(let type):
      return type.contains { part in if case .suppressed = part { true } else { false } }
    default: return false
    }
  }

  /// The function that a type is or that a type alias names, with its attributes.
  func function(_ type: TypeSyntax) -> (attributes: [String], function: TypeSyntax.Function)? {
    switch type {
    case .attributed(let attributes, let type):
      return function(type).map { (attributes + $0.attributes, $0.function) }
    case .function(let function): return ([], function)
    case .named(let components):
      guard components.count == 1, components[0].arguments.isEmpty,
        let symbol = components[0].id.flatMap({ symbols[id: $0] }),
        symbol.kind.identifier == "swift.typealias",
        let alias = try? DeclarationParser.alias(symbol)
      else { return nil }
      return function(alias.type)
    default: return nil
    }
  }
}

extension ModuleName {
  static func isStandard(_ id: String) -> Bool { of(id).map { imported($0) == nil } ?? false }
}
