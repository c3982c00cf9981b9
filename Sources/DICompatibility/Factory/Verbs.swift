public import DIContainer

// Factory's rarer verbs of containers and factories.

extension SharedContainer {
  /// Passes the container to an async closure, on the actor to which the closure is isolated, and
  /// returns the container.
  ///
  /// There is no form without a name, because calling that in an async function makes the compiler
  /// (6.3.1) crash on `Resolver { r in … }`.
  @discardableResult
  public func with(_ transform: @Sendable @isolated(any) (Self) async -> Void) async -> Self {
    await transform(self)
    return self
  }

  /// Passes the container to a closure, and returns the container.
  @discardableResult
  public func with(_ transform: (Self) -> Void) -> Self {
    transform(self)
    return self
  }
}

extension ManagedContainer {
  /// Returns the options of the container's own registration for a type, to change them; nil when
  /// there is none.
  public func factory<Service>(_ type: Service.Type) -> ResolverOptions<Service>? {
    options(of: type)
  }

  /// Declares an async service; an alias for `self { … }`.
  @_disfavoredOverload
  public func makes<T: Sendable>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ factory: (@Sendable () async throws -> T)?
  ) -> AsyncFactory<T> {
    self(
      key: key, function: function, fileID: fileID, filePath: filePath, line: line, column: column,
      factory)
  }

  /// Declares a service of the main actor; an alias for `self { … }`.
  @_disfavoredOverload
  public func makes<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ factory: @escaping @MainActor () throws -> T
  ) -> MainActorFactory<T> {
    self(
      key: key, function: function, fileID: fileID, filePath: filePath, line: line, column: column,
      factory)
  }
}

extension ParameterFactory {
  /// Returns the instance for several parameters; an alias for calling the factory.
  public func resolve<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T where P == (First, Second, repeat each Other) {
    callAsFunction(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for several parameters, or throws a diagnosis when there is none.
  public func require<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> T where P == (First, Second, repeat each Other) {
    try require(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

extension FactoryModifying {
  /// Returns the factory with the number of seconds without a request after which a kept instance
  /// is replaced.
  ///
  /// The next request replaces it.
  ///
  /// - Parameter seconds: The number of seconds since the last request.
  /// - Returns: The factory with the setting.
  @_disfavoredOverload
  public func timeToLive(_ seconds: Double) -> Self {
    // No number is too large, unlike for a duration.
    timeToLive(.seconds(min(seconds, 1e18)))
  }
}

extension FactoryContext {
  /// Sets an argument as if it were a launch argument of the process.
  ///
  /// - Parameters:
  ///   - arg: The argument.
  ///   - key: The key to remove it with.
  public static func setArg(_ arg: String, forKey key: String) {
    change { $0.runtimeArguments[key] = arg }
  }

  /// Removes an argument that was set at run time.
  ///
  /// - Parameter key: The key with which it was set.
  public static func removeArg(forKey key: String) {
    change { $0.runtimeArguments[key] = nil }
  }
}
