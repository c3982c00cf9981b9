// What no property wrapper can take, so that the compiler says what to do instead.

extension Injected {
  /// Not available: what has to be awaited, or passed a parameter, is asked for with `dependency`.
  @available(
    *, unavailable,
    message: "A wrapper can neither wait nor pass a parameter; ask with `dependency(_:)`"
  )
  @_disfavoredOverload
  public init<Declared: FactoryModifying>(_ keyPath: KeyPath<Container, Declared>)
  where Declared.T == Service {
    fatalError()
  }

  /// Not available: what has to be awaited, or passed a parameter, is asked for with `dependency`.
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
  /// Not available: what has to be awaited, or passed a parameter, is asked for with `dependency`.
  @available(
    *, unavailable,
    message: "A wrapper can neither wait nor pass a parameter; ask with `dependency(_:)`"
  )
  @_disfavoredOverload
  public init<Declared: FactoryModifying>(_ keyPath: KeyPath<Container, Declared>)
  where Declared.T == Service {
    fatalError()
  }

  /// Not available: what has to be awaited, or passed a parameter, is asked for with `dependency`.
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
