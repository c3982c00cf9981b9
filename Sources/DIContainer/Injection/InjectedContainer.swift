/// A property that holds a shared container.
@propertyWrapper
public struct InjectedContainer<C: SharedContainer>: Sendable {
  private let container: C

  /// Creates a property that holds the shared `Container`.
  public init() where C == Container {
    container = Container.shared
  }

  /// Creates a property that holds the shared container of a type.
  public init(_ type: C.Type) {
    container = C.shared
  }

  /// The container.
  public var wrappedValue: C { container }

  /// Resets the container's registrations and the instances that it keeps.
  ///
  /// - Parameters:
  ///   - options: The state to reset.
  ///   - fileID: The caller's file, for reports.
  ///   - filePath: The caller's file, for reports.
  ///   - line: The caller's line, for reports.
  ///   - column: The caller's column, for reports.
  public func reset(
    options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    container.manager.reset(
      options: options, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
