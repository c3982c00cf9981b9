/// Gathers what a double has to satisfy, across inherited protocols and modules.
package struct ProtocolReader {
  let symbols: Symbols
  /// Whether requirements with a default implementation are doubled too.
  let includesDefaults: Bool

  package init(symbols: Symbols, includesDefaults: Bool = false) {
    self.symbols = symbols
    self.includesDefaults = includesDefaults
  }

  /// Reads one protocol.
  package func model(of symbol: SymbolGraph.Symbol) throws(Undoubled) -> ProtocolModel {
    let name = symbol.pathComponents.joined(separator: ".")
    let module = symbols.module(of: symbol.id) ?? ""
    var gathering = Gathering(
      symbols: symbols, includesDefaults: includesDefaults,
      model: ProtocolModel(name: name, module: module, access: symbol.accessLevel),
      hierarchy: symbols.hierarchy(of: symbol.id))
    do {
      try gathering.add(symbol)
      return try gathering.finish(symbol)
    } catch let error as Undoubled {
      throw error
    } catch {
      throw gathering.undoubled("its declaration could not be read: \(error)")
    }
  }
}

private struct Gathering {
  let symbols: Symbols
  let includesDefaults: Bool
  var model: ProtocolModel
  /// The protocol and all that it inherits.
  let hierarchy: [SymbolGraph.Symbol]
  var seen: Set<String> = []
  var associated = AssociatedTypes()
  var isIdentifiable = false

  func undoubled(_ reason: String, module: String? = nil) -> Undoubled {
    Undoubled(
      name: model.name, reason: reason,
      line: "final class \(model.doubleName): \(model.name) { … }", module: module)
  }

  mutating func add(_ symbol: SymbolGraph.Symbol) throws {
    guard seen.insert(symbol.id).inserted else { return }
    let declaration = try DeclarationParser.protocol(symbol)
    if seen.count == 1 {
      model.primary = declaration.primary
      model.isDeprecated = Availability.isDeprecated(symbol)
      if case .globalActor(let name) = declaration.isolation { model.globalActor = name }
      model.mentions.formUnion((symbol.declarationFragments ?? []).compactMap(\.preciseIdentifier))
    }
    model.mentions.insert(symbol.id)
    model.availability += Availability.attributes(of: symbol)
    model.conditions += declaration.conditions
    if let superclass = symbols.superclass(of: symbol.id) {
      let name = symbols[id: superclass]?.pathComponents.joined(separator: ".") ?? superclass
      throw undoubled("it asks for the superclass `\(name)`")
    }
    for relationship in symbols.conformances(of: symbol.id) {
      if let inherited = symbols[id: relationship.target] {
        try add(inherited)
      } else if let inherited = StandardLibrary.inherited(relationship.target) {
        try add(inherited, id: relationship.target, name: relationship.targetFallback)
      } else {
        let name = relationship.targetFallback ?? relationship.target
        throw undoubled(
          "it inherits `\(name)`, whose requirements are not known",
          module: name.split(separator: ".").first.map(String.init))
      }
    }
    for requirement in symbols.requirements(of: symbol.id) {
      if requirement.kind.identifier == "swift.associatedtype" {
        try add(associatedType: requirement)
      } else if includesDefaults || !symbols.hasDefault(requirement, for: hierarchy) {
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
        if requirement.spi == true && symbol.spi != true {
          throw undoubled("its requirement `\(read.title)` is @_spi")
        }
      }
    }
  }

  /// A result builder looks like a global actor, and is no part of what a double declares.
  private func dropResultBuilders(from requirement: inout Requirement) {
    let builders = requirement.mentions.filter(symbols.isResultBuilder)
    let names = Set(builders.compactMap { symbols[id: $0]?.pathComponents.last })
    func isBuilder(_ attribute: String) -> Bool {
      let name = attribute.split(separator: ".").last.map(String.init) ?? attribute
      // Of a module that is not at hand, the name tells.
      return names.contains(name) || name.hasSuffix("Builder")
    }
    guard requirement.attributes.contains(where: isBuilder) else { return }
    requirement.hasResultBuilder = true
    requirement.mentions.subtract(builders)
    let actor = requirement.attributes.last { !isBuilder($0) }
    requirement.isolation = actor.map { .globalActor($0) } ?? .inherited
  }

  private func isActor(_ id: String) -> Bool {
    symbols.conformances(of: id).contains { $0.target == "s:ScA" || isActor($0.target) }
  }

  /// Adds a requirement, or unites it with that of an inherited protocol that one member satisfies.
  private mutating func add(_ requirement: Requirement) {
    model.mentions.formUnion(symbols.expanded(requirement.mentions))
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
    switch inherited {
    case .nothing: if id == "s:s8SendableP" || id == "s:s5ErrorP" { model.isSendable = true }
    case .actor: (model.isActor, model.isSendable) = (true, true)
    case .equatable: model.isEquatable = true
    case .hashable: (model.isEquatable, model.isHashable) = (true, true)
    case .comparable: (model.isEquatable, model.isComparable) = (true, true)
    case .identifiable: isIdentifiable = true
    case .requirements(let requirements, let associatedTypes):
      for name in associatedTypes { associated.add(name, conformances: []) }
      let owner = name?.split(separator: ".").last.map(String.init) ?? ""
      for (declaration, title) in requirements {
        var tokens = Token.lex(declaration)
        if ["func", "var"].contains(tokens[0].text) { tokens[1].role = .name }
        var requirement = try DeclarationParser.requirement(tokens, title: title, owner: owner)
        requirement.isolation = .nonisolated
        add(requirement)
      }
    }
  }

  private mutating func add(associatedType symbol: SymbolGraph.Symbol) throws {
    let (name, conformances, conditions) = try DeclarationParser.associatedType(symbol)
    model.mentions.formUnion((symbol.declarationFragments ?? []).compactMap(\.preciseIdentifier))
    model.conditions += conditions
    associated.add(name, conformances: conformances)
  }

  mutating func finish(_ symbol: SymbolGraph.Symbol) throws -> ProtocolModel {
    model.availability = Array(Set(model.availability)).sorted()
    findGlobalActor()
    // `Self.Item` is `Item`.
    let withoutSelf = model.conditions.map { condition in
      Requirement.Condition(
        left: condition.left.withoutSelf, isSameType: condition.isSameType,
        right: condition.right.withoutSelf)
    }
    associated.apply(
      withoutSelf.filter { condition in
        guard isIdentifiable, condition.left.simpleName == "ID" else {
          return condition.left.simpleName != "Self"
        }
        if condition.isSameType { identify(by: condition.right) }
        return false
      })
    model.conditions = associated.conditions
    model.aliases = associated.aliases
    model.generics = associated.open
    let names = model.generics.map(\.name) + model.aliases.map(\.name)
    if names.contains(model.doubleName) {
      throw undoubled("its associated type is called `\(model.doubleName)`, as its double would be")
    }
    if let name = names.first(where: ["Doubled", "Stub"].contains) {
      throw undoubled("its associated type is called `\(name)`, a name that every double uses")
    }
    return model
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
