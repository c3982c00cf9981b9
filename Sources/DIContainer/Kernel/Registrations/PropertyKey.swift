// A property is recognised by four addresses that the compiler put into the declaring code: file,
// name, the service's type and the container's class. Code that is seen for the first time is
// compared by content, once. No key is ever released.

/// A property that declares a service, with one object per property: compared by identity.
///
/// Properties of one name in two files, of two types, or of two container types, are different. The
/// line is no part of it: for one name and type, a container type has one property in a file, even
/// if it is declared at several places (`if … { return self { … } }`). What one place declares
/// by one name and type is one property, even for several container types, in an extension of a
/// protocol.
@usableFromInline
package final class PropertyKey: Sendable {
  /// The name of the service: that of the property, unless the declaration specifies another one.
  package let name: String
  /// The type of the service.
  let type: Any.Type
  /// The type of container that it was first seen in.
  let container: Any.Type
  /// The place of the declaration that was seen first.
  let location: CodeLocation
  /// Whether the service's type is optional, so that nil is a valid result of its factory.
  let isOptional: Bool
  /// The keeper of the singleton, for the property of a container type.
  private let singletonKeeper: Unchecked<Keeper?>
  /// Whether it was a singleton in some container, and whether contexts were set outside its
  /// declaration: else there are none to look for.
  let wasSingleton = Atomic()
  let hadContexts = Atomic()

  private init(
    name: String, type: Any.Type, container: Any.Type, location: CodeLocation,
    singletonKeeper: Keeper? = nil
  ) {
    self.name = name
    self.type = type
    self.container = container
    self.location = location
    // Keepers may be used by every thread (Keeper.swift).
    self.singletonKeeper = Unchecked(singletonKeeper)
    isOptional = type is any OptionalType.Type
  }

  /// Returns the key for this property of a container type, as a layer of another one registers it.
  func qualified(by container: Any.Type?) -> PropertyKey {
    let container = container ?? self.container
    return Self.known.withLock { known in
      known.key(for: .qualified(ObjectIdentifier(container), property: ObjectIdentifier(self))) {
        PropertyKey(
          name: name, type: type, container: container, location: location,
          singletonKeeper: Keeper(.singleton, type))
      }
    }
  }

  /// Returns the keeper of the singleton that the property is in a container type.
  func singletonKeeper(of container: Any.Type) -> Keeper {
    qualified(by: container).singletonKeeper.value!
  }
}

// MARK: - Finding the property of a declaration

extension PropertyKey {
  /// Returns the property that the code at a place declares.
  static func at(
    _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, in container: AnyClass
  ) -> PropertyKey {
    known.withLock { known in
      let code = Code(location, type, name, container)
      if let code, let key = known.byCode[code] { return key }
      let spelling = Spelling(
        name: name.description, fileID: location.fileID, type: ObjectIdentifier(type))
      let key = known.key(
        for: .inContainer(ObjectIdentifier(container), spelling),
        or: .atPlace(line: location.line, column: location.column, spelling)
      ) {
        PropertyKey(name: spelling.name, type: type, container: container, location: location)
      }
      if let code { known.byCode[code] = key }
      return key
    }
  }

  private static let known = Lock(Known())

  private struct Known {
    var byCode: [Code: PropertyKey] = [:]
    private var bySighting: [Sighting: PropertyKey] = [:]

    /// Returns the key seen before by one feature or the other, or a new one.
    mutating func key(
      for sighting: Sighting, or other: Sighting? = nil, orMake make: () -> PropertyKey
    ) -> PropertyKey {
      let key = bySighting[sighting] ?? other.flatMap { bySighting[$0] } ?? make()
      bySighting[sighting] = key
      if let other, bySighting[other] == nil { bySighting[other] = key }
      return key
    }
  }

  /// A feature by which a property is recognised.
  private enum Sighting: Hashable {
    case inContainer(ObjectIdentifier, Spelling)
    case atPlace(line: UInt, column: UInt, Spelling)
    case qualified(ObjectIdentifier, property: ObjectIdentifier)
  }

  private struct Spelling: Hashable {
    let name: String
    let fileID: String
    let type: ObjectIdentifier
  }

  /// The addresses by which the declaring code is recognised.
  struct Code: Hashable {
    private let file: UInt
    let name: UInt
    private let type: ObjectIdentifier
    private let container: ObjectIdentifier

    /// Fails if the compiler emitted no address for a text, as for single characters.
    init?(
      _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, _ container: AnyClass
    ) {
      let fileID = location.fileIDText
      guard fileID.hasPointerRepresentation, name.hasPointerRepresentation else { return nil }
      (file, self.name) = (UInt(bitPattern: fileID.utf8Start), UInt(bitPattern: name.utf8Start))
      (self.type, self.container) = (ObjectIdentifier(type), ObjectIdentifier(container))
    }

    func hash(into hasher: inout Hasher) {
      // Few properties share these two.
      hasher.combine(name)
      hasher.combine(container)
    }
  }
}

extension StaticString {
  /// Returns whether it is the same literal, or one of the same characters at the same address.
  @inlinable @inline(__always)
  func isSameLiteral(as other: StaticString) -> Bool {
    hasPointerRepresentation && other.hasPointerRepresentation && utf8Start == other.utf8Start
  }
}
