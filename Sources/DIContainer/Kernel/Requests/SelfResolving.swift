/// A type that a container can resolve without a registration: an optional, or a lazy wrapper.
package protocol SelfResolving {
  /// Returns the result of a request for the type; nil if there is none.
  static func resolve(_ request: Request, args: Any?, container: Resolver) throws -> Self?

  /// Returns the dependency of a factory that has a parameter of this type.
  static func dependency(name: Resolver.Name?) -> Dependency
}

extension SelfResolving {
  static func instance(
    for request: Request, args: Any?, container: Resolver
  ) throws -> Instance? {
    guard let resolved = try resolve(request, args: args, container: container) else { return nil }
    return Instance(resolved)
  }

  package static func dependency(name: Resolver.Name?) -> Dependency {
    Dependency(ServiceKey(Self.self, name: name))
  }
}

/// A type that resolves in any case, and requests its content itself, now or later.
package protocol RequestWrapper: SelfResolving {}

/// A type that modifies a request for another type and holds the result.
package protocol RequestModifier: RequestWrapper {
  /// Returns the request that a request for this type leads to.
  static func wanted(by request: Request) -> Request
}

/// A modifier of a request for one service, which may have to be awaited.
package protocol ServiceModifier: RequestModifier {
  associatedtype Service
  init(_ service: Service)

  /// Throws if the request cannot be modified.
  static func check(_ request: Request) throws
}

extension ServiceModifier {
  package static func resolve(
    _ request: Request, args: Any?, container: Resolver
  ) throws -> Self? {
    try check(request)
    let service: Service? = try Resolution.instance(
      wanted(by: request), args: args, container: container)
    return service.map { Self($0) }
  }
}

extension Optional: SelfResolving {
  /// Resolves the wrapped type.
  package static func resolve(
    _ request: Request, args: Any?, container: Resolver
  ) throws -> Self? {
    let inner = Request(Wrapped.self, name: request.name, location: request.location)
    // An optional always resolves: to nil, if nothing is registered.
    return .some(try Resolution.instance(inner, args: args, container: container))
  }

  package static func dependency(name: Resolver.Name?) -> Dependency {
    let inner = Resolver.dependency(Wrapped.self, name: name)
    // A lazy wrapper is never nil, so its service is required.
    return inner.isLazy ? inner : Dependency(ServiceKey(Wrapped.self, name: name), isOptional: true)
  }
}

extension Resolver {
  /// Returns the dependency of a factory that has a parameter of a type.
  @usableFromInline
  package static func dependency(_ type: Any.Type, name: Name? = nil) -> Dependency {
    (type as? any SelfResolving.Type)?.dependency(name: name)
      ?? Dependency(ServiceKey(type, name: name))
  }
}
