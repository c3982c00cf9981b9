/// The shared container's instance for a property.
public func dependency<T>(_ keyPath: KeyPath<Container, Factory<T>>) -> T {
  Container.shared[keyPath: keyPath]()
}

/// A shared container's instance for a property: `dependency(\Warehouse.stock)`.
public func dependency<C: SharedContainer, T>(_ keyPath: KeyPath<C, Factory<T>>) -> T {
  C.shared[keyPath: keyPath]()
}

/// The shared container's instance for a property and a parameter.
public func dependency<P, T>(
  _ keyPath: KeyPath<Container, ParameterFactory<P, T>>, parameter: P
) -> T {
  Container.shared[keyPath: keyPath](parameter)
}

/// A shared container's instance for a property and a parameter.
public func dependency<C: SharedContainer, P, T>(
  _ keyPath: KeyPath<C, ParameterFactory<P, T>>, parameter: P
) -> T {
  C.shared[keyPath: keyPath](parameter)
}
