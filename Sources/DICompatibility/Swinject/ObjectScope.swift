// Swinject's scopes. Its `.container` differs from this library's scope of that name, so they are a
// type of their own.

/// An object scope of Swinject: `register(…).inObjectScope(.container)`.
///
/// Object scopes are compared by identity, as in Swinject: `scope === ObjectScope.transient`.
public final class ObjectScope: Sendable {
  /// The equivalent scope of this library.
  public let scope: Scope

  /// Creates an object scope from any scope, such as a custom one.
  public init(_ scope: Scope) {
    self.scope = scope.keeping
  }

  /// A new instance for every request: `Scope.unique`.
  public static let transient = ObjectScope(.unique)
  /// One instance per object graph: `Scope.graph`.
  public static let graph = ObjectScope(.graph)
  /// One instance, built and kept by the container that owns it: `Scope.perContainer(.strong)`.
  public static let container = ObjectScope(.perContainer(.strong))
  /// One instance for as long as something holds it: `Scope.shared`.
  public static let weak = ObjectScope(.shared)
}

extension ResolverOptions {
  /// Sets how long an instance is kept, in Swinject's vocabulary; see `scope(_:)`.
  @discardableResult
  public func inObjectScope(_ objectScope: ObjectScope) -> ResolverOptions<Service> {
    scope(objectScope.scope)
  }
}

extension Resolver {
  /// Releases the instances that this container and its nested ones keep in a scope.
  ///
  /// The next request builds new ones. Inside a sandbox, only those of that sandbox are released.
  /// Instances of the process (`.application`, `.singleton`) are not included: reset the scope
  /// itself. See `ContainerManager.reset(scope:)` for this container alone.
  public func resetObjectScope(_ objectScope: ObjectScope) {
    releaseInstances(in: objectScope.scope)
  }

  /// Releases the instances of one type that this container and its nested ones keep in a scope.
  ///
  /// It covers all names of the type. See `resetObjectScope(_:)` for details.
  public func resetObjectScope(_ objectScope: ObjectScope, serviceType: Any.Type) {
    releaseInstances(in: objectScope.scope, of: serviceType)
  }
}

// MARK: - Storages, declared so that the compiler says what to write instead

extension ObjectScope {
  /// Unavailable: a scope has no storage of its own.
  @available(
    *, unavailable,
    message: """
      A scope has no storage of its own here: write `ObjectScope(Scope.cache("name"))`, and \
      `resetObjectScope(_:)` or the scope's `reset()` to empty it.
      """
  )
  public convenience init(
    storageFactory: @escaping () -> Any, description: String = "", parent: ObjectScope? = nil
  ) {
    fatalError("unavailable")
  }
}

/// A storage of Swinject that keeps an instance until it is reset; see `ObjectScope`.
@available(*, unavailable, message: "Write `ObjectScope(Scope.cache(\"name\"))`.")
public struct PermanentStorage {
  /// Unavailable: a scope has no storage of its own.
  public init() {}
}
