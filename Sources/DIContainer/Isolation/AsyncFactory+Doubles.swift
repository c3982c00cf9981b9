// Registering async doubles for async properties.

extension Resolver {
  /// Registers an async double for an async property of a container type.
  @_disfavoredOverload
  public func double<C: SharedContainer, T>(
    _ keyPath: KeyPath<C, AsyncFactory<T>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping @Sendable () async throws -> T
  ) {
    double(
      keyPath, AsyncFactory.maker(of: factory),
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Registers an async double for an async property of `Container`.
  @_disfavoredOverload
  public func double<T>(
    _ keyPath: KeyPath<Container, AsyncFactory<T>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping @Sendable () async throws -> T
  ) {
    double(
      keyPath, AsyncFactory.maker(of: factory),
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
