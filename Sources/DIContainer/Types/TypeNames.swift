// Types are written by their own names: `ViewModel`, wherever it is nested. That would not help in
// a text that names two different ones, `Checkout.ViewModel` and `Basket.ViewModel`. So the code
// that composes a text lists the types that it will name, and `describe` reads that.

/// The names of types in the text that is being composed.
package struct TypeNames: Sendable {
  @TaskLocal private static var inForce: TypeNames?

  private var types: [ObjectIdentifier: Any.Type] = [:]
  /// Longer names for types that would otherwise read alike.
  private var qualified: [ObjectIdentifier: String] = [:]

  /// Composes a text in which the names of types are distinct.
  ///
  /// - Parameters:
  ///   - types: All types that the text may name.
  ///   - text: A closure that composes the text.
  /// - Returns: The text.
  package static func telling<Text>(_ types: [Any.Type], _ text: () -> Text) -> Text {
    var names = inForce ?? TypeNames()
    names.add(types)
    // Usually all names are distinct, and nothing has to be bound.
    if names.qualified.isEmpty, names.types.count < 2 { return text() }
    return $inForce.withValue(names) { text() }
  }

  /// Returns the name of a type that is no optional and no list.
  static func name(of type: Any.Type) -> String {
    (type as? any NamedInTexts.Type)?.nameInTexts
      ?? inForce?.qualified[ObjectIdentifier(type)] ?? "\(type)"
  }

  private mutating func add(_ new: [Any.Type]) {
    let count = types.count
    for type in new {
      let type = Self.unwrapped(type)
      types[ObjectIdentifier(type)] = type
    }
    guard types.count > max(count, 1) else { return }
    let groups = Dictionary(grouping: types.values) { described($0, named: "\($0)") }
    qualified = [:]
    for group in groups.values where group.count > 1 {
      let full = group.map { FullName(String(reflecting: $0)) }
      let short = full.map(\.withoutModules)
      for (index, type) in group.enumerated() {
        let texts =
          [short[index]].filter { text in short.count { $0 == text } == 1 }
          + [full[index].text].filter { text in full.count { $0.text == text } == 1 }
        qualified[ObjectIdentifier(type)] = texts.first
      }
    }
  }

  private static func unwrapped(_ type: Any.Type) -> Any.Type {
    if let list = type as? any ListType.Type { return unwrapped(list.element) }
    return (type as? any OptionalType.Type).map { unwrapped($0.wrapped) } ?? type
  }

  /// A type with all that it is nested in, except for functions and files, which have no names.
  private struct FullName {
    let text: String

    init(_ reflected: String) {
      text =
        reflected
        .replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
        .replacing(/\(extension in \w+\):/, with: "")
    }

    /// The path without the first part of each name.
    var withoutModules: String {
      text.replacing(/\.?\w+(?:\.\w*)+/) { name in
        // What follows a type's arguments is nested in that type.
        name.output.hasPrefix(".") ? name.output : name.output.drop { $0 != "." }.dropFirst()
      }
    }
  }
}

/// A type that no user knows, which texts call by a name of its own.
package protocol NamedInTexts {
  static var nameInTexts: String { get }
}

// MARK: - Types in words

/// Returns a type's name as in source code, with `any` before a protocol.
package func describe(_ type: Any.Type) -> String {
  if let optional = type as? any OptionalType.Type {
    return optionalName(of: describe(optional.wrapped))
  }
  // The runtime's name of a list is Swift, unless that of its elements needs another.
  if let list = type as? any ListType.Type, describe(list.element) != "\(list.element)" {
    return "[\(describe(list.element))]"
  }
  return described(type, named: TypeNames.name(of: type))
}

/// Returns the name of a type's optional, given the type's name.
func optionalName(of name: String) -> String { "\(grouped(name))?" }

/// Returns a type's name in parentheses, if it has a space outside of brackets: `(any Payments)`.
private func grouped(_ name: String) -> String {
  var depth = 0
  let isLoose = name.contains { letter in
    if "([<".contains(letter) { depth += 1 }
    if ")]>".contains(letter) { depth -= 1 }
    return letter == " " && depth == 0
  }
  return isLoose ? "(\(name))" : name
}

/// Returns such a name for a type that is no optional and no list, given its bare name.
func described(_ type: Any.Type, named name: String) -> String {
  // The runtime writes `any Store<Self.Store.Element == Int>` for `any Store<Int>`, and sorts
  // several such constraints: then their names stay.
  var name = name
  if name.contains("<Self.") {
    let isOne = name.matches(of: /Self\./).count == 1
    name = name.replacing(#/Self\.(?:\w+\.)*(\w+) == /#) { isOne ? "" : "\($0.1) == " }
  }
  // The runtime's name of a protocol's own metatype.
  if name.hasSuffix(".Protocol") { return "(any \(name.dropLast(9))).Type" }
  let isBare = Metadata(type).isExistential && type != Any.self && type != AnyObject.self
  return isBare ? "any \(name)" : name
}

/// Returns a type's metatype as in source code: `(any Payments).self`.
package func metatypeText(_ type: Any.Type) -> String {
  "\(grouped(describe(type))).self"
}

/// A list, whose elements are named as in source code.
protocol ListType {
  static var element: Any.Type { get }
}

extension Array: ListType {
  static var element: Any.Type { Element.self }
}
