// FactoryKit's names for what has another name here, or none.

/// FactoryKit's name for a factory without parameters.
public typealias VoidFactoryType<T> = () -> T
/// FactoryKit's name for a factory that takes a parameter.
public typealias ParameterFactoryType<P, T> = (P) -> T

/// FactoryKit's older name for `dependency(_:)`.
@available(*, deprecated, renamed: "dependency(_:)")
public func resolve<T>(
  _ keyPath: KeyPath<Container, Factory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  dependency(keyPath, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// FactoryKit's older name for `dependency(_:)`.
@available(*, deprecated, renamed: "dependency(_:)")
public func resolve<C: SharedContainer, T>(
  _ keyPath: KeyPath<C, Factory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  dependency(keyPath, fileID: fileID, filePath: filePath, line: line, column: column)
}
