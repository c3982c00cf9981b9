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
  @usableFromInline var service: Service
  @usableFromInline var source: Unchecked<() -> Factory<Service>>?

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

  /// The factory in the shared container, for wrappers that refer to a property.
  public var factory: Factory<Service>? { source?.value() }

  /// Resolves the service anew, if the wrapper refers to a property.
  ///
  /// A wrapper that resolves by type keeps its service.
  ///
  /// - Parameter options: The state to reset first.
  public mutating func resolve(
    reset options: FactoryResetOptions = .none, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    guard let factory else { return }
    service = factory.reset(options).resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
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

/// A property that is resolved by type when its owner is created, or nil if nothing is registered.
@propertyWrapper
public struct InjectedType<Service> {
  private var service: Service?

  /// Resolves the service from the shared container, or from a given one.
  ///
  /// - Parameter container: The container to resolve from; the shared one if nil.
  public init(
    _ container: (any ManagedContainer)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let container = container ?? Container.shared
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
  /// - Parameter options: The state to reset.
  public func reset(
    options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    container.manager.reset(
      options: options, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
