// The contexts of an async service, with closures that are async themselves; those that are not are
// in FactoryModifying.swift.

extension AsyncFactory {
  /// Makes the service with another async closure in certain contexts.
  ///
  /// In the declaration it describes the service; from outside it stays with the container until
  /// `reset(.context)`. A double wins over it, unless a test set it after the double.
  @_disfavoredOverload
  @discardableResult
  public func context(
    _ contexts: FactoryContextType..., fileID: StaticString = #fileID,
    function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext(contexts, fileID, function, Self.body(of: Self.waiting(factory)))
  }

  /// Makes the service with another async closure when the process has an argument.
  @_disfavoredOverload
  @discardableResult
  public func onArg(
    _ argument: String, fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.arg(argument)], fileID, function, Self.body(of: Self.waiting(factory)))
  }

  /// Makes the service with another async closure when the process has one of several arguments.
  @_disfavoredOverload
  @discardableResult
  public func onArgs(
    _ arguments: [String], fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.args(arguments)], fileID, function, Self.body(of: Self.waiting(factory)))
  }

  /// Makes the service with another async closure in previews.
  @_disfavoredOverload
  @discardableResult
  public func onPreview(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.preview], fileID, function, Self.body(of: Self.waiting(factory)))
  }

  /// Makes the service with another async closure in tests.
  @_disfavoredOverload
  @discardableResult
  public func onTest(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.test], fileID, function, Self.body(of: Self.waiting(factory)))
  }

  /// Makes the service with another async closure where the package was compiled for debugging.
  @_disfavoredOverload
  @discardableResult
  public func onDebug(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.debug], fileID, function, Self.body(of: Self.waiting(factory)))
  }

  /// Makes the service with another async closure in simulators.
  @_disfavoredOverload
  @discardableResult
  public func onSimulator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.simulator], fileID, function, Self.body(of: Self.waiting(factory)))
  }

  /// Makes the service with another async closure outside simulators.
  @_disfavoredOverload
  @discardableResult
  public func onDevice(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.device], fileID, function, Self.body(of: Self.waiting(factory)))
  }
}
