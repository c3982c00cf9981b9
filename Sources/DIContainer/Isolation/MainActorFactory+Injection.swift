// Property wrappers for services of the main actor: `@LazyInjected(\.window)`. Such a wrapper is
// created and used on the main actor, so in a type that is isolated to it. If it is used elsewhere
// all the same, the request fails with a diagnosis, as it does for a service by type.

extension Injected {
  /// Resolves a main-actor property of the shared container: `@Injected(\.window)`.
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      service: Container.shared[keyPath: keyPath].resolve(
        fileID: fileID, filePath: filePath, line: line, column: column)
    ) { Container.shared[keyPath: keyPath].unisolated }
  }

  /// Resolves a main-actor property of a shared container: `@Injected(\Front.window)`.
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      service: C.shared[keyPath: keyPath].resolve(
        fileID: fileID, filePath: filePath, line: line, column: column)
    ) { C.shared[keyPath: keyPath].unisolated }
  }
}

extension LazyInjected {
  /// Resolves a main-actor property of the shared container: `@LazyInjected(\.window)`.
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    storage = LazyStorage(LazySource(location: location)) {
      Container.shared[keyPath: keyPath].unisolated
    }
  }

  /// Resolves a main-actor property of a shared container: `@LazyInjected(\Front.window)`.
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    storage = LazyStorage(LazySource(location: location)) {
      C.shared[keyPath: keyPath].unisolated
    }
  }
}

extension WeakLazyInjected {
  /// Resolves a main-actor property of the shared container: `@WeakLazyInjected(\.window)`.
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    storage = LazyStorage(LazySource(location: location)) {
      Container.shared[keyPath: keyPath].unisolated
    }
  }

  /// Resolves a main-actor property of a shared container: `@WeakLazyInjected(\Front.window)`.
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    storage = LazyStorage(LazySource(location: location)) {
      C.shared[keyPath: keyPath].unisolated
    }
  }
}

extension OptionalInjected {
  /// Resolves a main-actor property of the shared container whose service may be nil.
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Service?>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = Container.shared[keyPath: keyPath].resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves a main-actor property of a shared container whose service may be nil.
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Service?>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = C.shared[keyPath: keyPath].resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves a main-actor property of the shared container: `@OptionalInjected(\.window)`.
  @_disfavoredOverload
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = Container.shared[keyPath: keyPath].resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves a main-actor property of a shared container: `@OptionalInjected(\Front.window)`.
  @_disfavoredOverload
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = C.shared[keyPath: keyPath].resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension DynamicInjected {
  /// Resolves a main-actor property of the shared container: `@DynamicInjected(\.window)`.
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    source = Unchecked(
      (LazySource(location: location), { Container.shared[keyPath: keyPath].unisolated }))
  }

  /// Resolves a main-actor property of a shared container: `@DynamicInjected(\Front.window)`.
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    source = Unchecked(
      (LazySource(location: location), { C.shared[keyPath: keyPath].unisolated }))
  }
}
