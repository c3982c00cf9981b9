/// Returns the shared container's instance for a property, or traps with a diagnosis:
/// `dependency(\.payments)`.
public func dependency<T>(
  _ keyPath: KeyPath<Container, Factory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  Container.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns a shared container's instance for a property, or traps with a diagnosis.
///
/// ```swift
/// let stock = dependency(\Warehouse.stock)
/// ```
public func dependency<C: SharedContainer, T>(
  _ keyPath: KeyPath<C, Factory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  C.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns the shared container's instance for a property and a parameter, or traps with a
/// diagnosis.
public func dependency<P, T>(
  _ keyPath: KeyPath<Container, ParameterFactory<P, T>>, parameter: P,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> T {
  Container.shared[keyPath: keyPath](
    parameter, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns a shared container's instance for a property and a parameter, or traps with a
/// diagnosis.
public func dependency<C: SharedContainer, P, T>(
  _ keyPath: KeyPath<C, ParameterFactory<P, T>>, parameter: P,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> T {
  C.shared[keyPath: keyPath](
    parameter, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns the shared container's instance for a property of the main actor, or traps with a
/// diagnosis.
@MainActor
public func dependency<T>(
  _ keyPath: KeyPath<Container, MainActorFactory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  Container.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns a shared container's instance for a property of the main actor, or traps with a
/// diagnosis.
@MainActor
public func dependency<C: SharedContainer, T>(
  _ keyPath: KeyPath<C, MainActorFactory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  C.shared[keyPath: keyPath](fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns the shared container's instance for an async property, or throws a diagnosis when there
/// is none.
public nonisolated(nonsending) func dependency<T>(
  _ keyPath: KeyPath<Container, AsyncFactory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async throws(ResolutionError) -> T {
  try await Container.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns a shared container's instance for an async property, or throws a diagnosis when there
/// is none.
public nonisolated(nonsending) func dependency<C: SharedContainer, T>(
  _ keyPath: KeyPath<C, AsyncFactory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async throws(ResolutionError) -> T {
  try await C.shared[keyPath: keyPath](
    fileID: fileID, filePath: filePath, line: line, column: column)
}
