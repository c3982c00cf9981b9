/// A requested service, and the place of the request.
package struct Request {
  package let key: ServiceKey
  package let location: CodeLocation
  /// The property as its code declares it, if requested by key path on the general path.
  let declared: DeclaredProperty?

  init(_ key: ServiceKey, location: CodeLocation, declared: DeclaredProperty?) {
    (self.key, self.location, self.declared) = (key, location, declared)
  }

  package init(_ key: ServiceKey, location: CodeLocation) {
    self.init(key, location: location, declared: nil)
  }

  package init(_ type: Any.Type, name: Resolver.Name?, location: CodeLocation) {
    self.init(ServiceKey(type, name: name), location: location)
  }

  package var type: Any.Type { key.type }
  package var name: Resolver.Name? { key.name }
  /// The property, if requested by key path.
  package var property: PropertyKey? { key.property }
  /// The request as the last link of a chain.
  package var chainLink: ChainLink { ChainLink(key: key, location: location) }
}
