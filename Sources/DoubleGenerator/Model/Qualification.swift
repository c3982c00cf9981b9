/// Spells types in the file of a double, where a name may mean something else than in its protocol.
///
/// A graph has a type's own name alone. Outside the types that enclose it, it needs theirs; where
/// another imported module has a type of its name, or the double a member, it needs its module's.
struct Qualification {
  let symbols: Symbols
  let answers: Answers
  /// The modules that the file imports, and the lines that do so.
  let modules: Set<String>
  let imports: [String]
  /// The names of types that are members of the double.
  let hidden: Set<String>
  /// Whether every name gets its module's.
  var isExhaustive = false

  /// Returns nil if the name can stay as it is.
  func qualified(_ components: [TypeSyntax.Component]) -> TypeSyntax? {
    guard let first = components.first, let id = first.id, !id.hasSuffix("Qa") else { return nil }
    var outer: [String] = []
    if let symbol = symbols[id: id], symbol.pathComponents.count > 1 {
      // A type alias that stands in a protocol is found without.
      guard first.name.unescaped == symbol.pathComponents.last?.unescaped,
        ["swift.struct", "swift.class", "swift.enum", "swift.protocol"].contains(
          symbol.kind.identifier)
      else { return nil }
      outer = symbol.pathComponents.dropLast().map(\.escaped)
    }
    if let module = ModuleName.of(id).flatMap({ qualifier(outer.first ?? first.name, of: $0) }) {
      outer.insert(module, at: 0)
    }
    return outer.isEmpty ? nil : .named(outer.map { .init(name: $0) } + components)
  }

  /// The module to put before a name that is ambiguous without; nil if it is not.
  func qualifier(_ name: String, of module: String) -> String? {
    let qualifier = ModuleName.imported(module) ?? module
    guard isExhaustive || isAmbiguous(name, of: module) else { return nil }
    // A type that is called as its module is hides it: such a name is imported alone.
    return symbols.modules(declaring: qualifier).contains(module) ? nil : qualifier
  }

  /// Whether the file sees another type of the name.
  func isAmbiguous(_ name: String, of module: String) -> Bool {
    if hidden.contains(name) { return true }
    let module = ModuleName.imported(module) ?? module
    let others = Set(symbols.modules(declaring: name).compactMap(ModuleName.imported))
    // The standard library gives way to every other module.
    if !others.subtracting([module]).isDisjoint(with: modules) { return true }
    // Modules of the system have no graph here.
    guard symbols.modules.contains(module) else { return false }
    return modules.subtracting(symbols.modules).subtracting([module, "DITesting"]).contains {
      answers.answer(
        Question(kind: .isDeclared, type: "\($0).\(name)", imports: imports), otherwise: false)
    }
  }
}
