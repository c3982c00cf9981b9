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
/// `Resolver.reset()`. Its registrations are base state, and never overwrite earlier ones. A task
/// that it leaves behind is not part of it, and registers as later code does. The conformance is
/// `@retroactive` in every module other than the containers'.
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
