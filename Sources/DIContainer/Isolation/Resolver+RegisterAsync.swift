// Registration of async factories.

extension Resolver {
  /// Registers an async factory.
  ///
  /// Resolve it with `await`: `resolveAsync`, `requireAsync` or `optionalAsync`. A request without
  /// `await` gets a `ResolutionError`. In scopes that keep instances, the factory runs in a task of
  /// its own, and all concurrent requests wait for that one build without blocking a thread. A
  /// cancelled waiter leaves the build to the others. In other scopes the factory runs in the
  /// requesting task, or, where the request ignores cancellation, in a task of its own. Branches of
  /// one factory that request a `.graph` dependency at the same time each get one of their own. The
  /// result of a failed build is not kept, so the next request tries again.
  ///
  /// ```swift
  /// resolver.registerAsync { try await RemoteCatalog.load() as any Catalog }.scope(.cached)
  /// let catalog = try await resolver.requireAsync((any Catalog).self)
  /// ```
  ///
  /// A kept instance is returned to every requesting task, so its type should be Sendable.
  ///
  /// - Parameters:
  ///   - type: The type to register for.
  ///   - name: The name that distinguishes it from other registrations of the type.
  ///   - factory: The closure that makes an instance.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func registerAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable () async throws -> sending Service?
  ) -> ResolverOptions<Service> {
    store(
      .async { _, _ in Unchecked(try await factory()) }, name: name,
      CodeLocation(fileID, filePath, line, column))
  }

  /// Registers an async factory that resolves its dependencies from the container that it receives.
  ///
  /// See `registerAsync(_:name:factory:)`.
  @discardableResult
  public func registerAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable (_ resolver: Resolver) async throws -> sending Service?
  ) -> ResolverOptions<Service> {
    store(
      .async { resolver, _ in Unchecked(try await factory(resolver)) }, name: name,
      CodeLocation(fileID, filePath, line, column))
  }

  /// Registers an async factory that receives the arguments of the request.
  ///
  /// See `registerAsync(_:name:factory:)`.
  @discardableResult
  public func registerAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory:
      @escaping @Sendable (_ resolver: Resolver, _ args: Args) async throws -> sending Service?
  ) -> ResolverOptions<Service> {
    store(
      .async { resolver, args in
        Unchecked(try await factory(resolver, Args(args.value)))
      }.takingArguments(), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers an async initialiser, or function, whose parameters are resolved by type.
  ///
  /// The dependencies of `registerAsync(OrderStore.init)` may be async too.
  @_disfavoredOverload
  @discardableResult
  public func registerAsync<each Needed, Service: Sendable>(
    _ factory: @escaping @Sendable (repeat each Needed) async throws -> Service?, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    var dependencies: [Dependency] = []
    repeat dependencies.append(Self.dependency((each Needed).self))
    return store(
      .async { resolver, _ in
        Unchecked(
          try await factory(
            repeat try await resolver.awaited((each Needed).self, at: location)))
      }, name: name, location, dependencies: dependencies)
  }

  /// Returns the instance for a parameter of a factory, or throws when there is none.
  private nonisolated(nonsending) func awaited<Needed>(
    _ type: Needed.Type, at location: CodeLocation
  ) async throws -> Needed {
    try await asyncRequest(type, args: nil, location).require()
  }
}

extension Maker {
  /// Returns the maker of an async factory.
  static func async<Service>(
    _ make: @escaping @Sendable (Resolver, Unchecked<Any?>) async throws -> Unchecked<Service?>
  ) -> Maker {
    var maker = Maker.nothing
    maker.details.isolation = .task
    maker.details.buildAsync = { Unchecked(try await make($0, $1).value.map { Instance($0) }) }
    return maker
  }
}

extension ResolverOptions {
  /// The number of requests that wait for the build of the instance kept outside every scope, for
  /// tests.
  package var waiterCount: Int { registration.keeper?.waitingTasks ?? 0 }
}

// MARK: - Static forms, which register in main

extension Resolver {
  /// Registers an async factory, in `main`; see `registerAsync(_:name:factory:)`.
  @discardableResult
  public static func registerAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable () async throws -> sending Service?
  ) -> ResolverOptions<Service> {
    main.registerAsync(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers an async factory and resolves its dependencies, in `main`.
  @discardableResult
  public static func registerAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable (_ resolver: Resolver) async throws -> sending Service?
  ) -> ResolverOptions<Service> {
    main.registerAsync(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }
}
