import Foundation

/// A requirement of a protocol, as a double has to declare it.
struct Requirement: Sendable {
  enum Kind: Equatable {
    case method
    case `operator`
    case property
    case `subscript`
    case initializer(isFailable: Bool)
  }
  enum Isolation: Hashable {
    case inherited
    case nonisolated
    case nonsending
    case globalActor(String)
  }
  struct Parameter: Equatable, Sendable {
    /// The argument label; nil if it is the name.
    var label: String?
    var name: String
    var type: TypeSyntax
    var isVariadic = false
    var isInout: Bool { type.attributes.contains("inout") }
  }
  struct Generic: Equatable, Sendable {
    var name: String
    var isPack = false
    var isValue = false
  }
  struct Condition: Equatable, Sendable {
    var left: TypeSyntax
    var isSameType: Bool
    var right: TypeSyntax

    func mapped(_ change: (TypeSyntax) -> TypeSyntax) -> Condition {
      Condition(left: change(left), isSameType: isSameType, right: change(right))
    }
  }

  var kind: Kind
  /// The name with its argument labels, as in `charge(_:for:)`.
  var title: String
  /// The protocol that declares it, and whether that is an actor protocol.
  var owner: String
  var isOwnerActor = false
  var name: String
  var isStatic = false
  var isDiscardable = false
  /// `prefix` or `postfix`, for an operator.
  var fixity: String?
  var isolation = Isolation.inherited
  /// Attributes that are types: global actors, and result builders.
  var attributes: [String] = []
  /// Whether a result builder transforms bodies without a `return`.
  var hasResultBuilder = false
  var generics: [Generic] = []
  var parameters: [Parameter] = []
  var isAsync = false
  var failure = TypeSyntax.Failure.never
  /// The result of a function, the type of a property or of a subscript; nil for an initializer.
  var result: TypeSyntax = .void
  var conditions: [Condition] = []
  var isSettable = false
  var availability: [String] = []
  var isDeprecated = false
  /// The identifiers of all symbols that it mentions, with the words that do.
  var mentions: [String: String] = [:]

  /// The generic parameters as they are declared.
  var genericParameters: [String] {
    generics.map {
      ($0.isPack ? "each " : $0.isValue ? "let " : "") + $0.name + ($0.isValue ? ": Int" : "")
    }
  }

  /// The types of its parameters and its result.
  var types: [TypeSyntax] { parameters.map(\.type) + [result] }

  /// Argument labels as they stand in `title`, without those that are `_`.
  var labels: [String] {
    guard let open = title.firstIndex(of: "("), kind != .operator else { return [] }
    return title[title.index(after: open)...].dropLast().split(separator: ":").map(String.init)
      .filter { $0 != "_" }
  }

  /// This requirement with every type replaced for which `change` returns another.
  func mapped(_ change: (TypeSyntax) -> TypeSyntax) -> Requirement {
    var requirement = self
    requirement.result = change(result)
    for index in parameters.indices {
      requirement.parameters[index].type = change(parameters[index].type)
    }
    if case .typed(let type) = failure { requirement.failure = .typed(change(type)) }
    requirement.conditions = conditions.map { $0.mapped(change) }
    return requirement
  }

  /// This requirement with other names for the generic parameters that are called as one of
  /// `names`: in a protocol they may hide an associated type, in a double no parameter of its own.
  func renaming(_ names: Set<String>) -> Requirement {
    var requirement = self
    var renamed: [String: TypeSyntax] = [:]
    for index in generics.indices where names.contains(generics[index].name) {
      var name = generics[index].name
      while names.contains(name) || requirement.generics.contains(where: { $0.name == name }) {
        name += "2"
      }
      requirement.generics[index].name = name
      renamed[generics[index].name] = .name(name)
    }
    if renamed.isEmpty { return self }
    return requirement.mapped { $0.mapped { $0.simpleName.flatMap { renamed[$0] } } }
  }

  /// Whether one member of a double can satisfy both; effects are left aside where they do not
  /// make an overload.
  func isSame(as other: Requirement) -> Bool {
    title == other.title && isStatic == other.isStatic && kind == other.kind
      && (isAsync == other.isAsync || kind == .property || kind == .subscript)
      && parameters.count == other.parameters.count
      && zip(parameters, other.parameters).allSatisfy {
        $0.type.isSame(as: $1.type) && $0.isVariadic == $1.isVariadic
      }
      && result.isSame(as: other.result) && generics == other.generics
      && conditions.map(\.text) == other.conditions.map(\.text)
  }
}

extension String {
  private static let keywords: Set<String> = [
    "Any", "Self", "Type", "as", "await", "associatedtype", "break", "case", "catch", "class",
    "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "var", "where", "while",
  ]
  /// The name in backticks where it is a keyword, or no plain identifier.
  var escaped: String { Self.keywords.contains(self) ? "`\(self)`" : escapedLabel }
  /// The name of an argument, which may be a keyword.
  var escapedLabel: String {
    if ["inout", "let", "var"].contains(self) { return "`\(self)`" }
    let isPlain =
      first?.isNumber != true && allSatisfy { $0.isWordCharacter && $0 != "$" && $0 != "`" }
    return isPlain ? self : "`\(self)`"
  }
  /// The text between the quotation marks of a literal.
  var escapedInLiteral: String {
    replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
  }
  /// Whether this names an operator; an emoji names a function.
  var isOperator: Bool {
    unicodeScalars.allSatisfy {
      "/=-+!*%<>&|^~?.".unicodeScalars.contains($0)
        || !$0.isASCII && !$0.properties.isEmojiPresentation && !$0.properties.isXIDContinue
    }
  }
  var unescaped: String {
    hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
  }
}
