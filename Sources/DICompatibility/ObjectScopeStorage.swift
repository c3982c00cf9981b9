// Swinject's storages of object scopes, so that the compiler says what to write instead.

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

/// A storage of Swinject that keeps nothing; see `ObjectScope`.
@available(*, unavailable, message: "Write `ObjectScope.transient`.")
public struct TransientStorage {
  /// Unavailable: a scope has no storage of its own.
  public init() {}
}

/// A storage of Swinject that keeps an instance for one resolution; see `ObjectScope`.
@available(*, unavailable, message: "Write `ObjectScope.graph`.")
public struct GraphStorage {
  /// Unavailable: a scope has no storage of its own.
  public init() {}
}

/// A storage of Swinject that keeps an instance while something holds it; see `ObjectScope`.
@available(*, unavailable, message: "Write `ObjectScope.weak`.")
public struct WeakStorage {
  /// Unavailable: a scope has no storage of its own.
  public init() {}
}
