/// Reads the declarations of requirements, associated types, type aliases and protocols.
enum DeclarationParser {
  /// The attributes and modifiers at the start of a declaration.
  private struct Prefix {
    var isStatic = false
    var isDiscardable = false
    var isolation = Requirement.Isolation.inherited
    /// Global actors, and result builders.
    var attributes: [String] = []
  }

  static func requirement(_ symbol: SymbolGraph.Symbol, owner: String) throws(ParseError)
    -> Requirement
  {
    let tokens = Token.tokens(of: symbol.declarationFragments ?? [])
    var requirement = try requirement(tokens, title: symbol.names.title, owner: owner)
    requirement.availability = Availability.attributes(of: symbol)
    requirement.isDeprecated = Availability.isDeprecated(symbol)
    if requirement.kind == .operator, requirement.parameters.count == 1 {
      // Only the identifier tells: `s:4Shop1PP1soPyxxFZ` is the postfix one.
      requirement.fixity = symbol.id.contains("oP") ? "postfix" : "prefix"
    }
    return requirement
  }

  /// Whether a function of a protocol extension can stand in for a requirement of its name.
  static func canImplement(
    _ required: SymbolGraph.Symbol, _ implementation: SymbolGraph.Symbol
  ) -> Bool {
    guard let required = try? requirement(required, owner: ""),
      let found = try? requirement(implementation, owner: "")
    else { return true }
    guard found.isStatic == required.isStatic, required.isAsync || !found.isAsync,
      required.failure.throwsErrors || !found.failure.throwsErrors,
      found.isSettable || !required.isSettable,
      found.parameters.count == required.parameters.count,
      found.genericCount == required.genericCount
    else { return false }
    // Generic and associated types may be spelled in several ways.
    let pairs =
      zip(found.parameters.map(\.type), required.parameters.map(\.type))
      + [(found.result, required.result)]
    return pairs.allSatisfy { !$0.isConcrete || !$1.isConcrete || $0.id == $1.id }
  }

  static func requirement(_ tokens: [Token], title: String, owner: String) throws(ParseError)
    -> Requirement
  {
    var reader = TokenReader(tokens)
    let prefix = try self.prefix(&reader)
    let keyword = try reader.take().text
    var requirement = Requirement(kind: .method, title: title, owner: owner, name: "")
    requirement.isStatic = prefix.isStatic
    requirement.isDiscardable = prefix.isDiscardable
    requirement.isolation = prefix.isolation
    requirement.attributes = prefix.attributes
    requirement.mentions = tokens.reduce(into: [:]) { mentions, token in
      if let id = token.id { mentions[id] = token.text }
    }
    switch keyword {
    case "func":
      let name = try reader.take().text
      requirement.name = name.unescaped
      if name.isOperator { requirement.kind = .operator }
      try signature(&reader, &requirement)
    case "init":
      requirement.name = "init"
      let isFailable = reader.take(if: "?") || reader.take(if: "!")
      requirement.kind = .initializer(isFailable: isFailable)
      try signature(&reader, &requirement)
    case "subscript":
      requirement.name = "subscript"
      requirement.kind = .subscript
      try signature(&reader, &requirement)
      try accessors(&reader, &requirement)
    case "var":
      requirement.name = try reader.take().text.unescaped
      requirement.kind = .property
      try reader.expect(":")
      requirement.result = try reader.type()
      try accessors(&reader, &requirement)
    default:
      throw reader.error("begins with `\(keyword)`, which is no requirement")
    }
    return requirement
  }

  /// The constraints of an associated type: what it conforms to, and its conditions.
  static func associatedType(_ symbol: SymbolGraph.Symbol) throws(ParseError)
    -> (name: String, conformances: [TypeSyntax], conditions: [Requirement.Condition])
  {
    var reader = TokenReader(Token.tokens(of: symbol.declarationFragments ?? []))
    _ = try prefix(&reader)
    try reader.expect("associatedtype")
    let name = try reader.take().text
    let conformances = try inheritance(&reader)
    if reader.take(if: "=") { _ = try reader.type() }
    return (name, conformances, try conditions(&reader))
  }

  /// The attributes, primary associated types and conditions of a protocol.
  static func `protocol`(_ symbol: SymbolGraph.Symbol) throws(ParseError)
    -> (isolation: Requirement.Isolation, primary: [String], conditions: [Requirement.Condition])
  {
    var reader = TokenReader(Token.tokens(of: symbol.declarationFragments ?? []))
    let prefix = try prefix(&reader)
    try reader.expect("protocol")
    _ = try reader.take()
    while reader.take(if: ".") { _ = try reader.take() }
    var primary: [String] = []
    if reader.take(if: "<") {
      repeat { primary.append(try reader.take().text) } while reader.take(if: ",")
      try reader.expect(">")
    }
    _ = try inheritance(&reader)
    return (prefix.isolation, primary, try conditions(&reader))
  }

  /// The type that a type alias stands for, and the names of its generic parameters.
  static func alias(_ symbol: SymbolGraph.Symbol) throws(ParseError) -> (
    generics: [String], type: TypeSyntax
  ) {
    var reader = TokenReader(Token.tokens(of: symbol.declarationFragments ?? []))
    _ = try prefix(&reader)
    try reader.expect("typealias")
    _ = try reader.take()
    let generics = try generics(&reader).map(\.name)
    try reader.expect("=")
    return (generics, try reader.type())
  }

  // MARK: - Parts

  private static func prefix(_ reader: inout TokenReader) throws(ParseError) -> Prefix {
    var prefix = Prefix()
    let modifiers: Set<String> = [
      "mutating", "nonmutating", "override", "optional", "prefix", "postfix", "infix", "final",
      "dynamic", "distributed", "class", "static", "unowned", "weak", "open", "public", "package",
      "internal", "indirect", "required", "convenience",
      "consuming", "borrowing", "__consuming",
    ]
    while let token = reader.current, !token.isName {
      if token.text == "@" {
        reader.skip(1)
        let name = try reader.qualifiedName()
        if reader.isNext("(") { _ = try reader.parenthesized() }
        if name == "discardableResult" {
          prefix.isDiscardable = true
        } else if name.first?.isUppercase == true, name != "Sendable" {
          // The compiler's other attributes begin with a lowercase letter.
          prefix.attributes.append(name)
          prefix.isolation = .globalActor(name)
        }
      } else if token.text == "nonisolated" {
        reader.skip(1)
        let isNonsending = reader.isNext("(") ? try reader.parenthesized() == "(nonsending)" : false
        prefix.isolation = isNonsending ? .nonsending : .nonisolated
      } else if modifiers.contains(token.text) {
        reader.skip(1)
        if token.text == "static" || token.text == "class" { prefix.isStatic = true }
      } else {
        break
      }
    }
    return prefix
  }

  private static func signature(
    _ reader: inout TokenReader, _ requirement: inout Requirement
  ) throws(ParseError) {
    requirement.generics = try generics(&reader)
    try reader.expect("(")
    while !reader.isNext(")") {
      requirement.parameters.append(
        try parameter(&reader, index: requirement.parameters.count, of: requirement.kind))
      if !reader.take(if: ",") { break }
    }
    try reader.expect(")")
    (requirement.isAsync, requirement.failure) = try reader.effects()
    if reader.take(if: "->") { requirement.result = try reader.type() }
    requirement.conditions = try conditions(&reader)
  }

  private static func parameter(
    _ reader: inout TokenReader, index: Int, of kind: Requirement.Kind
  ) throws(ParseError) -> Requirement.Parameter {
    // A result builder is no part of what a double declares.
    while reader.take(if: "@") {
      _ = try reader.qualifiedName()
      if reader.isNext("(") { _ = try reader.parenthesized() }
    }
    let first = try reader.take().text.unescaped
    let second = reader.isNext(":") ? nil : try reader.take().text.unescaped
    try reader.expect(":")
    var label: String? = second == nil ? nil : first
    var name = second ?? first
    if name == "_" {
      label = first
      name = first == "_" ? (index == 0 ? "argument" : "argument\(index + 1)") : first
      if first == name, kind != .subscript { label = nil }
    }
    // A subscript's parameters have no labels of their own.
    if kind == .subscript, second == nil { label = nil }
    var parameter = Requirement.Parameter(label: label, name: name, type: try reader.type())
    parameter.isVariadic = reader.take(if: "...")
    return parameter
  }

  private static func generics(_ reader: inout TokenReader) throws(ParseError)
    -> [Requirement.Generic]
  {
    var generics: [Requirement.Generic] = []
    guard reader.take(if: "<") else { return generics }
    repeat {
      let isPack = reader.take(if: "each")
      let isValue = reader.take(if: "let")
      let name = try reader.take().text
      generics.append(Requirement.Generic(name: name, isPack: isPack, isValue: isValue))
      if reader.take(if: ":") { _ = try reader.type() }
    } while reader.take(if: ",")
    try reader.expect(">")
    return generics
  }

  private static func inheritance(_ reader: inout TokenReader) throws(ParseError) -> [TypeSyntax] {
    var types: [TypeSyntax] = []
    if reader.take(if: ":") {
      repeat { types.append(try reader.type()) } while reader.take(if: ",")
    }
    return types
  }

  private static func conditions(_ reader: inout TokenReader) throws(ParseError)
    -> [Requirement.Condition]
  {
    var conditions: [Requirement.Condition] = []
    guard reader.take(if: "where") else { return conditions }
    repeat {
      let left = try reader.type()
      let isSameType = reader.take(if: "==")
      if !isSameType { try reader.expect(":") }
      conditions.append(
        Requirement.Condition(left: left, isSameType: isSameType, right: try reader.type()))
    } while reader.take(if: ",")
    return conditions
  }

  private static func accessors(
    _ reader: inout TokenReader, _ requirement: inout Requirement
  ) throws(ParseError) {
    try reader.expect("{")
    while !reader.take(if: "}") {
      let word = try reader.take().text
      if word == "get" { (requirement.isAsync, requirement.failure) = try reader.effects() }
      if word == "set" || word == "_modify" { requirement.isSettable = true }
    }
  }
}

extension Requirement {
  /// The number of generic parameters, those that are spelled `some P` included.
  fileprivate var genericCount: Int {
    generics.count
      + parameters.count { $0.type.contains { if case .some = $0 { true } else { false } } }
  }
}
