// Typed containers: services are declared as properties of a container and resolved by key path.
// A declaration is only a description, made anew at each access: a container, the property's key,
// a closure. What is registered for it is a registration in the container's own registry under that
// key, so that everything that applies to registrations by type (nesting, sandboxes, layers,
// recorders, scopes) applies to it too. For the declaration itself an implicit registration is made
// at its first use, which stays beside what is registered (`Registration.Part`).

extension SharedContainer {
  /// Passes the container to a closure: `Container.shared { $0.payments.register { Fake() } }`.
  @_disfavoredOverload
  public func callAsFunction(_ transform: (Self) -> Void) {
    transform(self)
  }
}

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
    return manager.resolver.store(
      .plain(factory), name: name, CodeLocation(fileID, filePath, line, column))
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
  package func options<Service>(of type: Service.Type) -> ResolverOptions<Service>? {
    manager.prepare(self)
    let core = manager.core
    let key = ServiceKey(type, name: nil)
    guard let found = Lookup.find(key, in: core, ContextFrame.current), found.owner === core else {
      return nil
    }
    return ResolverOptions(
      resolver: manager.resolver, RegistrationTarget.current(for: core).present(found.registration))
  }
}
