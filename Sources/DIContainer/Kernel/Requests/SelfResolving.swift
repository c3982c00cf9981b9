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

/// A type that holds a service, and resolves without a registration by requesting that.
package protocol ContentHolder: SelfResolving {
  /// Returns the request for the service; throws if there can be none.
  static func content(of request: Request) throws -> Request

  /// Returns what holds the service; nil if that takes one.
  static func holding(_ content: Instance?) -> Self?
}

extension ContentHolder {
  package static func resolve(
    _ request: Request, args: Any?, container: Resolver
  ) throws -> Self? {
    holding(
      try Resolution.instance(for: content(of: request), args: args, container: container))
  }

  static func instance(holding content: Instance?) -> Instance? {
    holding(content).map { Instance($0) }
  }
}

/// A modifier of a request for one service, which may have to be awaited.
package protocol ServiceModifier: RequestModifier, ContentHolder {
  associatedtype Service
  init(_ service: Service)

  /// Throws if the request cannot be modified.
  static func check(_ request: Request) throws
}

extension ServiceModifier {
  package static func content(of request: Request) throws -> Request {
    try check(request)
    return wanted(by: request)
  }

  package static func holding(_ content: Instance?) -> Self? {
    content.map { Self($0.value(as: Service.self)) }
  }
}

extension Optional: ContentHolder {
  package static func content(of request: Request) -> Request {
    Request(Wrapped.self, name: request.name, location: request.location)
  }

  /// An optional always resolves: to nil, if nothing is registered.
  package static func holding(_ content: Instance?) -> Self? {
    .some(content?.value(as: Wrapped.self))
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
