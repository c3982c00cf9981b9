// Registrations by type in user-defined containers, in addition to those by key path. `Container`
// has these members already, in more forms, so these are disfavoured.

extension ManagedContainer {
  /// Registers a factory for a type.
  @_disfavoredOverload
  @discardableResult
  public func register<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    manager.prepare(self)
    return manager.resolver.register(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Returns the instance for a type, or nil when nothing is registered or the factory returned
  /// nil.
  ///
  /// When a dependency of the service cannot be resolved, this traps with the diagnosis.
  @_disfavoredOverload
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    manager.prepare(self)
    return manager.resolver.optional(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Returns the options of the container's own registration for a type, to change them; nil when
  /// there is none.
  public func factory<Service>(_ type: Service.Type) -> ResolverOptions<Service>? {
    manager.prepare(self)
    let core = manager.core
    let key = RawKey(type, name: nil)
    guard let found = Lookup.find(key, in: core, ContextFrame.current), found.owner === core else {
      return nil
    }
    return ResolverOptions(
      resolver: manager.resolver, RegistrationTarget.current(for: core).stored(found.registration))
  }
}
