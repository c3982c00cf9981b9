// Registration in a container. Every form calls `store`, which decides whether a registration
// belongs to the container or to the current sandbox.

extension Resolver {
  /// Registers a factory for a service.
  ///
  /// The service is registered for the type that the factory returns, or for `type`. The last
  /// registration for a type and name wins, and the instances kept for the previous one are
  /// released. Inside a sandbox the registration belongs to the sandbox.
  ///
  /// ```swift
  /// resolver.register { CardGateway() as any PaymentGateway }
  /// ```
  ///
  /// The factory runs wherever the service is resolved, on the requesting thread, even if it is
  /// written in code that is isolated to an actor. It may throw, and it may return nil.
  ///
  /// - Parameters:
  ///   - type: The type to register for.
  ///   - name: The name that distinguishes it from other registrations of the type.
  ///   - factory: The closure that makes an instance.
  /// - Returns: The registration's options, to choose its scope and the protocols it implements.
  @discardableResult
  @inlinable
  public func register<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    store(.plain(factory), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that resolves its dependencies from the container that it receives.
  ///
  /// The factory receives the container that the request was made to, which may be one that nests
  /// this one. See `register(_:name:factory:)` for details.
  @discardableResult
  @inlinable
  public func register<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    store(.resolver(factory), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that receives the arguments of the request; see `Args`.
  ///
  /// See `register(_:name:factory:)` for details.
  @discardableResult
  @inlinable
  public func register<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ args: Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    store(.arguments(factory), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Returns the instance for a parameter of a factory, or throws when there is none.
  @inlinable
  package func needed<Needed>(_ type: Needed.Type, at location: CodeLocation) throws -> Needed {
    // The compiler does not specialise this for the elements of a pack, so nothing on the way may
    // be generic: each `Needed?` or `Result<Needed, …>` looks up its metadata for 10 to 15 ns.
    try instanceOrThrow(type, at: location).value(as: type)
  }

  /// Stores a registration for `Service` in the current target, and reports it to recorders.
  @usableFromInline
  package func store<Service>(
    _ maker: Maker, name: Name?, _ location: CodeLocation,
    dependencies: [Dependency]? = nil
  ) -> ResolverOptions<Service> {
    ResolverOptions(
      resolver: self,
      store(
        maker, key: ServiceKey(Service.self, name: name), location, dependencies: dependencies))
  }

  /// Stores a registration for the key's type in the current target, and reports it to recorders.
  private func store(
    _ maker: Maker, key: ServiceKey, _ location: CodeLocation, dependencies: [Dependency]?
  ) -> StoredRegistration {
    let target = RegistrationTarget.current(for: core)
    var options = target.options(dependencies)
    let earlier = target.noteReplaced(by: &options, for: key, at: location)
    let registration = Registration(
      key: key, scope: target.defaultScope, location: location, maker: maker,
      options: consume options)
    target.store(registration)
    target.tell(of: registration)
    return target.stored(registration, earlier: earlier)
  }

  /// Removes a registration, and releases the instances kept for it.
  ///
  /// In a container, a registration of a nested container then applies. Inside a sandbox, and in a
  /// layer, the removal also hides the registrations below. Removing a service that is not
  /// registered has no effect.
  ///
  /// - Parameters:
  ///   - type: The type that it was registered for.
  ///   - name: The name that it was registered under.
  public func remove<Service>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID, filePath, line, column)
    let target = RegistrationTarget.current(for: core)
    let removal = Registration.removal(ServiceKey(type, name: name), at: location)
    let isThere = target.registry.find(removal.key).map { !$0.isRemoval } ?? false
    target.store(removal)
    // In a sandbox the removal hides the registrations below.
    if isThere || target.sandbox != nil { target.tell(of: removal) }
  }

  /// Removes all registrations by type of this container itself.
  ///
  /// The instances kept for them are released. Nested containers stay, and so do loaded properties
  /// and the properties that declare services; `manager.reset()` resets the registrations of the
  /// latter. Inside a sandbox the registrations are hidden in that sandbox only. See
  /// `remove(_:name:)` for one registration, and `Resolver.reset()` for `main`.
  public func removeAll(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    prepareForListing()
    let location = CodeLocation(fileID, filePath, line, column)
    let target = RegistrationTarget.current(for: core)
    for registration in core.visible(ContextFrame.current)
    where registration.key.property == nil {
      let removal = Registration.removal(registration.key, at: location)
      if !registration.isUnlisted {
        target.store(removal)
        target.tell(of: removal)
      } else if registration.key.type == GroupMark.self, target.sandbox == nil {
        // The group may be set up again. A sandbox only hides what it registered.
        target.store(removal)
      }
    }
  }
}

// These forms are declared in an extension of a protocol, so that the compiler prefers the members
// of `Resolver` for a closure that takes the container and arguments.
extension SharedContainer where Self == Resolver {
  /// Registers an initialiser, or any function, and resolves its parameters by type.
  ///
  /// With `register(Shop.init)` the dependencies of `Shop` are known without running any code:
  /// `validate()` can check them, and if one is missing, `require` throws instead of trapping. An
  /// optional parameter is nil when nothing is registered for it. A parameter may be a lazy
  /// wrapper, which resolves its service on first use. A closure with typed parameters works too:
  /// `register { (a: A, p: any P) in Two(a: a, p: p) }`.
  ///
  /// - Parameters:
  ///   - factory: The initialiser or function.
  ///   - name: The name that distinguishes it from other registrations of the type.
  /// - Returns: The registration's options, for further calls.
  @_disfavoredOverload
  @discardableResult
  @inlinable
  public func register<each Needed, Service>(
    _ factory: @escaping (repeat each Needed) throws -> Service?, name: Resolver.Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    var dependencies: [Dependency] = []
    repeat dependencies.append(Resolver.dependency((each Needed).self))
    return self.store(
      .resolver { resolver in
        try factory(repeat try resolver.needed((each Needed).self, at: location))
      }, name: name, location, dependencies: dependencies)
  }

  /// Registers a closure under a name, resolving the closure's parameters by type.
  ///
  /// In `register(name: .gift) { (catalog: any Catalog) in Basket(catalog: catalog) }` the
  /// dependencies are known without running the closure, as with an initialiser.
  @_disfavoredOverload
  @discardableResult
  @inlinable
  public func register<each Needed, Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (repeat each Needed) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      factory, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Registers a closure under a name in `main`, resolving the closure's parameters by type.
  @_disfavoredOverload
  @discardableResult
  @inlinable
  public static func register<each Needed, Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (repeat each Needed) throws -> Service?
  ) -> ResolverOptions<Service> {
    Resolver.main.register(
      factory, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

// MARK: - Static forms, which register in main

extension Resolver {
  /// Registers a factory for a service in `main`; see `register(_:name:factory:)`.
  @discardableResult
  @inlinable
  public static func register<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    main.store(.plain(factory), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that receives the container, in `main`.
  @discardableResult
  @inlinable
  public static func register<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.store(.resolver(factory), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that receives arguments, in `main`.
  @discardableResult
  @inlinable
  public static func register<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ args: Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.store(.arguments(factory), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers an initialiser whose parameters are resolved by type, in `main`.
  @_disfavoredOverload
  @discardableResult
  @inlinable
  public static func register<each Needed, Service>(
    _ factory: @escaping (repeat each Needed) throws -> Service?, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    main.register(
      factory, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
