/// The entries that a container may have for one of its properties.
enum PropertyEntry: UInt8 {
  /// A registration made for it.
  case service = 1
  /// The property's own declaration.
  case declaration
  /// The settings made outside the declaration.
  case settings
}

extension Resolver.Name {
  /// A nonzero word that is equal for equal names.
  fileprivate var word: UInt { UInt(bitPattern: rawValue.hashValue) | 1 }
}

/// A key as two words, which decide a lookup except for two names with one hash.
package struct RawKey {
  let first: UInt
  let second: UInt
  let name: Resolver.Name?

  @inline(__always)
  init(
    _ type: Any.Type, name: Resolver.Name?, property: PropertyKey? = nil,
    _ entry: PropertyEntry = .service
  ) {
    if let property {
      first = UInt(bitPattern: Unmanaged.passUnretained(property).toOpaque())
      second = UInt(entry.rawValue)
    } else {
      first = UInt(bitPattern: ObjectIdentifier(type))
      second = name.map(\.word) ?? 0
    }
    self.name = name
  }

  @inline(__always)
  init(_ request: UnsafePointer<Request>) {
    self.init(
      request.pointee.type, name: request.pointee.name, property: request.pointee.property)
  }
}
