// The contexts of a service of the main actor: as those of other factories
// (FactoryModifying.swift), but that the closure runs on the main actor, wherever it is written.

extension MainActorFactory {
  /// Makes the service with another closure in certain contexts.
  ///
  /// In the declaration it describes the service; from outside it stays with the container until
  /// `reset(.context)`. A double wins over it, unless a test set it after the double.
  @discardableResult
  public func context(
    _ contexts: FactoryContextType..., fileID: StaticString = #fileID,
    function: StaticString = #function,
    factory: @escaping @MainActor () throws -> T
  ) -> Self {
    onContext(contexts, fileID, function, Self.body(of: factory))
  }

  /// Makes the service with another closure when the process has an argument.
  @discardableResult
  public func onArg(
    _ argument: String, fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @MainActor () throws -> T
  ) -> Self {
    onContext([.arg(argument)], fileID, function, Self.body(of: factory))
  }

  /// Makes the service with another closure when the process has one of several arguments.
  @discardableResult
  public func onArgs(
    _ arguments: [String], fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @MainActor () throws -> T
  ) -> Self {
    onContext([.args(arguments)], fileID, function, Self.body(of: factory))
  }

  /// Makes the service with another closure in previews.
  @discardableResult
  public func onPreview(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @MainActor () throws -> T
  ) -> Self {
    onContext([.preview], fileID, function, Self.body(of: factory))
  }

  /// Makes the service with another closure in tests.
  @discardableResult
  public func onTest(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @MainActor () throws -> T
  ) -> Self {
    onContext([.test], fileID, function, Self.body(of: factory))
  }

  /// Makes the service with another closure where the package was compiled for debugging.
  @discardableResult
  public func onDebug(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @MainActor () throws -> T
  ) -> Self {
    onContext([.debug], fileID, function, Self.body(of: factory))
  }

  /// Makes the service with another closure in simulators.
  @discardableResult
  public func onSimulator(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @MainActor () throws -> T
  ) -> Self {
    onContext([.simulator], fileID, function, Self.body(of: factory))
  }

  /// Makes the service with another closure outside simulators.
  @discardableResult
  public func onDevice(
    fileID: StaticString = #fileID, function: StaticString = #function,
    factory: @escaping @MainActor () throws -> T
  ) -> Self {
    onContext([.device], fileID, function, Self.body(of: factory))
  }
}
