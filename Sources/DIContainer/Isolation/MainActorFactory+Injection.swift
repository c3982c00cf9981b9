// Property wrappers for services of the main actor: `@LazyInjected(\.window)`. Such a wrapper is
// created and used on the main actor, so in a type that is isolated to it. If it is used elsewhere
// all the same, the request fails with a diagnosis, as it does for a service by type.

extension Resolver.InjectionWrapper {
  /// Resolves a main-actor property of the shared container: `@Injected(\.window)`.
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Declared>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      _from: { Container.shared[keyPath: keyPath].unisolated },
      at: CodeLocation(fileID, filePath, line, column))
  }

  /// Resolves a main-actor property of a shared container: `@Injected(\Front.window)`.
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Declared>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      _from: { C.shared[keyPath: keyPath].unisolated },
      at: CodeLocation(fileID, filePath, line, column))
  }
}

extension OptionalInjected {
  /// Resolves a main-actor property of the shared container.
  @_disfavoredOverload
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = Container.shared[keyPath: keyPath].resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves a main-actor property of a shared container.
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
