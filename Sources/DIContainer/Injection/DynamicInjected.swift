/// A property that is resolved at every access.
///
/// It is resolved in the current context or, where there is none, in the one that its owner was
/// created in.
///
/// ```swift
/// final class Checkout {
///   @DynamicInjected(\Warehouse.stock) var stock
/// }
/// ```
@frozen
@propertyWrapper
public struct DynamicInjected<Service>: Resolver.InjectionWrapper {
  // Immutable; the key path, and what it reads, are the user's.
  @usableFromInline let source: Unchecked<(LazySource, () -> Factory<Service>)>

  /// Resolves the service of a property at every access, with its factory.
  @inlinable
  public init(_from factory: @escaping () -> Factory<Service>, at location: CodeLocation) {
    source = Unchecked((LazySource(Service.self, at: location), factory))
  }

  /// The service, resolved anew.
  ///
  /// Traps with a diagnosis when it cannot be resolved.
  @inlinable
  public var wrappedValue: Service {
    let (source, factory) = source.value
    return source.inContext { factory().instance(at: source.location) }.value(as: Service.self)
  }

  /// The factory in the shared container.
  ///
  /// A call to it resolves in the context of the call, as with every factory.
  public var projectedValue: Factory<Service> {
    source.value.0.inContext(source.value.1)
  }
}

extension DynamicInjected: ResolvesLater {
  package var laterNeed: LaterNeed? { projectedValue.laterNeed }
}

extension DynamicInjected: Sendable where Service: Sendable {}
