#if canImport(Testing) && canImport(XCTest)
import DIContainer

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
    column: UInt = #column, _ transform: Wrapper
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
    _ transform: Declared.Wrapper
  ) {
    decorate(keyPath, at: CodeLocation(fileID, filePath, line, column), Declared._plain(transform))
  }

  /// Registers a double that decorates a property of `Container`.
  ///
  /// An example is `layer.decorate(\.mailer) { live in SpyMailer(live) }`.
  public func decorate<Declared: FactoryModifying>(
    _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ transform: Declared.Wrapper
  ) {
    decorate(keyPath, at: CodeLocation(fileID, filePath, line, column), Declared._plain(transform))
  }
}
#endif
