// The contexts of an async service, with async closures; the forms with sync closures are in
// FactoryModifying.swift.

extension AsyncFactory {
  /// Uses a different async factory in certain contexts.
  ///
  /// In a declaration it is part of the service's definition; elsewhere it applies to the container
  /// until `reset(.context)`. A double takes precedence, unless a test sets the context after it.
  @_disfavoredOverload
  @discardableResult
  public func context(
    _ contexts: FactoryContextType..., fileID: StaticString = #fileID,
    function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext(contexts, fileID, function, Self.maker(of: factory))
  }

  /// Uses a different async factory when the process has a launch argument.
  @_disfavoredOverload
  @discardableResult
  public func onArg(
    _ argument: String, fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.arg(argument)], fileID, function, Self.maker(of: factory))
  }

  /// Uses a different async factory when the process has one of several launch arguments.
  @_disfavoredOverload
  @discardableResult
  public func onArgs(
    _ arguments: [String], fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.args(arguments)], fileID, function, Self.maker(of: factory))
  }

  /// Uses a different async factory in previews.
  @_disfavoredOverload
  @discardableResult
  public func onPreview(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.preview], fileID, function, Self.maker(of: factory))
  }

  /// Uses a different async factory in tests.
  @_disfavoredOverload
  @discardableResult
  public func onTest(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.test], fileID, function, Self.maker(of: factory))
  }

  /// Uses a different async factory where the package was compiled for debugging.
  @_disfavoredOverload
  @discardableResult
  public func onDebug(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.debug], fileID, function, Self.maker(of: factory))
  }

  /// Uses a different async factory in simulators.
  @_disfavoredOverload
  @discardableResult
  public func onSimulator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.simulator], fileID, function, Self.maker(of: factory))
  }

  /// Uses a different async factory outside simulators.
  @_disfavoredOverload
  @discardableResult
  public func onDevice(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @Sendable () async throws -> T
  ) -> Self {
    onContext([.device], fileID, function, Self.maker(of: factory))
  }
}
