/// A container that declares services as properties.
public protocol ManagedContainer: AnyObject, Sendable {
  /// What the container has in common with every container.
  var manager: ContainerManager { get }
}

extension ManagedContainer {
  /// Declares a service, in a property of the container: `self { LiveService() }`.
  ///
  /// - Parameters:
  ///   - key: Identifies the service in its container; the property's name unless given.
  ///   - function: The property's name, also where a key is given.
  ///   - fileID: The property's file.
  ///   - filePath: The property's file, for diagnoses.
  ///   - line: The property's line, for diagnoses.
  ///   - column: The property's column, for diagnoses.
  ///   - factory: Makes an instance, unless something else is registered.
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

  /// Declares a service that takes a parameter; several are passed as a tuple.
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

  /// Declares a service; the same as `self { … }`.
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

  /// Declares a service that takes a parameter; the same as `self { … in … }`.
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

  /// Declares a service that another module is going to register.
  ///
  /// Until then the factory returns nil where an optional is asked for. `require()`, and a request
  /// for what the optional wraps, report that nothing was registered; so does every request of a
  /// container whose `manager.promiseTriggersError` is set.
  public func promised<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Factory<T?> {
    var factory = Factory<T?>(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column
    ) { nil }
    factory.registration.isPromise = true
    return factory
  }

  /// Declares a service with a parameter that another module is going to register.
  public func promised<P, T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ParameterFactory<P, T?> {
    var factory = ParameterFactory<P, T?>(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column
    ) { _ in nil }
    factory.registration.isPromise = true
    return factory
  }

  /// Calls a closure with every instance that the container hands out by key path.
  ///
  /// It runs beside a factory's own decorator. Inside a sandbox it is set for that sandbox.
  public func decorator(_ decorator: ((Any) -> Void)?) {
    manager.prepare(self)
    manager.core.factories.setDecorator(decorator, manager.core)
  }

  /// Takes back what was registered or kept; see `ContainerManager.reset(options:)`.
  public func reset(
    options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    manager.reset(
      options: options, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
