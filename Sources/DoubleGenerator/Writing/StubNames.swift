/// Names the stubs of a protocol's requirements.
///
/// A stub has the base name of its requirement; where that is overloaded, the argument labels are
/// added, and where those are equal, the types. Properties have `getName` and `setName`, subscripts
/// `getSubscript` and `setSubscript`. A name that the double needs for a member of its own gets
/// `Stub` at its end, as that of a method without parameters always does.
struct StubNames {
  private let names: [String]

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
    func candidates() -> [String] {
      requirements.indices.map { Self.name(requirements[$0], level: levels[$0], taken: taken) }
    }
    for _ in 0..<4 {
      let current = candidates()
      let counts = Dictionary(current.map { ($0, 1) }, uniquingKeysWith: +)
      for index in current.indices where counts[current[index], default: 0] > 1 {
        levels[index] += 1
      }
    }
    names = candidates()
  }

  /// The name of a requirement's stub; of two, that of the getter's.
  subscript(index: Int) -> String { names[index] }

  func setter(_ index: Int) -> String { "set" + names[index].dropFirst(3) }

  private static func name(_ requirement: Requirement, level: Int, taken: Set<String>) -> String {
    var name = requirement.kind == .operator ? words(requirement.name) : requirement.name
    if level > 0 || name == "init" {
      name += requirement.labels.map(\.capitalizedFirst).joined()
    }
    if level > 1 {
      name += requirement.parameters.map { $0.type.nameInStub }.joined()
      if requirement.kind == .property { name += requirement.result.nameInStub }
    }
    if level > 2 { name += "Returning" + requirement.result.nameInStub }
    if level > 3 {
      name += requirement.owner.capitalizedFirst
    }
    if requirement.kind == .property || requirement.kind == .subscript {
      name = "get" + name.capitalizedFirst
    }
    // A property that is called as the double itself is makes the compiler fail.
    let isTaken = taken.contains(name) || ["init", "callAsFunction"].contains(name)
    return isTaken ? name + "Stub" : name
  }

  /// `lessEqualOperator` for `<=`.
  private static func words(_ operation: String) -> String {
    let words: [Character: String] = [
      "+": "plus", "-": "minus", "*": "times", "/": "slash", "<": "less", ">": "greater",
      "=": "equal", "!": "not", "&": "and", "|": "or", "^": "caret", "~": "tilde", "%": "percent",
      "?": "question", ".": "dot",
    ]
    let names = operation.map { words[$0] ?? "symbol" }
    return names[0] + names.dropFirst().map(\.capitalizedFirst).joined() + "Operator"
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension TypeSyntax {
  /// The words of a type, as in `StringInt` for `[String: Int]`.
  fileprivate var nameInStub: String {
    text.split { !$0.isLetter && !$0.isNumber }.map { String($0).capitalizedFirst }.joined()
  }
}
