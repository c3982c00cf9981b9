// Property wrappers. The eager ones resolve when their owner is created; the lazy ones on first
// use, in the context of that use or, where there is none, in the one that their owner was created
// in. Each serves both dialects: with a name or without an argument a service is resolved by type;
// with a key path, as a property of a container.

/// A property that is resolved when its owner is created.
///
/// ```swift
/// final class Checkout {
///   @Injected var catalog: any Catalog
///   @Injected(name: .card) var gateway: any PaymentGateway
/// }
/// ```
///
/// Traps with a diagnosis when the service cannot be resolved. The container is the root container
/// at that time unless one is given. The property can be assigned, for example a double.
@frozen
@propertyWrapper
public struct Injected<Service>: Resolver.InjectionWrapper {
  @usableFromInline package var service: Service
  @usableFromInline package var source: Unchecked<() -> Factory<Service>>?

  /// Resolves by type from the root container, or from a given one.
  ///
  /// - Parameters:
  ///   - name: The name that the service is registered under.
  ///   - container: The container to resolve from; the root if nil.
  @inlinable
  public init(
    name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = (container ?? Resolver.rootAfterStartup).resolve(
      name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves the service of a property now, with its factory.
  @inlinable
  public init(_from factory: @escaping () -> Factory<Service>, at location: CodeLocation) {
    source = Unchecked(factory)
    service = factory().resolve(
      fileID: location.fileIDText, filePath: location.filePathText, line: location.line,
      column: location.column)
  }

  /// The service.
  public var wrappedValue: Service {
    get { service }
    set { service = newValue }
  }

  /// The wrapper itself.
  public var projectedValue: Injected<Service> {
    get { self }
    set { self = newValue }
  }
}

extension Injected: Sendable where Service: Sendable {}
