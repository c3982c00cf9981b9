// FactoryKit's names for declarations that have another name here, or none.

/// FactoryKit's name for the type of a closure that makes a service without a parameter.
public typealias VoidFactoryType<T> = () -> T
/// FactoryKit's name for the type of a closure that makes a service from a parameter.
public typealias ParameterFactoryType<P, T> = (P) -> T

/// Returns a shared container's instance for a property; FactoryKit's older name for
/// `dependency(_:)`.
@available(*, deprecated, renamed: "dependency(_:)")
public func resolve<T>(
  _ keyPath: KeyPath<Container, Factory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  dependency(keyPath, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns a shared container's instance for a property; FactoryKit's older name for
/// `dependency(_:)`.
@available(*, deprecated, renamed: "dependency(_:)")
public func resolve<C: SharedContainer, T>(
  _ keyPath: KeyPath<C, Factory<T>>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> T {
  dependency(keyPath, fileID: fileID, filePath: filePath, line: line, column: column)
}
