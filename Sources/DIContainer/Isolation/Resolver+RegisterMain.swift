// Registration of factories that run on the main actor.

extension Resolver {
  /// Registers a factory that runs on the main actor.
  ///
  /// Requests on the main actor are resolved without waiting: `resolve`,
  /// `@Injected`. Requests elsewhere have to wait, with `await resolveAsync`; without `await` they
  /// get a `ResolutionError`, never a trap of the runtime. Plain `register` runs its factory
  /// wherever the service is resolved.
  ///
  /// ```swift
  /// resolver.registerMain { ShopWindow() }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to register for.
  ///   - name: The name that distinguishes it from other registrations of the type.
  ///   - factory: The closure that makes an instance on the main actor.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func registerMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @MainActor () throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      .plain { try MainActor.assumingIsolated(factory) }.onMain, name: name,
      CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that runs on the main actor and resolves its dependencies.
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
      .resolver { resolver in
        try MainActor.assumingIsolated { try factory(resolver) }
      }.onMain, name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that runs on the main actor and receives the arguments of the request.
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
      .arguments { resolver, args in
        let args = Unchecked(args)
        return try MainActor.assumingIsolated { try factory(resolver, args.value) }
      }.onMain, name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a main-actor initialiser, or function, whose parameters are resolved by type.
  ///
  /// The dependencies of `registerMain(CartModel.init)` are resolved on the main actor.
  @_disfavoredOverload
  @discardableResult
  public func registerMain<each Needed, Service>(
    _ factory: @escaping @MainActor (repeat each Needed) throws -> Service?, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    var dependencies: [Dependency] = []
    repeat dependencies.append(Self.dependency((each Needed).self))
    return store(
      .resolver { resolver in
        try MainActor.assumingIsolated {
          try factory(repeat try resolver.needed((each Needed).self, at: location))
        }
      }.onMain, name: name, location, dependencies: dependencies)
  }
}

extension Maker {
  /// The maker, whose factory is only called on the main actor.
  var onMain: Maker {
    var maker = self
    maker.details.isolation = .main
    return maker
  }
}

// MARK: - Static forms, which register in main

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

  /// Registers a factory that runs on the main actor and resolves its dependencies, in `main`.
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
}

extension ResolverOptions {
  /// Sets properties of each new instance on the main actor, for registrations of `registerMain`.
  ///
  /// It equals `resolveProperties(_:)`, except that the closure is isolated to the main actor,
  /// wherever it is written. Where the factory runs on another thread, a request fails.
  ///
  /// ```swift
  /// @MainActor final class FrontModel { var window: ShopWindow? }
  ///
  /// resolver.registerMain { FrontModel() }
  ///   .resolvePropertiesOnMain { r, model in model.window = r.resolve() }
  /// ```
  ///
  /// - Parameter block: Receives the container that the request was made to, and the instance.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func resolvePropertiesOnMain(
    _ block: @escaping @MainActor (_ resolver: Resolver, _ service: Service) throws -> Void
  ) -> ResolverOptions<Service> {
    resolveProperties { resolver, service in
      if !MainActor.isCurrent {
        throw ResolutionError.needsMain.adding([.setsPropertiesOnMain])
      }
      let service = Unchecked(service)
      try MainActor.assumingIsolated { try block(resolver, service.value) }
    }
  }
}
