/// A type as source spells it.
indirect enum TypeSyntax: Equatable, Sendable {
  struct Component: Equatable, Sendable {
    var name: String
    var id: String?
    var arguments: [TypeSyntax] = []
  }
  struct Element: Equatable, Sendable {
    var label: String?
    var type: TypeSyntax
  }
  struct Function: Equatable, Sendable {
    var parameters: [Element]
    var isAsync = false
    var failure: Failure = .never
    var result: TypeSyntax
  }
  /// The errors that a function throws.
  enum Failure: Equatable, Sendable {
    case never
    case any
    case typed(TypeSyntax)
    case rethrown
  }

  case named([Component])
  case optional(TypeSyntax)
  case unwrapped(TypeSyntax)
  case array(TypeSyntax)
  case dictionary(TypeSyntax, TypeSyntax)
  case tuple([Element])
  case function(Function)
  case any(TypeSyntax)
  case some(TypeSyntax)
  case composition([TypeSyntax])
  case metatype(TypeSyntax, keyword: String)
  case suppressed(TypeSyntax)
  case attributed([String], TypeSyntax)
  case pack(String, TypeSyntax)

  static let void = TypeSyntax.tuple([])
  static func name(_ name: String, id: String? = nil) -> TypeSyntax {
    .named([Component(name: name, id: id)])
  }
  static let anything = name("Any")

  var isVoid: Bool {
    switch self {
    case .tuple(let elements): elements.isEmpty
    case .named(let components):
      components.last?.id == "s:s4Voida" || components.last?.id == nil && text == "Void"
    default: false
    }
  }
  /// The name, if this is one name without arguments.
  var simpleName: String? {
    if case .named(let components) = self, components.count == 1, components[0].arguments.isEmpty {
      return components[0].name
    }
    return nil
  }
  /// The names that this is made of, as in `Array<Int>` for `[Int]`.
  private var components: [Component] {
    switch self {
    case .named(let components): components
    case .array(let element): [Component(name: "Array", arguments: [element])]
    case .optional(let type): [Component(name: "Optional", arguments: [type])]
    case .dictionary(let key, let value): [Component(name: "Dictionary", arguments: [key, value])]
    default: [Component(name: "(\(text))")]
    }
  }
  /// The identifier of what the name stands for.
  var id: String? {
    if case .named(let components) = self { return components.last?.id }
    return nil
  }
  /// Whether this is a struct, an enum or a class by its own name, as its identifier tells.
  var isConcrete: Bool {
    guard case .named(let components) = self, components.allSatisfy({ $0.arguments.isEmpty }),
      let last = id?.last
    else { return false }
    return "VOC".contains(last) || id?.hasPrefix("s:S") == true
  }
  /// This type without its attributes and specifiers.
  var bare: TypeSyntax {
    if case .attributed(_, let type) = self { return type.bare }
    return self
  }
  var isOptional: Bool {
    switch bare {
    case .optional, .unwrapped: true
    default: false
    }
  }
  var attributes: [String] {
    if case .attributed(let attributes, let type) = self { return attributes + type.attributes }
    return []
  }
  func without(_ dropped: Set<String>) -> TypeSyntax {
    guard case .attributed(let attributes, let type) = self else { return self }
    let kept = attributes.filter { !dropped.contains($0) }
    let inner = type.without(dropped)
    return kept.isEmpty ? inner : .attributed(kept, inner)
  }
}

extension TypeSyntax {
  var text: String {
    switch self {
    case .named(let components): components.map(\.text).joined(separator: ".")
    case .optional(let type): type.textInPostfix + "?"
    case .unwrapped(let type): type.textInPostfix + "!"
    case .array(let element): "[\(element.text)]"
    case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
    case .tuple(let elements):
      elements.isEmpty ? "Void" : "(\(elements.map(\.text).joined(separator: ", ")))"
    case .function(let function): function.text
    case .any(let type): "any \(type.text)"
    case .some(let type): "some \(type.text)"
    case .composition(let types): types.map(\.text).joined(separator: " & ")
    case .metatype(let type, let keyword): type.textInPostfix + ".\(keyword)"
    case .suppressed(let type): "~\(type.text)"
    case .attributed(let attributes, let type):
      (attributes + [type.text]).joined(separator: " ")
    case .pack(let keyword, let type): "\(keyword) \(type.text)"
    }
  }
  private var textInPostfix: String {
    switch self {
    case .any, .some, .composition, .function, .attributed, .suppressed, .pack: "(\(text))"
    default: text
    }
  }

  /// This type with every part replaced for which `change` returns another.
  func mapped(_ change: (TypeSyntax) -> TypeSyntax?) -> TypeSyntax {
    if let changed = change(self) { return changed }
    func map(_ elements: [Element]) -> [Element] {
      elements.map { Element(label: $0.label, type: $0.type.mapped(change)) }
    }
    switch self {
    case .named(let components):
      // The first name of `T.Element` may stand for another type.
      var components = components
      for index in components.indices {
        components[index].arguments = components[index].arguments.map { $0.mapped(change) }
      }
      if components.count > 1, components[0].arguments.isEmpty,
        let replaced = change(.named([components[0]]))
      {
        if case .array(let element) = replaced, components[1].name == "Element" {
          return components.count == 2 ? element : .named(element.components + components[2...])
        }
        components.replaceSubrange(0...0, with: replaced.components)
      }
      return .named(components)
    case .optional(let type): return .optional(type.mapped(change))
    case .unwrapped(let type): return .unwrapped(type.mapped(change))
    case .array(let type): return .array(type.mapped(change))
    case .dictionary(let key, let value):
      return .dictionary(key.mapped(change), value.mapped(change))
    case .tuple(let elements): return .tuple(map(elements))
    case .function(var function):
      function.parameters = map(function.parameters)
      function.result = function.result.mapped(change)
      if case .typed(let type) = function.failure { function.failure = .typed(type.mapped(change)) }
      return .function(function)
    case .any(let type): return .any(type.mapped(change))
    case .some(let type): return .some(type.mapped(change))
    case .composition(let types): return .composition(types.map { $0.mapped(change) })
    case .metatype(let type, let keyword): return .metatype(type.mapped(change), keyword: keyword)
    case .suppressed(let type): return .suppressed(type.mapped(change))
    case .attributed(let attributes, let type): return .attributed(attributes, type.mapped(change))
    case .pack(let keyword, let type): return .pack(keyword, type.mapped(change))
    }
  }

  /// Async functions with `@concurrent` where nothing else isolates them: a graph leaves it out,
  /// and a module with `NonisolatedNonsendingByDefault` would read something else.
  var withExplicitConcurrency: TypeSyntax {
    mapped { part in
      switch part {
      case .attributed(let attributes, .function(let function)):
        let isIsolated =
          function.isOnActor
          || attributes.contains { attribute in
            attribute == "@concurrent" || attribute.hasPrefix("nonisolated(")
              || attribute.hasPrefix("@isolated(")
              || attribute.dropFirst().first?.isUppercase == true
                && attribute != "@Sendable"
          }
        let added = function.isAsync && !isIsolated ? ["@concurrent"] : []
        return .attributed(attributes + added, .function(function.withExplicitConcurrency))
      case .function(let function):
        let inner = TypeSyntax.function(function.withExplicitConcurrency)
        return function.isAsync && !function.isOnActor
          ? .attributed(["@concurrent"], inner) : inner
      default: return nil
      }
    }
  }

  /// Whether any part of this type fits.
  func contains(_ fits: (TypeSyntax) -> Bool) -> Bool {
    var found = false
    _ = mapped { part in
      if fits(part) { found = true }
      return nil
    }
    return found
  }

  /// Whether both are one type in a double.
  func isSame(as other: TypeSyntax) -> Bool {
    text == other.text
      && zip(identifiers, other.identifiers).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }

  /// The identifiers of all names; nil for generic parameters and associated types, of which each
  /// protocol has its own.
  private var identifiers: [String?] {
    var identifiers: [String?] = []
    _ = mapped { part in
      let id = part.id
      // Of the standard library's protocols that are known, the module alone is.
      let isOwn = id.map { $0.hasSuffix("Qa") || $0.hasSuffix("mfp") || $0 == "s:s" } ?? true
      identifiers.append(isOwn ? nil : id)
      return nil
    }
    return identifiers
  }

  /// Whether a name of `names` is mentioned.
  func mentions(_ names: Set<String>) -> Bool {
    contains { part in
      if case .named(let components) = part { return names.contains(components[0].name) }
      return false
    }
  }
}

extension TypeSyntax.Component {
  var text: String {
    arguments.isEmpty ? name : "\(name)<\(arguments.map(\.text).joined(separator: ", "))>"
  }
}

extension TypeSyntax.Element {
  var text: String { label.map { "\($0): \(type.text)" } ?? type.text }
}

extension TypeSyntax.Function {
  /// Whether one of its parameters is the actor that it runs on.
  var isOnActor: Bool { parameters.contains { $0.type.attributes.contains("isolated") } }
  /// Whether calls from elsewhere await it.
  var isAwaited: Bool { isAsync || isOnActor }

  fileprivate var withExplicitConcurrency: TypeSyntax.Function {
    var function = self
    function.result = result.withExplicitConcurrency
    for index in parameters.indices {
      function.parameters[index].type = parameters[index].type.withExplicitConcurrency
    }
    return function
  }

  var text: String {
    var text = "(\(parameters.map(\.text).joined(separator: ", ")))"
    if isAsync { text += " async" }
    text += failure.text
    return text + " -> \(result.text)"
  }
}

extension TypeSyntax.Failure {
  /// The clause with a space before it.
  var text: String {
    switch self {
    case .never: ""
    case .any: " throws"
    case .typed(let type): " throws(\(type.text))"
    case .rethrown: " rethrows"
    }
  }
  var throwsErrors: Bool { self != .never }
}
