// The contexts of a service that takes a parameter. They equal those of other factories
// (FactoryModifying.swift), except that the closure receives the parameter.

extension ParameterFactory {
  /// Uses a different factory in certain contexts.
  ///
  /// In a declaration it is part of the service's definition; elsewhere it applies to the container
  /// until `reset(.context)`. A double takes precedence, unless a test sets the context after it.
  @discardableResult
  public func context(
    _ contexts: FactoryContextType..., fileID: StaticString = #fileID,
    function: StaticString = #function, factory: @escaping (P) throws -> T
  ) -> Self {
    onContext(contexts, fileID, function, factory)
  }

  /// Uses a different factory when the process has a launch argument.
  @discardableResult
  public func onArg(
    _ argument: String, fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping (P) throws -> T
  ) -> Self {
    onContext([.arg(argument)], fileID, function, factory)
  }

  /// Uses a different factory when the process has one of several launch arguments.
  @discardableResult
  public func onArgs(
    _ arguments: [String], fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping (P) throws -> T
  ) -> Self {
    onContext([.args(arguments)], fileID, function, factory)
  }

  /// Uses a different factory in previews.
  @discardableResult
  public func onPreview(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping (P) throws -> T
  ) -> Self {
    onContext([.preview], fileID, function, factory)
  }

  /// Uses a different factory in tests.
  @discardableResult
  public func onTest(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping (P) throws -> T
  ) -> Self {
    onContext([.test], fileID, function, factory)
  }

  /// Uses a different factory where the package was compiled for debugging.
  @discardableResult
  public func onDebug(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping (P) throws -> T
  ) -> Self {
    onContext([.debug], fileID, function, factory)
  }

  /// Uses a different factory in simulators.
  @discardableResult
  public func onSimulator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping (P) throws -> T
  ) -> Self {
    onContext([.simulator], fileID, function, factory)
  }

  /// Uses a different factory outside simulators.
  @discardableResult
  public func onDevice(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping (P) throws -> T
  ) -> Self {
    onContext([.device], fileID, function, factory)
  }
}
