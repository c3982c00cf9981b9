extension Resolver {
  /// A property wrapper that can refer to a property of a container, as in `@Injected(\.payments)`.
  ///
  /// The wrappers differ in when they resolve their services, and share the initialisers by key
  /// path.
  public protocol InjectionWrapper {
    /// The type of the property's service.
    associatedtype Declared

    /// Creates a wrapper of the service that a factory resolves.
    ///
    /// - Parameters:
    ///   - factory: Returns the factory at the time of a request.
    ///   - location: The property's location, for diagnoses.
    init(_from factory: @escaping () -> Factory<Declared>, at location: CodeLocation)
  }
}

extension Resolver.InjectionWrapper {
  /// Resolves a property of the shared container: `@Injected(\.payments)`.
  @inlinable
  public init(
    _ keyPath: KeyPath<Container, Factory<Declared>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      _from: { Container.shared[keyPath: keyPath] },
      at: CodeLocation(fileID, filePath, line, column))
  }

  /// Resolves a property of a shared container: `@Injected(\Warehouse.stock)`.
  @inlinable
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, Factory<Declared>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      _from: { C.shared[keyPath: keyPath] }, at: CodeLocation(fileID, filePath, line, column))
  }
}

// Key paths that no wrapper accepts, declared so that the compiler offers the remedy.

extension Resolver.InjectionWrapper {
  /// Unavailable: a factory that is async or takes a parameter is called on its container.
  @available(
    *, unavailable,
    message: "A wrapper can neither wait nor pass a parameter; call the property of the container"
  )
  @_disfavoredOverload
  public init<F: FactoryModifying>(_ keyPath: KeyPath<Container, F>) where F.T == Declared {
    fatalError()
  }

  /// Unavailable: a factory that is async or takes a parameter is called on its container.
  @available(
    *, unavailable,
    message: "A wrapper can neither wait nor pass a parameter; call the property of the container"
  )
  @_disfavoredOverload
  public init<C: SharedContainer, F: FactoryModifying>(_ keyPath: KeyPath<C, F>)
  where F.T == Declared {
    fatalError()
  }
}
