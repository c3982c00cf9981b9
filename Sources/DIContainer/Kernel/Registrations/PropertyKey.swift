/// A property of a typed container, with one object per property: compared by identity.
///
/// Properties of one name in two files, of two types, or of two container types, are different.
@usableFromInline
package final class PropertyKey: Sendable {
  let name: String
  let fileID: String
  /// The type of container that it was first seen in.
  let container: Any.Type
  private static let known = Lock<[Sighting: PropertyKey]>([:])

  /// The features by which a property is recognised.
  private enum Sighting: Hashable {
    case inContainer(ObjectIdentifier, Declared)
    case atPlace(line: UInt, column: UInt, Declared)
    case qualified(ObjectIdentifier, property: ObjectIdentifier)
  }

  private struct Declared: Hashable {
    let name: String
    let fileID: String
    let type: ObjectIdentifier
  }

  private init(name: String, fileID: String, container: Any.Type) {
    self.name = name
    self.fileID = fileID
    self.container = container
  }

  /// The one key for a property; it is never freed.
  ///
  /// A container type has one property of a name and type in a file, even if it is declared at
  /// several places (`if … { return self { … } }`). A place belongs to one property, even if it
  /// declares that for several container types, in an extension of a protocol.
  static func of(
    name: String, _ place: CodeLocation, type: Any.Type, container: Any.Type
  ) -> PropertyKey {
    let fileID = place.fileID
    let declared = Declared(name: name, fileID: fileID, type: ObjectIdentifier(type))
    let inContainer = Sighting.inContainer(ObjectIdentifier(container), declared)
    let atPlace = Sighting.atPlace(line: place.line, column: place.column, declared)
    return known.withLock { known in
      let key =
        known[inContainer] ?? known[atPlace]
        ?? PropertyKey(name: name, fileID: fileID, container: container)
      known[inContainer] = key
      if known[atPlace] == nil { known[atPlace] = key }
      return key
    }
  }

  /// Returns the key for this property as registered by a layer whose container is of another type.
  func qualified(by container: Any.Type?) -> PropertyKey {
    let sighting = Sighting.qualified(
      ObjectIdentifier(container ?? Never.self), property: ObjectIdentifier(self))
    return Self.known.withLock { known in
      if let key = known[sighting] { return key }
      let key = PropertyKey(name: name, fileID: fileID, container: container ?? self.container)
      known[sighting] = key
      return key
    }
  }
}
