/// A type that a container can resolve without a registration: an optional, or a lazy wrapper.
package protocol SelfResolving {
  /// Puts the result into memory; returns false if there is none.
  static func deliver(
    _ request: Request, args: Borrowed<Any>?, container: Resolver, to out: InstanceMemory
  ) throws -> Bool

  /// Returns the dependency of a factory that has a parameter of this type.
  static func dependency(name: Resolver.Name?) -> Dependency
}

extension SelfResolving {
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
  package static func deliver(
    _ request: Request, args: Borrowed<Any>?, container: Resolver,
    to out: InstanceMemory
  ) throws -> Bool {
    try check(request)
    let service: Service? = try Resolution.instance(
      wanted(by: request), args: args?.value, container: container)
    guard let service else { return false }
    out.initialize(as: Self.self, to: Self(service))
    return true
  }
}

extension Optional: SelfResolving {
  /// Resolves the wrapped type.
  package static func deliver(
    _ request: Request, args: Borrowed<Any>?, container: Resolver, to out: InstanceMemory
  ) throws -> Bool {
    let inner = Request(Wrapped.self, name: request.name, location: request.location)
    let service: Wrapped? = try Resolution.instance(
      inner, args: args?.value, container: container)
    // An optional always resolves: to nil, if nothing is registered.
    out.initialize(as: Wrapped?.self, to: service)
    return true
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
