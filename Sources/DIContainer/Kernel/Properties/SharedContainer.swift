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
