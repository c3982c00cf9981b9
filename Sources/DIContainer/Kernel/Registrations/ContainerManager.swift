internal import DIPrimitives

/// The registrations, kept instances and settings of a container.
///
/// Every container has one, whatever its class. While a sandbox is current, changes of settings,
/// `reset` and `push` affect only the sandbox's view.
///
/// ```swift
/// final class Warehouse: SharedContainer {
///   static let shared = Warehouse()
///   let manager = ContainerManager()
/// }
/// ```
public final class ContainerManager: Sendable {
  package let core: ContainerCore
  private let facade = Lock<Resolver?>(nil)
  /// Whether it is the manager of a user-defined container rather than of a `Container`.
  private let isOfOwnClass: Bool

  init(_ core: ContainerCore, isOfOwnClass: Bool = false) {
    self.core = core
    self.isOfOwnClass = isOfOwnClass
    if isOfOwnClass {
      core.settings.noteOwnClass()
      core.attachManager()
    }
  }

  deinit {
    guard isOfOwnClass else { return }
    core.detach(ObjectIdentifier(self))
  }

  /// The container in the form that registers and resolves by type.
  ///
  /// For a user-defined container it is made on first use, and shares all state.
  package var resolver: Resolver {
    if let resolver = core.resolver { return resolver }
    return facade.withLock { facade in
      if let resolver = core.resolver ?? facade { return resolver }
      let resolver = Resolver(core: core)
      facade = resolver
      return resolver
    }
  }
}

/// A container that declares services as properties.
public protocol ManagedContainer: AnyObject, Sendable {
  /// The registrations, kept instances and settings of the container.
  var manager: ContainerManager { get }
}

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
