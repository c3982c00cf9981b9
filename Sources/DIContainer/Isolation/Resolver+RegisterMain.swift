// Registering factories that run on the main actor.

extension Resolver {
  /// Registers a factory that runs on the main actor.
  ///
  /// Requests on the main actor are answered at once: `resolve`, `resolveOnMain`, `@Injected`.
  /// From elsewhere the request has to wait: `await resolveAsync`; without `await` it gets a
  /// `ResolutionError`, never a trap of the runtime. Plain
  /// `register` runs its factory wherever the service is resolved.
  ///
  /// - Parameters:
  ///   - type: The type to register for.
  ///   - name: A name that tells it apart from other registrations of the type.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - factory: Makes an instance on the main actor.
  /// - Returns: The registration, for further calls.
  @discardableResult
  public func registerMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @MainActor () throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      onMain { _, _ in try factory() }, name: name, home: .actor(MainActor.shared),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Registers a factory that runs on the main actor and resolves what it needs.
  ///
  /// See `registerMain(_:name:factory:)`.
  @discardableResult
  public func registerMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @MainActor (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      onMain { resolver, _ in try factory(resolver) }, name: name, home: .actor(MainActor.shared),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Registers a factory that runs on the main actor and takes arguments from the request.
  ///
  /// See `registerMain(_:name:factory:)`.
  @discardableResult
  public func registerMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @MainActor (_ resolver: Resolver, _ args: Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      onMain { resolver, args in try factory(resolver, args) }, name: name,
      home: .actor(MainActor.shared),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Registers a main-actor initialiser, or function, whose parameters are resolved by type.
  ///
  /// `registerMain(CartModel.init)`; what it needs is resolved on the main actor.
  @_disfavoredOverload
  @discardableResult
  public func registerMain<each Needed, Service>(
    _ factory: @escaping @MainActor (repeat each Needed) throws -> Service?, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    var dependencies: [Dependency] = []
    repeat dependencies.append(Self.dependency((each Needed).self))
    return store(
      onMain { resolver, _ in
        try factory(repeat try resolver.needed((each Needed).self, at: location))
      }, name: name, home: .actor(MainActor.shared), dependencies: dependencies, location)
  }

  /// Registers, under a name, a main-actor closure whose parameters are resolved by type.
  @_disfavoredOverload
  @discardableResult
  public func registerMain<each Needed, Service>(
    _ type: Service.Type = Service.self, name: Name?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping @MainActor (repeat each Needed) throws -> Service?
  ) -> ResolverOptions<Service> {
    registerMain(
      factory, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// A factory as one that is only called on the main actor.
  private func onMain<Service>(
    _ factory: @escaping @MainActor (Resolver, Args) throws -> Service?
  ) -> Make<Service> {
    // Being isolated is no part of how a function is called; `checkHome` has looked.
    .arguments(unsafeBitCast(factory, to: ((Resolver, Args) throws -> Service?).self))
  }
}

// MARK: - Static twins: they register in main

extension Resolver {
  /// Registers a factory that runs on the main actor, in the main container.
  @discardableResult
  public static func registerMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @MainActor () throws -> Service?
  ) -> ResolverOptions<Service> {
    main.registerMain(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that runs on the main actor and is given the container, in `main`.
  @discardableResult
  public static func registerMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @MainActor (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.registerMain(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that runs on the main actor and takes arguments, in `main`.
  @discardableResult
  public static func registerMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @MainActor (_ resolver: Resolver, _ args: Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.registerMain(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a main-actor initialiser whose parameters are resolved by type, in `main`.
  @_disfavoredOverload
  @discardableResult
  public static func registerMain<each Needed, Service>(
    _ factory: @escaping @MainActor (repeat each Needed) throws -> Service?, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    main.registerMain(
      factory, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Registers, under a name, a main-actor closure with parameters resolved by type, in `main`.
  @_disfavoredOverload
  @discardableResult
  public static func registerMain<each Needed, Service>(
    _ type: Service.Type = Service.self, name: Name?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping @MainActor (repeat each Needed) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.registerMain(
      factory, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
