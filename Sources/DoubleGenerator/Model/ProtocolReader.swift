/// Gathers what a double has to satisfy, across inherited protocols and modules.
package struct ProtocolReader {
  let symbols: Symbols
  /// Whether requirements with a default implementation are doubled too.
  let includesDefaults: Bool
  /// Whether the double is public.
  let isPublic: Bool

  package init(symbols: Symbols, includesDefaults: Bool = false, isPublic: Bool = false) {
    self.symbols = symbols
    self.includesDefaults = includesDefaults
    self.isPublic = isPublic
  }

  /// Reads one protocol.
  package func model(of symbol: SymbolGraph.Symbol) throws(Undoubled) -> ProtocolModel {
    let module = ModuleName.of(symbol.id) ?? ""
    var gathering = Gathering(
      reader: self,
      model: ProtocolModel(
        name: symbol.name, module: ModuleName.imported(module) ?? module,
        home: symbols.modules(of: symbol.id).last.flatMap(ModuleName.imported) ?? module,
        access: symbol.accessLevel),
      hierarchy: symbols.hierarchy(of: symbol.id))
    do {
      try gathering.add(symbol)
      return try gathering.finish(symbol)
    } catch let error as Undoubled {
      throw error
    } catch {
      throw gathering.model.undoubled("its declaration could not be read: \(error)")
    }
  }
}

private struct Gathering {
  let reader: ProtocolReader
  var symbols: Symbols { reader.symbols }
  var model: ProtocolModel
  /// The protocol and all that it inherits.
  let hierarchy: [SymbolGraph.Symbol]
  var seen: Set<String> = []
  var associated = AssociatedTypes()
  var isIdentifiable = false

  mutating func add(_ symbol: SymbolGraph.Symbol) throws {
    guard seen.insert(symbol.id).inserted else { return }
    let declaration = try DeclarationParser.protocol(symbol)
    if seen.count == 1 {
      model.primary = declaration.primary
      model.isDeprecated = Availability.isDeprecated(symbol)
      if case .globalActor(let name) = declaration.isolation { model.globalActor = name }
      model.mentions.merge(SymbolGraph.mentions(in: symbol)) { $1 }
      model.importedBySource = Set(
        symbols.imports(inFileOf: symbol).compactMap(ModuleName.imported)
      ).subtracting(["FoundationNetworking"])
    }
    model.mentions[symbol.id] = symbol.pathComponents.last
    model.hierarchy.insert(symbol.id)
    model.memberTypes.formUnion(symbols.memberTypes(of: symbol.id))
    model.availability += Availability.attributes(of: symbol)
    model.conditions += declaration.conditions
    if let superclass = symbols.superclass(of: symbol.id) {
      let name = symbols[id: superclass]?.name ?? superclass
      throw model.undoubled("it asks for the superclass `\(name)`")
    }
    for relationship in symbols.conformances(of: symbol.id) {
      if let inherited = symbols[id: relationship.target] {
        try add(inherited)
      } else if let inherited = StandardLibrary.inherited(relationship.target) {
        try add(inherited, id: relationship.target, name: relationship.targetFallback)
      } else {
        let name = relationship.targetFallback ?? relationship.target
        throw model.undoubled(
          "it inherits `\(name)`, whose requirements are not known",
          module: name.split(separator: ".").first.map(String.init))
      }
    }
    for requirement in symbols.requirements(of: symbol.id) {
      if requirement.kind.identifier == "swift.associatedtype" {
        try add(associatedType: requirement)
      } else if reader.includesDefaults
        || !symbols.hasDefault(requirement, for: hierarchy, isVisible: isVisible)
      {
        var read = try DeclarationParser.requirement(requirement, owner: symbol.names.title)
        read.isOwnerActor = isActor(symbol.id)
        dropResultBuilders(from: &read)
        add(read)
        // An inherited protocol need not belong to the actor that its requirements name.
        if declaration.isolation == .inherited, let actor = model.globalActor,
          read.isolation == .globalActor(actor)
        {
          model.hasNonisolatedConformance = true
        }
        model.availability += read.availability
        if read.types.contains(where: { $0.contains { $0.attributes.contains(where: isOfC) } }) {
          throw model.undoubled("`\(read.title)` has a function of C")
        }
        if requirement.spi == true && symbol.spi != true {
          throw model.undoubled("its requirement `\(read.title)` is @_spi")
        }
      }
    }
  }

  /// The graph does not say of which type the function is, so it cannot be spelled.
  private func isOfC(_ attribute: String) -> Bool { attribute.hasPrefix("@convention") }

  /// Whether the double's file sees a default implementation, and may rest on it.
  private func isVisible(_ symbol: SymbolGraph.Symbol) -> Bool {
    guard symbol.spi != true else { return false }
    // `@testable` shows what is internal; a public double's members have to be public.
    return symbol.accessLevel == "public" || (model.access != "public" && !reader.isPublic)
  }

  /// A result builder looks like a global actor, and is no part of what a double declares.
  private func dropResultBuilders(from requirement: inout Requirement) {
    let builders = requirement.mentions.keys.filter(symbols.isResultBuilder)
    let names = Set(builders.compactMap { symbols[id: $0]?.pathComponents.last })
    func isBuilder(_ attribute: String) -> Bool {
      let name = attribute.split(separator: ".").last.map(String.init) ?? attribute
      // Of a module that is not at hand, the name tells.
      return names.contains(name) || name.hasSuffix("Builder")
    }
    guard requirement.attributes.contains(where: isBuilder) else { return }
    requirement.hasResultBuilder = true
    for id in builders { requirement.mentions[id] = nil }
    let actor = requirement.attributes.last { !isBuilder($0) }
    requirement.isolation = actor.map { .globalActor($0) } ?? .inherited
  }

  private func isActor(_ id: String) -> Bool {
    symbols.conformances(of: id).contains { $0.target == "s:ScA" || isActor($0.target) }
  }

  /// Adds a requirement, or unites it with that of an inherited protocol that one member satisfies.
  private mutating func add(_ requirement: Requirement) {
    model.mentions.merge(symbols.expanded(requirement.mentions)) { $1 }
    guard let index = model.requirements.firstIndex(where: requirement.isSame(as:)) else {
      model.requirements.append(requirement)
      return
    }
    // `{ get }` inherited and `{ get set }` here are one requirement.
    if requirement.isSettable { model.requirements[index].isSettable = true }
    // A member without an effect also satisfies a requirement with it.
    if !requirement.isAsync { model.requirements[index].isAsync = false }
    switch (model.requirements[index].failure, requirement.failure) {
    case (_, .never), (.any, .typed), (.any, .rethrown):
      model.requirements[index].failure = requirement.failure
    default: break
    }
  }

  private mutating func add(_ inherited: StandardLibrary.Inherited, id: String, name: String?)
    throws
  {
    guard seen.insert(id).inserted else { return }
    let owner = name?.split(separator: ".").last.map(String.init) ?? ""
    switch inherited {
    case .nothing: if id == "s:s8SendableP" || id == "s:s5ErrorP" { model.isSendable = true }
    case .actor: (model.isActor, model.isSendable) = (true, true)
    case .equatable: model.isEquatable = true
    case .hashable: (model.isEquatable, model.isHashable) = (true, true)
    case .comparable: (model.isEquatable, model.isComparable) = (true, true)
    case .identifiable: isIdentifiable = true
    case .object: model.isObject = true
    case .unmet(let reason): throw model.undoubled("it inherits `\(owner)`, \(reason)")
    case .requirements(let requirements, let associatedTypes):
      for name in associatedTypes { associated.add(name, conformances: []) }
      for (declaration, title) in requirements {
        var tokens = Token.lex(declaration)
        for index in tokens.indices where tokens[index].text.first?.isUppercase == true {
          // So that the library's name stands before it where something else is called so.
          let isOwn = ["Any", "Self"].contains(tokens[index].text)
          if !isOwn, !associatedTypes.contains(tokens[index].text) { tokens[index].id = "s:s" }
        }
        var requirement = try DeclarationParser.requirement(tokens, title: title, owner: owner)
        requirement.isolation = .nonisolated
        add(requirement)
      }
    }
  }

  private mutating func add(associatedType symbol: SymbolGraph.Symbol) throws {
    let (name, conformances, conditions) = try DeclarationParser.associatedType(symbol)
    model.mentions.merge(SymbolGraph.mentions(in: symbol)) { $1 }
    model.conditions += conditions
    associated.add(name, conformances: conformances)
  }

  mutating func finish(_ symbol: SymbolGraph.Symbol) throws -> ProtocolModel {
    model.availability = Array(Set(model.availability)).sorted()
    if model.isObject {
      // It has these members.
      (model.isEquatable, model.isHashable) = (false, false)
      model.requirements.removeAll { ["description", "debugDescription"].contains($0.title) }
      model.mentions["c:objc(cs)NSObject"] = "NSObject"
    }
    findGlobalActor()
    // `Self.Item` is `Item`, and of two equal types a graph has `Self` as the first.
    let withoutSelf = model.conditions.map { condition in
      let (left, right) = (condition.left.withoutSelf, condition.right.withoutSelf)
      return condition.isSameType && left.simpleName == "Self"
        ? Requirement.Condition(left: right, isSameType: true, right: left)
        : Requirement.Condition(left: left, isSameType: condition.isSameType, right: right)
    }
    for condition in withoutSelf where condition.isSameType { try iterate(condition) }
    try fail(as: withoutSelf.last { $0.isSameType && $0.left.simpleName == "Failure" }?.right)
    associated.apply(
      withoutSelf.filter { condition in
        guard isIdentifiable, condition.left.simpleName == "ID" else {
          return condition.left.simpleName != "Self"
        }
        if condition.isSameType { identify(by: condition.right) }
        return false
      })
    if let own = associated.conditions.first(where: { $0.right.mentions(["Self"]) }) {
      throw unmet(own)
    }
    model.conditions = associated.conditions
    model.aliases = associated.aliases
    model.generics = associated.open
    let names = model.generics.map(\.name) + model.aliases.map(\.name)
    if names.contains(model.doubleName) {
      throw model.undoubled(
        "its associated type is called `\(model.doubleName)`, as its double would be")
    }
    if names.contains("Doubled") {
      throw model.undoubled(
        "its associated type is called `Doubled`, a name that every double uses")
    }
    return model
  }

  /// Has a sequence be the iterator that its protocol binds; others are not those of a stub.
  private mutating func iterate(_ condition: Requirement.Condition) throws {
    let isSequence = seen.contains("s:ST") || seen.contains("s:Sci")
    guard isSequence, let name = condition.left.simpleName,
      ["Iterator", "AsyncIterator"].contains(name),
      let index = model.requirements.firstIndex(where: { $0.title == "make\(name)()" })
    else { return }
    guard name == "Iterator", condition.right.simpleName == "Self", seen.contains("s:St") else {
      throw unmet(condition)
    }
    // The library's default returns the sequence itself.
    model.requirements.remove(at: index)
  }

  private func unmet(_ condition: Requirement.Condition) -> Undoubled {
    let (left, right) = (condition.left.text, condition.right.text)
    return model.undoubled("its `\(left)` is bound to `\(right)`, as that of no double is")
  }

  /// Has an `AsyncSequence`, or an iterator of one, fail as its protocol binds it to.
  private mutating func fail(as failure: TypeSyntax?) throws {
    guard let failure, failure.text != "any Error" else { return }
    let isNever = failure.text == "Never"
    for index in model.requirements.indices {
      let requirement = model.requirements[index]
      switch (requirement.owner, requirement.title, requirement.result) {
      case ("AsyncIteratorProtocol", "next()", _):
        model.requirements[index].failure = isNever ? .never : .typed(failure)
      case ("AsyncSequence", "makeAsyncIterator()", .named(var stream)):
        guard isNever else {
          throw model.undoubled("its iterator throws `\(failure.text)`, as that of no stream does")
        }
        stream[0].name = "AsyncStream"
        stream[0].arguments.removeLast()
        model.requirements[index].result = .named(stream)
      default: break
      }
    }
  }

  /// A class has an `id` of its own; one of another type is a requirement.
  private mutating func identify(by type: TypeSyntax) {
    guard type.text != "ObjectIdentifier" else { return }
    var requirement = Requirement(
      kind: .property, title: "id", owner: "Identifiable", name: "id")
    requirement.result = type
    if !model.requirements.contains(where: { $0.title == "id" && !$0.isStatic }) {
      model.requirements.append(requirement)
    }
  }

  /// A module that isolates by default marks the requirements and not their protocol.
  private mutating func findGlobalActor() {
    guard !model.isActor else { return }
    // The compiler's `hashValue` is isolated as the class is, and `Hashable` is not.
    if model.globalActor != nil, model.isHashable { model.hasNonisolatedConformance = true }
    guard model.globalActor == nil else { return }
    let isolations = model.requirements.filter { !$0.isStatic }.map(\.isolation)
    let actors = Set(isolations.filter { $0 != .nonisolated })
    if actors.count == 1, case .globalActor(let name)? = actors.first {
      model.globalActor = name
      model.hasNonisolatedConformance = true
    }
  }
}

extension TypeSyntax {
  var withoutSelf: TypeSyntax {
    mapped { part in
      guard case .named(let components) = part, components.count > 1, components[0].name == "Self"
      else { return nil }
      return .named(Array(components.dropFirst()))
    }
  }
}
