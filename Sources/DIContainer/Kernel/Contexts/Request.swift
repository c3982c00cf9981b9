/// A requested service, and the place of the request.
package struct Request {
  package let type: Any.Type
  package let name: Resolver.Name?
  /// The property, if requested by key path.
  package let property: PropertyKey?
  package let location: CodeLocation
  /// The property as its code declares it, if requested by key path on the general path.
  let declared: DeclaredProperty?

  package init(_ type: Any.Type, name: Resolver.Name?, location: CodeLocation) {
    self.type = type
    self.name = name
    property = nil
    self.location = location
    declared = nil
  }

  /// Creates a request by key path.
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

  @inline(__always)
  package var key: ServiceKey { ServiceKey(type, name: name, property: property) }
  /// The request as the last link of a chain.
  package var chainLink: ChainLink { ChainLink(key: key, location: location) }
}
