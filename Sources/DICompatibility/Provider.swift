/// A provider of a service, which resolves it anew at every use.
///
/// A container returns a provider on request, whether its service is registered or not: for the
/// parameter of an initialiser, or for the provider's type. The provider uses the same container,
/// with the name and the arguments of the request for the provider.
///
/// ```swift
/// final class Desk {
///   private let newOrder: Provider<Order>
///   init(newOrder: Provider<Order>) { self.newOrder = newOrder }
///   func serve() -> Order { newOrder() }
/// }
///
/// resolver.register(Desk.init)
/// ```
///
/// The service is resolved in the current context or, where there is none, in the one that the
/// provider was created in. For a service that is needed once, later, use `Lazy`.
public struct Provider<Service> {
  // Immutable; the closure is the user's. Without a source, the service is no container's.
  private let content: Unchecked<(make: () -> Service, source: LazySource?)>

  /// Creates a provider that calls a closure, for instance a test's.
  public init(_ make: @escaping () -> Service) {
    content = Unchecked((make, nil))
  }

  /// Returns the instance for a new request, or traps with a diagnosis when it cannot be resolved.
  public func callAsFunction() -> Service { content.value.make() }

  /// The instance for a new request; an alias for calling the provider.
  public var instance: Service { callAsFunction() }

  /// The instance for a new request; an alias for calling the provider.
  public var value: Service { callAsFunction() }
}

extension Provider: Sendable where Service: Sendable {}

extension Provider: LazyDependency {
  package var laterNeed: LaterNeed? {
    content.value.source?.laterNeed
  }

  package init(_ source: LazySource) {
    content = Unchecked(({ source.instance().value(as: Service.self) }, source))
  }
}
