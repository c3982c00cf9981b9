// Key paths that no property wrapper accepts, declared so that the compiler offers the remedy.

extension Injected {
  /// Unavailable: use `dependency` for a factory that is async or takes a parameter.
  @available(
    *, unavailable,
    message: "A wrapper can neither wait nor pass a parameter; ask with `dependency(_:)`"
  )
  @_disfavoredOverload
  public init<Declared: FactoryModifying>(_ keyPath: KeyPath<Container, Declared>)
  where Declared.T == Service {
    fatalError()
  }

  /// Unavailable: use `dependency` for a factory that is async or takes a parameter.
  @available(
    *, unavailable,
    message: "A wrapper can neither wait nor pass a parameter; ask with `dependency(_:)`"
  )
  @_disfavoredOverload
  public init<C: SharedContainer, Declared: FactoryModifying>(_ keyPath: KeyPath<C, Declared>)
  where Declared.T == Service {
    fatalError()
  }
}

extension LazyInjected {
  /// Unavailable: use `dependency` for a factory that is async or takes a parameter.
  @available(
    *, unavailable,
    message: "A wrapper can neither wait nor pass a parameter; ask with `dependency(_:)`"
  )
  @_disfavoredOverload
  public init<Declared: FactoryModifying>(_ keyPath: KeyPath<Container, Declared>)
  where Declared.T == Service {
    fatalError()
  }

  /// Unavailable: use `dependency` for a factory that is async or takes a parameter.
  @available(
    *, unavailable,
    message: "A wrapper can neither wait nor pass a parameter; ask with `dependency(_:)`"
  )
  @_disfavoredOverload
  public init<C: SharedContainer, Declared: FactoryModifying>(_ keyPath: KeyPath<C, Declared>)
  where Declared.T == Service {
    fatalError()
  }
}
