extension TokenReader {
  /// Words before a type that are no part of its name.
  private static let specifiers: Set<String> = [
    "inout", "sending", "borrowing", "consuming", "__owned", "__shared", "isolated", "_const",
  ]
  /// Attributes of types that take arguments; after others, parentheses begin the type.
  private static let attributesWithArguments: Set<String> = [
    "convention", "isolated", "_opaqueReturnTypeOf",
  ]

  mutating func type() throws(ParseError) -> TypeSyntax {
    var attributes: [String] = []
    while let token = current {
      if token.text == "@" {
        skip(1)
        var attribute = "@" + (try qualifiedName())
        if Self.attributesWithArguments.contains(String(attribute.dropFirst())), isNext("(") {
          attribute += try parenthesized()
        }
        attributes.append(attribute)
      } else if token.text == "nonisolated", peek(1)?.text == "(" {
        skip(1)
        attributes.append("nonisolated" + (try parenthesized()))
      } else if Self.specifiers.contains(token.text), peek(1)?.text != "." {
        skip(1)
        attributes.append(token.text)
      } else {
        break
      }
    }
    let type = try unattributedType()
    return attributes.isEmpty ? type : .attributed(attributes, type)
  }

  private mutating func unattributedType() throws(ParseError) -> TypeSyntax {
    switch current?.text {
    case "any":
      skip(1)
      let type = try composition()
      // `any Any.Type`, as a module's graph may spell it, is `Any.Type`.
      if case .metatype(let instance, _) = type, instance.simpleName == "Any" { return type }
      return .any(type)
    case "some":
      skip(1)
      return .some(try composition())
    case "repeat", "each":
      let keyword = try take().text
      return .pack(keyword, try type())
    default: return try composition()
    }
  }

  private mutating func composition() throws(ParseError) -> TypeSyntax {
    var types = [try postfix()]
    while take(if: "&") { types.append(try postfix()) }
    return types.count == 1 ? types[0] : .composition(types)
  }

  private mutating func postfix() throws(ParseError) -> TypeSyntax {
    var type = try primary()
    while let token = current {
      if token.text == "?" {
        skip(1)
        type = .optional(type)
      } else if token.text == "!" {
        skip(1)
        type = .unwrapped(type)
      } else if token.text == ".", let keyword = peek(1)?.text,
        keyword == "Type" || keyword == "Protocol"
      {
        skip(2)
        type = .metatype(type, keyword: keyword)
      } else {
        break
      }
    }
    return type
  }

  private mutating func primary() throws(ParseError) -> TypeSyntax {
    if take(if: "~") { return .suppressed(try primary()) }
    if take(if: "[") {
      let first = try type()
      if take(if: ":") {
        let value = try type()
        try expect("]")
        return .dictionary(first, value)
      }
      try expect("]")
      return .array(first)
    }
    if isNext("(") { return try tupleOrFunction() }
    var components = [try component()]
    while isNext("."), let keyword = peek(1)?.text, keyword != "Type", keyword != "Protocol" {
      skip(1)
      components.append(try component())
    }
    return .named(components)
  }

  private mutating func component() throws(ParseError) -> TypeSyntax.Component {
    let name = try take()
    guard let first = name.text.first, first.isWordCharacter else {
      throw error("has `\(name.text)` where a type was expected")
    }
    var component = TypeSyntax.Component(name: name.text, id: name.id)
    if take(if: "<") {
      repeat { component.arguments.append(try type()) } while take(if: ",")
      try expect(">")
    }
    return component
  }

  private mutating func tupleOrFunction() throws(ParseError) -> TypeSyntax {
    try expect("(")
    var elements: [TypeSyntax.Element] = []
    while !isNext(")") {
      var label: String?
      if peek(1)?.text == ":" {
        label = try take().text
        skip(1)
      } else if peek(2)?.text == ":", isNext("_") {
        skip(1)
        label = "_ " + (try take().text)
        skip(1)
      }
      var element = TypeSyntax.Element(label: label, type: try type())
      if take(if: "...") { element.type = .attributed([], .name(element.type.text + "...")) }
      elements.append(element)
      if !take(if: ",") { break }
    }
    try expect(")")
    let (isAsync, failure) = try effects()
    if take(if: "->") {
      return .function(
        TypeSyntax.Function(
          parameters: elements, isAsync: isAsync, failure: failure, result: try type()))
    }
    guard elements.count == 1, elements[0].label == nil else { return .tuple(elements) }
    // Of a pack, a tuple is made.
    if case .pack = elements[0].type { return .tuple(elements) }
    return elements[0].type
  }

  mutating func effects() throws(ParseError) -> (isAsync: Bool, failure: TypeSyntax.Failure) {
    let isAsync = take(if: "async") || take(if: "reasync")
    if take(if: "rethrows") { return (isAsync, .rethrown) }
    guard take(if: "throws") else { return (isAsync, .never) }
    guard take(if: "(") else { return (isAsync, .any) }
    let failure = try type()
    try expect(")")
    switch failure.text {
    case "any Error": return (isAsync, .any)
    case "Never": return (isAsync, .never)
    default: return (isAsync, .typed(failure))
    }
  }

  mutating func qualifiedName() throws(ParseError) -> String {
    var name = try take().text
    while isNext(".") {
      skip(1)
      name += "." + (try take().text)
    }
    return name
  }

  /// Everything up to the closing parenthesis, as it stands.
  mutating func parenthesized() throws(ParseError) -> String {
    try expect("(")
    var text = "("
    var depth = 1
    while depth > 0 {
      let token = try take()
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      text += token.text == "," ? ", " : token.text
    }
    return text
  }
}
