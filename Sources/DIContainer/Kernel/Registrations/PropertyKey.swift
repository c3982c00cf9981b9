internal import DIPrimitives

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
  /// The name of the property itself, if several share an explicit key the first one's.
  let function: StaticString
  /// The names of the others.
  private let otherFunctions = Lock<[StaticString]>([])
  /// Whether the service's type is optional, so that nil is a valid result of its factory.
  let isOptional: Bool
  /// The boundary that the service is behind, if its declaration says so.
  private let declaredBoundary = Lock<String?>(nil)
  private let hasBoundary = Atomic()

  private init(
    name: String, type: Any.Type, container: Any.Type, location: CodeLocation,
    function: StaticString
  ) {
    self.name = name
    self.type = type
    self.container = container
    self.location = location
    self.function = function
    isOptional = type is any OptionalType.Type
  }

  /// Whether the code of a name, in the property's file, declares it.
  func isDeclared(by function: StaticString) -> Bool {
    function.isSame(as: self.function)
      || otherFunctions.withLock { $0.contains(where: function.isSame) }
  }

  /// The boundary that the service is behind, if any; declared once, and said by every access.
  var boundary: String? {
    get { hasBoundary.isSet ? declaredBoundary.withLock { $0 } : nil }
    set {
      if hasBoundary.isSet { return }
      declaredBoundary.withLock { $0 = newValue }
      hasBoundary.set(true)
    }
  }

  /// Notes the name of a property that declares it by an explicit key.
  func noteDeclaration(by function: StaticString) {
    if function.isSame(as: self.function) { return }
    otherFunctions.withLock { others in
      if !others.contains(where: function.isSame) { others.append(function) }
    }
  }

  /// Returns the key for this property as registered by a layer whose container is of another type.
  func qualified(by container: Any.Type?) -> PropertyKey {
    let container = container ?? self.container
    return Self.known.withLock { known in
      known.key(for: .qualified(ObjectIdentifier(container), property: ObjectIdentifier(self))) {
        PropertyKey(
          name: name, type: type, container: container, location: location, function: function)
      }
    }
  }
}

extension PropertyKey: Hashable {
  @usableFromInline
  package static func == (left: PropertyKey, right: PropertyKey) -> Bool { left === right }

  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Finding the property of a declaration

extension PropertyKey {
  /// Returns the property that the code at a place declares.
  ///
  /// `function`: the property's name if it differs from the service's name.
  static func at(
    _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, in container: AnyClass,
    function: StaticString? = nil
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
        PropertyKey(
          name: spelling.name, type: type, container: container, location: location,
          function: function ?? name)
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
    private let file: UnsafePointer<UInt8>
    let name: UnsafePointer<UInt8>
    private let type: ObjectIdentifier
    private let container: ObjectIdentifier

    /// Fails if the compiler emitted no address for a text, as for single characters.
    init?(
      _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, _ container: AnyClass
    ) {
      let fileID = location.fileIDText
      guard fileID.hasPointerRepresentation, name.hasPointerRepresentation else { return nil }
      (file, self.name) = (fileID.utf8Start, name.utf8Start)
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

  func isSame(as other: StaticString) -> Bool {
    if isSameLiteral(as: other) { return true }
    guard hasPointerRepresentation, other.hasPointerRepresentation else {
      return description == other.description
    }
    return utf8CodeUnitCount == other.utf8CodeUnitCount
      && di_same_bytes(utf8Start, other.utf8Start, utf8CodeUnitCount)
  }
}
