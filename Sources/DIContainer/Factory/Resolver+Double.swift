// Registering for the property of a container, in a layer, a sandbox's root or any container.

extension Resolver {
  /// Registers a double for a property, in this container if it is of the type, otherwise for all
  /// containers of the type.
  package func double<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, _ make: @escaping (Declared.P) throws -> Declared.T,
    at location: CodeLocation
  ) {
    double(keyPath, { $0._registration.maker(make) }, at: location)
  }

  package func double<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, _ maker: (Declared) -> Maker, at location: CodeLocation
  ) {
    let declared = declared(by: keyPath)
    let declaration = declared._registration.declaration
    declaration.register(maker(declared), in: owner(of: declaration), at: location)
  }

  /// Registers a decoration that applies `transform` to a property's instance.
  ///
  /// It applies to this container if it is of the type, otherwise to all containers of the type.
  package func decorate<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, at location: CodeLocation,
    _ transform: @escaping (Declared.T) throws -> Declared.T
  ) {
    let declaration = declared(by: keyPath)._registration.declaration
    declaration.decorate(in: owner(of: declaration), at: location, transform)
  }

  /// Returns nil for a property of this container; otherwise the container itself, which then
  /// registers for another one's.
  ///
  /// A property may return the factory of another container's.
  private func owner(of declaration: Declaration) -> Resolver? {
    declaration.core === core ? nil : self
  }

  private func declared<C: SharedContainer, Declared>(
    by keyPath: KeyPath<C, Declared>
  ) -> Declared {
    (self as? C ?? C.shared)[keyPath: keyPath]
  }
}
