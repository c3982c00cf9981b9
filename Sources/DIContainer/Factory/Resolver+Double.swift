// Registering doubles in a layer, a sandbox's root or any container, by type or by key path.

extension Resolver {
  /// Registers a double for a property of a container type, whichever container of it is asked.
  ///
  /// It reaches containers that the root does not: while this container is a layer, or the root of
  /// a sandbox or scoped root, every `C` hands out the double. Of doubles that concern one
  /// property, the last one registered wins.
  ///
  /// - Parameters:
  ///   - keyPath: The property that declares the service.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - factory: Makes the double.
  public func double<C: SharedContainer, T>(
    _ keyPath: KeyPath<C, Factory<T>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> T
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let (container, isOwn) = declaring(C.self)
    let registration = container[keyPath: keyPath].registration
    if isOwn {
      registration.register({ _ in try factory() }, plain: .plain(factory), at: location)
    } else {
      registration.register({ _ in try factory() }, in: self, at: location)
    }
  }

  /// Registers a double for a property of `Container`: `layer.double(\.payments) { Fake() }`.
  public func double<T>(
    _ keyPath: KeyPath<Container, Factory<T>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> T
  ) {
    self[keyPath: keyPath].register(
      fileID: fileID, filePath: filePath, line: line, column: column, factory: factory)
  }

  /// Registers a double for a property whose service takes a parameter.
  public func double<C: SharedContainer, P, T>(
    _ keyPath: KeyPath<C, ParameterFactory<P, T>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (P) throws -> T
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let (container, isOwn) = declaring(C.self)
    let registration = container[keyPath: keyPath].registration
    if isOwn {
      registration.register(factory, at: location)
    } else {
      registration.register(factory, in: self, at: location)
    }
  }

  /// Registers a double for a property of `Container` whose service takes a parameter.
  public func double<P, T>(
    _ keyPath: KeyPath<Container, ParameterFactory<P, T>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (P) throws -> T
  ) {
    self[keyPath: keyPath].register(
      fileID: fileID, filePath: filePath, line: line, column: column, factory: factory)
  }

  /// Registers one instance as the double for a property of `Container`.
  public func double<T>(
    _ keyPath: KeyPath<Container, Factory<T>>, _ instance: T, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    double(keyPath, fileID: fileID, filePath: filePath, line: line, column: column) { instance }
  }

  /// Registers one instance as the double for a property of a container type.
  public func double<C: SharedContainer, T>(
    _ keyPath: KeyPath<C, Factory<T>>, _ instance: T, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    double(keyPath, fileID: fileID, filePath: filePath, line: line, column: column) { instance }
  }

  /// Registers a double for a type; the same as `register`, in a test's words.
  @discardableResult
  public func double<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers one instance as the double for a type.
  @discardableResult
  public func double<Service>(
    _ type: Service.Type, name: Name? = nil, _ instance: Service, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> ResolverOptions<Service> {
    register(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column
    ) { instance }
  }

  /// A container of a type, to read a declaration from; and whether it is this one.
  private func declaring<C: SharedContainer>(_ type: C.Type) -> (C, isOwn: Bool) {
    if let own = self as? C { return (own, true) }
    return (C.shared, false)
  }
}
