extension ManagedContainer {
  /// Declares a service, in a property of the container: `self { LiveService() }`.
  ///
  /// - Parameters:
  ///   - key: The identifier of the service in its container; the property's name unless given.
  ///   - factory: The closure that makes an instance, unless another one is registered.
  /// - Returns: The factory, for further modifiers, and as the property's value.
  @inlinable @inline(__always)
  public func callAsFunction<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ factory: @escaping () throws -> T
  ) -> Factory<T> {
    Factory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares a service that takes a parameter: `self { Order(id: $0) }`.
  ///
  /// Several parameters form a tuple.
  @_disfavoredOverload
  public func callAsFunction<P, T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ factory: @escaping (P) throws -> T
  ) -> ParameterFactory<P, T> {
    ParameterFactory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares a service; an alias for `self { … }`.
  @inlinable @inline(__always)
  public func makes<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ factory: @escaping () throws -> T
  ) -> Factory<T> {
    Factory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares a service that takes a parameter; an alias for `self { … in … }`.
  @_disfavoredOverload
  public func makes<P, T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ factory: @escaping (P) throws -> T
  ) -> ParameterFactory<P, T> {
    ParameterFactory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares a service that another module registers.
  ///
  /// ```swift
  /// extension Container {
  ///   public var mailer: Factory<(any Mailer)?> { promised() }
  /// }
  /// ```
  ///
  /// Until it is registered, a request for the optional returns nil. `require()`, and a request for
  /// the wrapped type, fail with the diagnosis that nothing is registered.
  public func promised<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Factory<T?> {
    Factory<T?>(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column
    ) { nil }.changed { $0.settings.isPromise = true }
  }

  /// Declares a service with a parameter that another module registers.
  public func promised<P, T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ParameterFactory<P, T?> {
    ParameterFactory<P, T?>(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column
    ) { _ in nil }.changed { $0.settings.isPromise = true }
  }

  /// Calls a closure with every instance that the container returns by key path.
  ///
  /// It runs after the decorator of a declaration. Inside a sandbox it applies to that sandbox
  /// only.
  ///
  /// - Parameter decorator: The closure, or nil for none.
  public func decorator(_ decorator: ((Any) -> Void)?) {
    manager.prepare(self)
    manager.core.set { $0.decorator = .some(decorator) }
  }

  /// Resets registrations and kept instances; see `ContainerManager.reset(options:)`.
  public func reset(
    options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    manager.reset(
      options: options, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
