#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

// Traits that make doubles for services without a registered one, new ones for each test case.

extension Trait where Self == CaseTrait {
  /// Makes doubles with a closure for services without a registered one.
  ///
  /// The closure runs before a live service is returned, and its double is kept for the test case,
  /// one for each service. If it returns nil, or a double of another type than the requested one,
  /// the enclosing fallback is used, then the registered service. It does not run for the service
  /// that a double wraps (`decorate`): that is the live one. A double of the main actor is returned
  /// as a ``MainActorDouble``, whose type has to be the requested one.
  ///
  /// - Parameter make: Receives the requested service, and returns a double or nil.
  /// - Returns: The trait.
  public static func fallback(_ make: @escaping @Sendable (ServiceKey) -> Any?) -> Self {
    .setting { $0.fallbacks = [Fallback(make)] }
  }

  /// Returns a double from every request for a type without a registered one, under any name.
  ///
  /// This includes requests for properties that are declared as optionals of the type.
  ///
  /// - Parameters:
  ///   - type: The requested type.
  ///   - make: Makes the double.
  /// - Returns: The trait.
  public static func fallback<Service>(
    _ type: Service.Type, _ make: @escaping @Sendable () -> Service
  ) -> Self {
    fallback { key in key.isRequest(for: type) ? make() : nil }
  }

  /// Returns a double that is made on the main actor from every request for a type.
  ///
  /// Requests on the main actor, and those with `await` from elsewhere, return it. Other requests
  /// fail with an error that explains it, and never return the live service.
  ///
  /// - Parameters:
  ///   - type: The requested type.
  ///   - make: Makes the double, on the main actor.
  /// - Returns: The trait.
  public static func fallbackMain<Service>(
    _ type: Service.Type, _ make: @escaping @MainActor @Sendable () -> Service
  ) -> Self {
    fallback { key in key.isRequest(for: type) ? MainActorDouble(make) : nil }
  }

  /// Makes doubles with a closure for all services that one container itself registers.
  ///
  /// - Parameters:
  ///   - container: The container.
  ///   - make: Receives the requested service, and returns a double or nil.
  /// - Returns: The trait.
  public static func fallback(
    in container: @autoclosure @escaping @Sendable () -> Resolver,
    _ make: @escaping @Sendable (ServiceKey) -> Any?
  ) -> Self {
    .setting { $0.fallbacks = [Fallback(in: container, make)] }
  }
}
#endif
