/// Names the stubs of a protocol's requirements.
///
/// A stub has the base name of its requirement; where that is overloaded, the argument labels are
/// added, and where those are equal, the types. Where their words are equal too, the name tells
/// apart what Swift does: `async`, collections and optionals, and constraints. Properties have
/// `getName` and `setName`, subscripts `getSubscript` and `setSubscript`. A name that the double
/// needs for another member gets `Stub` at its end, as that of a method without parameters always
/// does.
struct StubNames {
  /// The name of a requirement's stub; of two, that of the getter's and that of the setter's.
  private struct Names {
    var stub: String
    var setter: String?
  }
  private let names: [Names]
  private let clashing: Set<Int>

  /// - Parameter requirements: Those of the type, or those of its instances.
  init(_ requirements: [Requirement]) {
    // A stored property may stand beside a method of its name that has parameters.
    let taken = Set(
      requirements.filter { requirement in
        switch requirement.kind {
        case .property: true
        case .method: requirement.parameters.isEmpty
        default: false
        }
      }.map(\.name))
    var levels = requirements.map { requirement in
      requirements.filter { $0.name == requirement.name && $0.kind != .operator }.count > 1 ? 1 : 0
    }
    func candidates() -> [Names] {
      requirements.indices.map { index in
        let stub = Self.name(requirements[index], level: levels[index], taken: taken)
        return Names(
          stub: stub, setter: requirements[index].isSettable ? "set" + stub.dropFirst(3) : nil)
      }
    }
    func clashing(_ names: [Names]) -> Set<Int> {
      let stubs = Dictionary(names.map { ($0.stub, 1) }, uniquingKeysWith: +)
      let setters = Dictionary(names.compactMap(\.setter).map { ($0, 1) }, uniquingKeysWith: +)
      return Set(
        names.indices.filter { index in
          guard stubs[names[index].stub] == 1 else { return true }
          // Of a setter and a method that is called like it, the method keeps its name.
          guard let setter = names[index].setter else { return false }
          return setters[setter] != 1 || stubs[setter] != nil || taken.contains(setter)
        })
    }
    for _ in 0..<Self.levels {
      for index in clashing(candidates()) { levels[index] += 1 }
    }
    names = candidates()
    self.clashing = clashing(names)
  }

  /// Whether nothing tells the requirement from another.
  func isClashing(_ index: Int) -> Bool { clashing.contains(index) }

  subscript(index: Int) -> String { names[index].stub }

  func setter(_ index: Int) -> String { names[index].setter ?? "" }

  private static let levels = 9

  private static func name(_ requirement: Requirement, level: Int, taken: Set<String>) -> String {
    var name =
      requirement.kind == .operator
      ? words(requirement.name, isExact: level > 4) : requirement.name
    if level > 0 || name == "init" {
      name += requirement.labels.map(\.capitalizedFirst).joined()
    }
    name += level > 4 ? exactTypes(requirement, level: level) : types(requirement, level: level)
    if requirement.kind == .property || requirement.kind == .subscript {
      name = "get" + name.capitalizedFirst
    }
    // A property that is called as the double itself is makes the compiler fail.
    let isOwn = ["init", "callAsFunction", "self", "asDoubled"].contains(name)
    if isOwn || taken.contains(name) { name += "Stub" }
    while taken.contains(name) { name += "Stub" }
    return name
  }

  private static func types(_ requirement: Requirement, level: Int) -> String {
    var name = ""
    if level > 1 {
      name += requirement.parameters.map { $0.type.nameInStub }.joined()
      if requirement.kind == .property { name += requirement.result.nameInStub }
    }
    if level > 2 { name += "Returning" + requirement.result.nameInStub }
    if level > 3 { name += requirement.owner.capitalizedFirst }
    return name
  }

  /// What tells overloads apart whose types have the same words.
  private static func exactTypes(_ requirement: Requirement, level: Int) -> String {
    var name = ""
    if level > 5 {
      name += requirement.parameters.map {
        ($0.isVariadic ? "Variadic" : "") + $0.type.withoutSugar.nameInStub
      }.joined()
      if requirement.kind == .property { name += requirement.result.withoutSugar.nameInStub }
    }
    if level > 6, !requirement.conditions.isEmpty {
      name +=
        "Where"
        + requirement.conditions.map {
          $0.left.withoutSugar.nameInStub + $0.right.withoutSugar.nameInStub
        }.joined()
    }
    if level > 7 { name += "Returning" + requirement.result.withoutSugar.nameInStub }
    if level > 8 { name += requirement.owner.capitalizedFirst }
    return requirement.isAsync ? name + "Async" : name
  }

  /// `lessEqualOperator` for `<=`, `symbolOperator` for `∪`, and `unionOperator` if exact.
  private static func words(_ operation: String, isExact: Bool) -> String {
    let words: [Character: String] = [
      "+": "plus", "-": "minus", "*": "times", "/": "slash", "<": "less", ">": "greater",
      "=": "equal", "!": "not", "&": "and", "|": "or", "^": "caret", "~": "tilde", "%": "percent",
      "?": "question", ".": "dot",
    ]
    let names = operation.map { words[$0] ?? (isExact ? $0.nameInStub : "symbol") }
    return names[0] + names.dropFirst().map(\.capitalizedFirst).joined() + "Operator"
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Character {
  /// The words of its Unicode name, as in `subsetOf` for `⊂`.
  fileprivate var nameInStub: String {
    let words = unicodeScalars.flatMap { ($0.properties.name ?? "symbol").split { !$0.isLetter } }
      .map { String($0).lowercased() }
    return words[0] + words.dropFirst().map(\.capitalizedFirst).joined()
  }
}

extension TypeSyntax {
  /// The words of a type, as in `StringInt` for `[String: Int]`.
  fileprivate var nameInStub: String {
    text.split { !$0.isLetter && !$0.isNumber }.map { String($0).capitalizedFirst }.joined()
  }

  /// The type with a word for each bracket and mark, as in `Array<Int>` for `[Int]`.
  fileprivate var withoutSugar: TypeSyntax {
    func named(_ name: String, _ arguments: [TypeSyntax]) -> TypeSyntax {
      .named([Component(name: name, arguments: arguments.map(\.withoutSugar))])
    }
    return mapped { part in
      switch part {
      case .array(let element): named("Array", [element])
      case .optional(let type), .unwrapped(let type): named("Optional", [type])
      case .dictionary(let key, let value): named("Dictionary", [key, value])
      case .tuple(let elements) where !elements.isEmpty: named("Tuple", elements.map(\.type))
      case .function(let function):
        named(
          "Function",
          function.parameters.map(\.type) + (function.isAsync ? [.name("Async")] : [])
            + (function.failure.throwsErrors ? [.name("Throws")] : []) + [function.result])
      default: nil
      }
    }
  }
}
