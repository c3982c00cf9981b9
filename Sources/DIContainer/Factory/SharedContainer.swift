// Typed containers: services are declared as properties of a container and asked for by key path.
// A declaration is only a description, made anew at each access: a container, the property's key,
// a closure. What is registered for it, or said about it from outside, is a registration in the
// container's own registry under that key (FactoryRecord.swift), so that everything that holds for
// registrations by type (nesting, sandboxes, layers, recorders, scopes) holds for it too. Where
// nothing is registered, the declaration answers, and a registration that says so keeps what it
// makes (FactoryRegistration+Answer.swift).

/// A container with one instance that everybody shares.
///
/// ```swift
/// extension Container {
///   var payments: Factory<any Payments> { self { CardPayments() } }
/// }
///
/// let payments = Container.shared.payments()
/// ```
///
/// A container of your own is a final class with a manager, and a `shared` that you write yourself
/// or get from `DefaultSharedContainer`. A service that is declared in an extension of this
/// protocol is there in every container.
public protocol SharedContainer: ManagedContainer {
  /// The instance that is used where none is passed along.
  static var shared: Self { get }
}

extension SharedContainer {
  /// Hands the container to a closure: `Container.shared { $0.payments.register { Fake() } }`.
  @_disfavoredOverload
  public func callAsFunction(_ transform: (Self) -> Void) {
    transform(self)
  }

  /// Hands the container to an async closure, on whatever actor the closure is isolated to.
  ///
  /// It has a name because a call without one, in an async function, makes the compiler (6.3.1)
  /// crash on `Resolver { r in … }`.
  @discardableResult
  public func with(_ transform: @Sendable @isolated(any) (Self) async -> Void) async -> Self {
    await transform(self)
    return self
  }

  /// Hands the container to a closure, and returns the container.
  @discardableResult
  public func with(_ transform: (Self) -> Void) -> Self {
    transform(self)
    return self
  }
}
