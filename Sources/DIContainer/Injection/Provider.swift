/// A service that can be asked for again and again: each use is a request of its own.
///
/// Whoever asks a container for one gets it, whether its service is registered or not: as the
/// parameter of an initialiser, or in a request for its type. It asks the same container, with the
/// name and the arguments that it was asked for with.
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
/// The current context answers; where there is none, the one that the provider was made in. A
/// service that is wanted once, later, is a case for `Lazy`.
public struct Provider<Service> {
  private enum Origin {
    case container(LazySource)
    case closure(() -> Service)
  }

  // Immutable; a closure is the user's.
  private let origin: Unchecked<Origin>

  /// Creates a provider that asks a closure, for instance a test's.
  public init(_ make: @escaping () -> Service) {
    origin = Unchecked(.closure(make))
  }

  /// The instance for a new request; traps with a diagnosis when it cannot be had.
  public func callAsFunction() -> Service {
    switch origin.value {
    case .container(let source): source.resolve(nil)
    case .closure(let make): make()
    }
  }

  /// The instance for a new request; the same as calling the provider.
  public var instance: Service { callAsFunction() }

  /// The instance for a new request; the same as calling the provider.
  public var value: Service { callAsFunction() }
}

extension Provider: Sendable where Service: Sendable {}

extension Provider: LazyDependency {
  static var service: Any.Type { Service.self }

  var laterNeed: LaterNeed? {
    guard case .container(let source) = origin.value else { return nil }
    return LaterNeed(key: ServiceKey(Service.self, name: source.name))
  }

  init(name: Resolver.Name?, container: Resolver, args: Any?, location: CodeLocation) {
    origin = Unchecked(
      .container(LazySource(name: name, container: container, args: args, location: location)))
  }
}
