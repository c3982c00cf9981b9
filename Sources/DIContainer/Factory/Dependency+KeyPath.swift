/// The shared container's instance for a property.
public func dependency<T>(
  _ keyPath: KeyPath<Container, Factory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  Container.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// A shared container's instance for a property: `dependency(\Warehouse.stock)`.
public func dependency<C: SharedContainer, T>(
  _ keyPath: KeyPath<C, Factory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  C.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// The shared container's instance for a property and a parameter.
public func dependency<P, T>(
  _ keyPath: KeyPath<Container, ParameterFactory<P, T>>, parameter: P,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> T {
  Container.shared[keyPath: keyPath](
    parameter, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// A shared container's instance for a property and a parameter.
public func dependency<C: SharedContainer, P, T>(
  _ keyPath: KeyPath<C, ParameterFactory<P, T>>, parameter: P,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> T {
  C.shared[keyPath: keyPath](
    parameter, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// The shared container's instance for a property of the main actor.
@MainActor
public func dependency<T>(
  _ keyPath: KeyPath<Container, MainActorFactory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  Container.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// A shared container's instance for a property of the main actor.
@MainActor
public func dependency<C: SharedContainer, T>(
  _ keyPath: KeyPath<C, MainActorFactory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  C.shared[keyPath: keyPath](fileID: fileID, filePath: filePath, line: line, column: column)
}

/// The shared container's instance for an async property, or an error that says why there is none.
public nonisolated(nonsending) func dependency<T>(
  _ keyPath: KeyPath<Container, AsyncFactory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async throws(ResolutionError) -> T {
  try await Container.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// A shared container's instance for an async property, or an error that says why there is none.
public nonisolated(nonsending) func dependency<C: SharedContainer, T>(
  _ keyPath: KeyPath<C, AsyncFactory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async throws(ResolutionError) -> T {
  try await C.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}
