/// A property that is resolved when its owner is created, or nil when nothing is registered.
///
/// ```swift
/// final class Checkout {
///   @OptionalInjected var mailer: (any Mailer)?
/// }
/// ```
@frozen
@propertyWrapper
public struct OptionalInjected<Service>: Resolver.InjectionWrapper {
  @usableFromInline var service: Service?

  /// Resolves by type from the root container, or from a container and then the root.
  ///
  /// - Parameters:
  ///   - name: The name that the service is registered under.
  ///   - container: The container to search before the root.
  @inlinable
  public init(
    name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    func ask(_ container: Resolver) -> Service? {
      container.optional(
        name: name, fileID: fileID, filePath: filePath, line: line, column: column)
    }
    service = container.flatMap(ask) ?? ask(Resolver.rootAfterStartup)
  }

  /// Resolves the service of a property that may be nil now, with its factory.
  @inlinable
  public init(_from factory: @escaping () -> Factory<Service?>, at location: CodeLocation) {
    service = factory().resolve(
      fileID: location.fileIDText, filePath: location.filePathText, line: location.line,
      column: location.column)
  }

  /// Resolves a property of the shared container.
  @_disfavoredOverload
  @inlinable
  public init(
    _ keyPath: KeyPath<Container, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = Container.shared[keyPath: keyPath](
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves a property of a shared container.
  @_disfavoredOverload
  @inlinable
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = C.shared[keyPath: keyPath](
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The service, if something is registered for it.
  public var wrappedValue: Service? {
    get { service }
    set { service = newValue }
  }

  /// The wrapper itself.
  public var projectedValue: OptionalInjected<Service> {
    get { self }
    set { self = newValue }
  }
}

extension OptionalInjected: Sendable where Service: Sendable {}
