// Registering doubles in a layer, a sandbox's root or any container, by type or by key path.

extension Resolver {
  /// Registers a double for a property of a container type.
  ///
  /// ```swift
  /// withLayer { layer in
  ///   layer.double(\Warehouse.stock) { FakeStock() }
  /// } operation: {
  ///   _ = Warehouse.shared.stock()
  /// }
  /// ```
  ///
  /// It also affects containers that the root does not reach: while this container is a layer or
  /// the root, every `C` returns the double. The last double registered for a property wins. For a
  /// property that returns another container's, the double is that one's. The closure has the form
  /// of the property's own: it takes the parameter if the service does, and runs on the main actor
  /// if the service belongs there.
  ///
  /// - Parameters:
  ///   - keyPath: The property that declares the service.
  ///   - factory: The closure that makes the double.
  @_disfavoredOverload
  public func double<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: Declared.Closure
  ) {
    double(
      keyPath, { $0._form(of: factory).maker }, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a double for a property of `Container`: `layer.double(\.payments) { Fake() }`.
  @_disfavoredOverload
  public func double<Declared: FactoryModifying>(
    _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: Declared.Closure
  ) {
    double(
      keyPath, { $0._form(of: factory).maker }, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Registers one instance as the double for a property of `Container`.
  public func double<Declared: FactoryModifying>(
    _ keyPath: KeyPath<Container, Declared>, _ instance: Declared.T,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Declared.P == Void {
    double(keyPath, { _ in instance }, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Registers one instance as the double for a property of a container type.
  public func double<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, _ instance: Declared.T, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Declared.P == Void {
    double(keyPath, { _ in instance }, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a double for a property, in this container if it is of the type, otherwise for all
  /// containers of the type.
  package func double<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, _ make: @escaping (Declared.P) throws -> Declared.T,
    at location: CodeLocation
  ) {
    double(keyPath, { $0._registration.maker(make) }, at: location)
  }

  private func double<C: SharedContainer, Declared: FactoryModifying>(
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

  /// Registers a double for a type; an alias for `register`.
  @discardableResult
  public func double<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    store(.plain(factory), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers one instance as the double for a type.
  @discardableResult
  public func double<Service>(
    _ type: Service.Type, name: Name? = nil, _ instance: Service, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> ResolverOptions<Service> {
    store(.plain { instance }, name: name, CodeLocation(fileID, filePath, line, column))
  }
}
