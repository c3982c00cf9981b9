// Typed containers: services are declared as properties of a container and resolved by key path.
// A declaration is only a description, made anew at each access: a container, the property's key,
// a closure. Closures registered and settings made for it elsewhere are a registration in the
// container's own registry under that key (FactoryRecord.swift), so that everything that applies to
// registrations by type (nesting, sandboxes, layers, recorders, scopes) applies to it too. If
// nothing is registered, the declaration's closure makes the instance, and a registration that
// represents the declaration keeps it (FactoryRegistration+Answer.swift).

/// A container class with a shared instance.
///
/// ```swift
/// extension Container {
///   var payments: Factory<any Payments> { self { CardPayments() } }
/// }
///
/// let payments = Container.shared.payments()
/// ```
///
/// A user-defined container is a final class with a manager, and a `shared` instance that it
/// declares or gets from `DefaultSharedContainer`. A service that is declared in an extension of
/// this protocol is available in every container.
public protocol SharedContainer: ManagedContainer {
  /// The instance that is used where none is passed.
  static var shared: Self { get }
}

extension SharedContainer {
  /// Passes the container to a closure: `Container.shared { $0.payments.register { Fake() } }`.
  @_disfavoredOverload
  public func callAsFunction(_ transform: (Self) -> Void) {
    transform(self)
  }

  /// Passes the container to an async closure, on the actor to which the closure is isolated, and
  /// returns the container.
  ///
  /// There is no form without a name, because calling that in an async function makes the compiler
  /// (6.3.1) crash on `Resolver { r in … }`.
  @discardableResult
  public func with(_ transform: @Sendable @isolated(any) (Self) async -> Void) async -> Self {
    await transform(self)
    return self
  }

  /// Passes the container to a closure, and returns the container.
  @discardableResult
  public func with(_ transform: (Self) -> Void) -> Self {
    transform(self)
    return self
  }
}
