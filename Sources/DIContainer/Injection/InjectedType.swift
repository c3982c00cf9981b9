/// A property that is resolved by type when its owner is created, or nil if nothing is registered.
@propertyWrapper
public struct InjectedType<Service> {
  private var service: Service?

  /// Resolves the service from the shared container.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      Container.shared, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves the service from a container.
  public init(
    _ container: any ManagedContainer, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    container.manager.prepare(container)
    service = container.manager.resolver.optional(
      Service.self, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The service, if something is registered for its type.
  public var wrappedValue: Service? {
    get { service }
    set { service = newValue }
  }
}

extension InjectedType: Sendable where Service: Sendable {}
