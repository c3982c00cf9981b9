#if canImport(Testing) && canImport(XCTest)
public import DIContainer

extension Resolver {
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

  /// Registers a double that decorates the service that it replaces, such as a spy.
  ///
  /// ```swift
  /// withLayer { mock in
  ///   mock.decorate((any Mailer).self) { live in SpyMailer(live) }
  /// } operation: {
  ///   Resolver.resolve((any Mailer).self).send("Hello")
  /// }
  /// ```
  ///
  /// `transform` receives the instance that would have been resolved without this call, and its
  /// result is returned instead. The results are kept as long as the service's instances are. It is
  /// intended for layers and sandboxes; the innermost of several is applied last.
  ///
  /// - Parameters:
  ///   - type: The type that the service is registered for.
  ///   - name: The name that it is registered under.
  ///   - transform: Makes the double from the instance.
  public func decorate<Service>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ transform: @escaping (Service) throws -> Service
  ) {
    let location = CodeLocation(fileID, filePath, line, column)
    decorate(ServiceKey(type, name: name), at: location, transform)
  }
}

extension ResolverOptions {
  /// Allows a double to go unused, so that no report is made if no test resolves it.
  ///
  /// For spies that shared set-up registers and only some tests need:
  ///
  /// ```swift
  /// resolver.register { SpyMailer() as any Mailer }.mayBeUnused()
  /// ```
  ///
  /// For all doubles of a sandbox use `.sandbox(unusedDoubles: .off)`.
  ///
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public consuming func mayBeUnused() -> ResolverOptions<Service> { allowingNoUse() }
}

extension FactoryModifying {
  /// Allows the double that is registered for the property to go unused.
  ///
  /// - Returns: The factory, for further calls.
  @discardableResult
  public func mayBeUnused() -> Self {
    _registration.allowNoUse()
    return self
  }
}

// Doubles by key path.

extension FactoryModifying {
  /// Registers a double that decorates the property's current instance.
  ///
  /// `container.mailer.decorate { live in SpyMailer(live) }`: `transform` receives the instance
  /// that would have been resolved without this call, including that of a context, and its result
  /// is returned instead. The results are kept as long as the service's instances are. A double or
  /// a context that a test sets afterwards, in the same scope or a nested one, takes precedence.
  ///
  /// Use it in layers and sandboxes, because elsewhere it stays. It differs from `decorator(_:)`,
  /// which receives instances and replaces none.
  ///
  /// - Parameter transform: Makes the double from the instance, on the main actor if the service
  ///   belongs to
  ///   it.
  public func decorate(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ transform: _Wrapper
  ) {
    _registration.decorate(at: CodeLocation(fileID, filePath, line, column), Self._plain(transform))
  }
}

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

  /// Registers a sync double for an async property of a container type.
  ///
  /// The closure may capture values that are not `Sendable`; an error that it throws reaches the
  /// request. The double belongs to this layer or, elsewhere, to the current sandbox, and scopes
  /// nested there inherit it.
  public func double<C: SharedContainer, T>(
    _ keyPath: KeyPath<C, AsyncFactory<T>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> T
  ) {
    double(keyPath, { _ in try factory() }, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a sync double for an async property of `Container`.
  ///
  /// As for a property of another container type.
  public func double<T>(
    _ keyPath: KeyPath<Container, AsyncFactory<T>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> T
  ) {
    double(keyPath, { _ in try factory() }, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a double that decorates a property of a container type.
  ///
  /// `layer.decorate(\MyContainer.mailer) { live in … }` applies to requests of every container of
  /// the type, as `double(_:factory:)` by key path does. A double that a test registers later in a
  /// container which the root does not reach takes precedence, as over any other double; to
  /// decorate that one too, call `MyContainer.shared.mailer.decorate` again.
  ///
  /// - Parameters:
  ///   - keyPath: The property that declares the service, of any kind of factory.
  ///   - transform: Makes the double from the instance that would have been resolved without it.
  public func decorate<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ transform: Declared._Wrapper
  ) {
    decorate(keyPath, at: CodeLocation(fileID, filePath, line, column), Declared._plain(transform))
  }

  /// Registers a double that decorates a property of `Container`.
  ///
  /// An example is `layer.decorate(\.mailer) { live in SpyMailer(live) }`.
  public func decorate<Declared: FactoryModifying>(
    _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ transform: Declared._Wrapper
  ) {
    decorate(keyPath, at: CodeLocation(fileID, filePath, line, column), Declared._plain(transform))
  }
}
#endif
