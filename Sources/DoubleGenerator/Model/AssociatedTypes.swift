/// The associated types of a protocol and of all that it inherits.
///
/// Conditions bind some of them: those become type aliases of the double. The others are open, and
/// become its generic parameters.
struct AssociatedTypes {
  private var all: [ProtocolModel.Generic] = []
  /// The conditions that do not bind an associated type.
  private(set) var conditions: [Requirement.Condition] = []
  private var bound: [String: TypeSyntax] = [:]

  var open: [ProtocolModel.Generic] {
    all.filter { bound[$0.name] == nil }.map { generic in
      .init(name: generic.name, conformances: generic.conformances.map(substituted))
    }
  }
  var aliases: [(name: String, type: TypeSyntax)] {
    bound.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Adds an associated type, or what an inherited one of its name conforms to.
  mutating func add(_ name: String, conformances: [TypeSyntax]) {
    if !all.contains(where: { $0.name == name }) {
      all.append(ProtocolModel.Generic(name: name, conformances: []))
    }
    for type in conformances { constrain(name, to: type) }
  }

  private mutating func constrain(_ name: String, to type: TypeSyntax) {
    guard let index = all.firstIndex(where: { $0.name == name }),
      !all[index].conformances.contains(where: { $0.text == type.text })
    else { return }
    all[index].conformances.append(type)
  }

  /// Applies all conditions of the protocols.
  mutating func apply(_ all: [Requirement.Condition]) {
    var rest = all
    // What one condition binds may make another one bind.
    while let index = rest.firstIndex(where: { binding(of: $0) != nil }) {
      guard let (name, type) = binding(of: rest.remove(at: index)) else { continue }
      bound[name] = type
      bound = bound.mapValues(substituted)
      if let other = type.simpleName {
        for type in self.all.first(where: { $0.name == name })?.conformances ?? [] {
          constrain(other, to: type)
        }
      }
    }
    for condition in rest { apply(condition) }
  }

  private mutating func apply(_ condition: Requirement.Condition) {
    let (left, right) = (substituted(condition.left), substituted(condition.right))
    let names = Set(open.map(\.name))
    if !condition.isSameType, let name = left.simpleName, names.contains(name) {
      constrain(name, to: right)
    } else if left.mentions(names) || right.mentions(names), left.text != right.text {
      let isReversed = condition.isSameType && !left.mentions(names)
      let condition = Requirement.Condition(
        left: isReversed ? right : left, isSameType: condition.isSameType,
        right: isReversed ? left : right)
      if !conditions.contains(condition) { conditions.append(condition) }
    }
  }

  /// The associated type that a condition binds, and its type.
  private func binding(of condition: Requirement.Condition) -> (String, TypeSyntax)? {
    guard condition.isSameType else { return nil }
    let (left, right) = (substituted(condition.left), substituted(condition.right))
    let names = Set(open.map(\.name))
    for (side, type) in [(left, right), (right, left)] {
      guard let name = side.simpleName, names.contains(name), !type.mentions([name]) else {
        continue
      }
      // An associated type of another one, as in `Item == List.Element`, leaves both open.
      if case .named(let components) = type, components.count > 1, type.mentions(names) { continue }
      return (name, type)
    }
    return nil
  }

  private func substituted(_ type: TypeSyntax) -> TypeSyntax {
    type.mapped { $0.simpleName.flatMap { bound[$0] } }
  }
}
