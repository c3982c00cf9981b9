// Types read as one writes them where they are at home: `ViewModel`, whatever it is nested in. A
// text that names two different ones, `Checkout.ViewModel` and `Basket.ViewModel`, would be no help
// then. So whoever puts a text together says which types it will name, and `describe` reads that.

/// How types read in the text that is being put together.
package struct TypeNames: Sendable {
  @TaskLocal private static var inForce: TypeNames?

  private var types: [ObjectIdentifier: Any.Type] = [:]
  /// Those that would read as others do.
  private var qualified: [ObjectIdentifier: String] = [:]

  /// Puts a text together in which types are told apart.
  ///
  /// - Parameters:
  ///   - types: All that the text may name.
  ///   - text: Puts it together.
  /// - Returns: The text.
  package static func telling<Text>(_ types: [Any.Type], _ text: () -> Text) -> Text {
    var names = inForce ?? TypeNames()
    names.add(types)
    // Where no two read the same, as usual, there is nothing to say.
    if names.qualified.isEmpty, names.types.count < 2 { return text() }
    return $inForce.withValue(names) { text() }
  }

  /// The same with the types of keys.
  static func telling<Text>(
    apart keys: some Sequence<ServiceKey>, _ text: () -> Text
  ) -> Text {
    telling(keys.map(\.type), text)
  }

  /// What a type that is no optional reads as.
  static func name(of type: Any.Type) -> String {
    inForce?.qualified[ObjectIdentifier(type)] ?? "\(type)"
  }

  /// Whether a type reads otherwise than by itself.
  static func tells(_ type: Any.Type) -> Bool {
    inForce.map { $0.qualified[ObjectIdentifier(unwrapped(type))] != nil } ?? false
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
      let full = group.map { Path(String(reflecting: $0)) }
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
    (type as? any OptionalType.Type).map { unwrapped($0.wrapped) } ?? type
  }

  /// A type with all that it is nested in, but for functions and files, which have no names.
  private struct Path {
    let text: String

    init(_ reflected: String) {
      text =
        reflected
        .replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
        .replacing(/\(extension in \w+\):/, with: "")
    }

    /// The same without the first part of each name.
    var withoutModules: String {
      var result = ""
      var word = ""
      var isInside = false
      for character in text {
        if character.isLetter || character.isNumber || character == "_" {
          word.append(character)
          continue
        }
        if character == ".", !word.isEmpty, !isInside {
          isInside = true
        } else {
          result += word + String(character)
          isInside = character == "."
        }
        word = ""
      }
      return result + word
    }
  }
}

// MARK: - Types in words

/// A type's name as one writes it, with `any` before a protocol.
package func describe(_ type: Any.Type) -> String {
  if let optional = type as? any OptionalType.Type {
    let wrapped = describe(optional.wrapped)
    return wrapped.contains(" ") ? "(\(wrapped))?" : "\(wrapped)?"
  }
  return described(type, named: TypeNames.name(of: type))
}

/// The same for a type that is no optional, with its name at hand.
func described(_ type: Any.Type, named name: String) -> String {
  // The runtime writes `any Store<Self.Store.Element == Int>` for `any Store<Int>`, and where there
  // are several, sorts them: then their names stay.
  var name = name
  if name.contains("<Self.") {
    let isOne = name.matches(of: /Self\./).count == 1
    name = name.replacing(#/Self\.(?:\w+\.)*(\w+) == /#) { isOne ? "" : "\($0.1) == " }
  }
  let isBare = Metadata(type).isExistential && type != Any.self && type != AnyObject.self
  return isBare ? "any \(name)" : name
}

/// A type's metatype as one writes it: `(any Payments).self`.
package func metatypeText(_ type: Any.Type) -> String {
  let name = describe(type)
  return name.contains(" ") ? "(\(name)).self" : "\(name).self"
}
