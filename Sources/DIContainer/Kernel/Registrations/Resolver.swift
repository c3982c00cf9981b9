// To read the kernel, begin with HowTheKernelWorks.md in DIContainer.docc: the words, the order of
// locks, the eleven files in reading order, the way of a request, where to change what.
//
// `Resolver` is the container. Nesting is in Resolver+Nesting.swift, registration in
// Resolver+Registration.swift, resolution in Resolver+Resolution.swift, the process's main and root
// container in Resolver+Root.swift. The public types are thin: every container is a
// `ContainerCore`, every request goes through `ShortPath` or `Resolution`, and the changes of a
// sandbox, a layer or a scoped root are in a `ContextFrame`.

/// A container, which holds registrations, builds and keeps instances, and nests other containers.
///
/// ```swift
/// let payments = Resolver { r in
///   r.register { CardGateway() as any PaymentGateway }.scope(.cached)
/// }
/// let gateway: any PaymentGateway = payments.resolve()
/// ```
///
/// A container searches its own registrations first, then its nested containers in the order
/// added, depth first. All members may be used from any thread.
public final class Resolver: ManagedContainer {
  /// The state that all containers have in common: registrations, scopes and options.
  public let manager: ContainerManager
  package let core: ContainerCore

  package init(core: ContainerCore) {
    self.core = core
    manager = ContainerManager(core)
    core.attach(self)
  }

  deinit {
    core.detach(ObjectIdentifier(self))
  }
}

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
      core.withState { $0.isOfOwnClass = true }
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

/// Registers the services of an application when it is adopted by `Resolver`.
///
/// ```swift
/// extension Resolver: @retroactive ResolverRegistering {
///   public static func registerAllServices() {
///     register { CardGateway() as any PaymentGateway }
///   }
/// }
/// ```
///
/// `registerAllServices` runs once per process, before the first resolution, and again after
/// `Resolver.reset()`. Its registrations are base state, and never overwrite earlier ones. That
/// holds for tasks that it starts, too. The conformance is `@retroactive` in every module other
/// than the containers'.
///
/// It is isolated to no actor, even in a module whose default isolation is the main actor, because
/// the first request may come from any thread. Register services of the main actor with
/// `registerMain`.
public protocol ResolverRegistering: SendableMetatype {
  /// Registers the services of the application.
  static func registerAllServices()
}

/// A type that resolves its dependencies from a container.
///
/// The default `resolver` is `Resolver.root` at the time of each use, so it follows scoped roots.
public protocol Resolving {
  /// The container to resolve from.
  var resolver: Resolver { get }
}

/// The name of `Resolver` in Factory's and Swinject's vocabulary.
public typealias Container = Resolver
