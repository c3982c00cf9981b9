/// A property that holds a shared container.
@propertyWrapper
public struct InjectedContainer<C: SharedContainer>: Sendable {
  private let container: C

  /// Holds the shared `Container`.
  public init() where C == Container {
    container = Container.shared
  }

  /// Holds the shared container of a type.
  public init(_ type: C.Type) {
    container = C.shared
  }

  /// The container.
  public var wrappedValue: C { container }

  /// Takes back what was registered in the container or kept by it.
  public func reset(
    options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    container.manager.reset(
      options: options, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
