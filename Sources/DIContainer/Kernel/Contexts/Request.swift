/// A requested service, and the place of the request.
@usableFromInline
@frozen
package struct Request {
  @usableFromInline package let type: Any.Type
  @usableFromInline package let name: Resolver.Name?
  /// The property, if requested by key path.
  @usableFromInline package let property: PropertyKey?
  @usableFromInline package let location: CodeLocation
  /// The property as its code declares it, if requested by key path on the general path.
  @usableFromInline let declared: DeclaredProperty?

  @inlinable @inline(__always)
  package init(_ type: Any.Type, name: Resolver.Name?, location: CodeLocation) {
    self.type = type
    self.name = name
    property = nil
    self.location = location
    declared = nil
  }

  /// Creates a request by key path.
  @inlinable @inline(__always)
  init(
    _ type: Any.Type, _ property: PropertyKey, location: CodeLocation,
    declared: DeclaredProperty? = nil
  ) {
    self.type = type
    name = nil
    self.property = property
    self.location = location
    self.declared = declared
  }

  package init(_ key: ServiceKey, location: CodeLocation) {
    type = key.type
    name = key.name
    property = key.property
    self.location = location
    declared = nil
  }

  package var key: ServiceKey { ServiceKey(type, name: name, property: property) }
  /// The request as the last link of a chain.
  package var chainLink: ChainLink { ChainLink(key: key, location: location) }
}
