/// A property that is resolved by type when its owner is made, and nil when nothing is registered.
@propertyWrapper
public struct InjectedType<Service> {
  private var service: Service?

  /// Resolves from the shared container.
  public init() {
    self.init(Container.shared)
  }

  /// Resolves from a container.
  public init(_ container: any ManagedContainer) {
    service = container.manager.resolver.optional(Service.self)
  }

  /// The service, if something is registered for its type.
  public var wrappedValue: Service? {
    get { service }
    set { service = newValue }
  }
}

extension InjectedType: Sendable where Service: Sendable {}
