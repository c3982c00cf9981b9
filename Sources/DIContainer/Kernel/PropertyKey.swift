/// A property of a typed container, one object for each: compared by identity.
///
/// The same name in two files, for two types, or for two container types, is two properties.
@usableFromInline
package final class PropertyKey: Sendable {
  package let name: String
  package let fileID: String
  /// The type of container that it was first seen in.
  let container: Any.Type
  private static let known = Lock<[Sighting: PropertyKey]>([:])

  /// By what a property is recognised.
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

  /// The same property where a layer registers for it that is not of its container's type.
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

/// A key as two words, which decide a lookup but for two names with one hash.
package struct RawKey {
  let first: UInt
  let second: UInt
  let name: Resolver.Name?

  @inline(__always)
  init(_ property: PropertyKey) {
    first = UInt(bitPattern: Unmanaged.passUnretained(property).toOpaque())
    second = 1
    name = nil
  }

  @inline(__always)
  init(_ type: Any.Type, name: Resolver.Name?, property: PropertyKey? = nil) {
    if let property {
      first = UInt(bitPattern: Unmanaged.passUnretained(property).toOpaque())
      second = 1
    } else {
      first = UInt(bitPattern: unsafeBitCast(type, to: Int.self))
      second = name.map(\.word) ?? 0
    }
    self.name = name
  }

  @inline(__always)
  init(_ request: UnsafePointer<Request>) {
    // Read once: each reading counts a reference.
    let name = request.pointee.name
    if let property = request.pointee.propertyReference {
      first = UInt(bitPattern: property.toOpaque())
      second = 1
    } else {
      first = UInt(bitPattern: unsafeBitCast(request.pointee.type, to: Int.self))
      second = name.map(\.word) ?? 0
    }
    self.name = name
  }
}

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
  Metadata(type).isExistential && type != Any.self && type != AnyObject.self ? "any \(name)" : name
}

/// A type's metatype as one writes it: `(any Payments).self`.
package func metatypeText(_ type: Any.Type) -> String {
  let name = describe(type)
  return name.contains(" ") ? "(\(name)).self" : "\(name).self"
}

/// `Optional`, seen without knowing what it wraps.
package protocol OptionalType {
  static var wrapped: Any.Type { get }
  static var none: Self { get }
  var content: Any? { get }
  /// Why a request for what it wraps came to nothing.
  static func failure(
    name: Resolver.Name?, at location: CodeLocation, asked: Resolver
  ) -> ResolutionError
  /// All services that are registered for what it wraps.
  static func all(args: Any?, at location: CodeLocation, asked: Resolver) throws -> [Self]
}

extension Optional: OptionalType {
  package static var wrapped: Any.Type { Wrapped.self }
  package var content: Any? { self }

  package static func failure(
    name: Resolver.Name?, at location: CodeLocation, asked: Resolver
  ) -> ResolutionError {
    Engine.failure(Request(Wrapped.self, name: name, location: location), asked: asked)
  }

  package static func all(
    args: Any?, at location: CodeLocation, asked: Resolver
  ) throws -> [Wrapped?] {
    try asked.requireMany(Wrapped.self, args: args, at: location)
  }
}
