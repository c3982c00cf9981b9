// Registration of factories that run on an actor: a global one, or any instance. `checkIsolation`
// checks the actor before every call. The language has no synchronous call of a function that is
// `@isolated(any)`, so those are kept as plain functions: isolation is not part of the calling
// convention.

extension Resolver {
  /// Registers a factory that runs on a global actor.
  ///
  /// ```swift
  /// resolver.register(on: StoreActor.self) { @StoreActor in OrderStore() }
  /// ```
  ///
  /// Requests made on that actor are resolved without waiting; others wait, with
  /// `await resolveAsync`. If the closure is isolated to another actor, it runs on that one.
  ///
  /// - Parameters:
  ///   - actor: The global actor.
  ///   - type: The type to register for.
  ///   - name: The name that distinguishes it from other registrations of the type.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - factory: The closure that makes an instance on the actor.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func register<Isolation: GlobalActor, Service>(
    on actor: Isolation.Type, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable @isolated(any) () throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      Maker.plain(unsafeBitCast(factory, to: (() throws -> Service?).self))
        .isolated(to: .actor(factory.isolation ?? Isolation.shared)), name: name,
      CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that runs on a global actor and resolves its dependencies.
  ///
  /// See `register(on:_:name:factory:)`.
  @discardableResult
  public func register<Isolation: GlobalActor, Service>(
    on actor: Isolation.Type, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      Maker.resolver(unsafeBitCast(factory, to: ((Resolver) throws -> Service?).self))
        .isolated(to: .actor(factory.isolation ?? Isolation.shared)), name: name,
      CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that runs on a global actor and receives the arguments of the request.
  ///
  /// See `register(on:_:name:factory:)`.
  @discardableResult
  public func register<Isolation: GlobalActor, Service>(
    on actor: Isolation.Type, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory:
      @escaping @Sendable @isolated(any) (_ resolver: Resolver, _ args: Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      Maker.arguments(unsafeBitCast(factory, to: ((Resolver, Args) throws -> Service?).self))
        .isolated(to: .actor(factory.isolation ?? Isolation.shared)), name: name,
      CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that runs on an actor, which it receives.
  ///
  /// ```swift
  /// actor Stockroom { var label = "north" }
  /// struct Shelf { var label: String }
  ///
  /// resolver.register(on: Stockroom()) { room in Shelf(label: room.label) }
  /// ```
  ///
  /// Requests made on that actor are resolved without waiting; others wait, with
  /// `await resolveAsync`. The registration holds the actor.
  ///
  /// - Parameters:
  ///   - actor: The actor.
  ///   - type: The type to register for.
  ///   - name: The name that distinguishes it from other registrations of the type.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - factory: The closure that makes an instance on the actor.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func register<Isolation: Actor, Service>(
    on actor: Isolation, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable (_ actor: isolated Isolation) throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      Maker.plain { try actor.assumeIsolated { Unchecked(try factory($0)) }.value }
        .isolated(to: .actor(actor)), name: name,
      CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that runs on an actor and resolves its dependencies.
  ///
  /// See `register(on:_:name:factory:)`.
  @discardableResult
  public func register<Isolation: Actor, Service>(
    on actor: Isolation, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory:
      @escaping @Sendable (_ actor: isolated Isolation, _ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    store(
      Maker.resolver { resolver in
        try actor.assumeIsolated { Unchecked(try factory($0, resolver)) }.value
      }.isolated(to: .actor(actor)), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a factory that runs on an actor and receives the arguments of the request.
  ///
  /// See `register(on:_:name:factory:)`.
  @discardableResult
  public func register<Isolation: Actor, Service>(
    on actor: Isolation, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory:
      @escaping @Sendable (_ actor: isolated Isolation, _ resolver: Resolver, _ args: Args) throws
      -> Service?
  ) -> ResolverOptions<Service> {
    store(
      Maker.arguments { resolver, args in
        let args = Unchecked(args)
        return try actor.assumeIsolated { Unchecked(try factory($0, resolver, args.value)) }.value
      }.isolated(to: .actor(actor)), name: name, CodeLocation(fileID, filePath, line, column))
  }
}

// MARK: - Static forms, which register in main

extension Resolver {
  /// Registers a factory that runs on a global actor, in `main`; see
  /// `register(on:_:name:factory:)`.
  @discardableResult
  public static func register<Isolation: GlobalActor, Service>(
    on actor: Isolation.Type, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable @isolated(any) () throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      on: actor, type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that runs on a global actor and resolves its dependencies, in `main`.
  @discardableResult
  public static func register<Isolation: GlobalActor, Service>(
    on actor: Isolation.Type, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory: @escaping @Sendable @isolated(any) (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      on: actor, type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that runs on a global actor and receives arguments, in `main`.
  @discardableResult
  public static func register<Isolation: GlobalActor, Service>(
    on actor: Isolation.Type, _ type: Service.Type = Service.self, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    factory:
      @escaping @Sendable @isolated(any) (_ resolver: Resolver, _ args: Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      on: actor, type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }
}
