// Registration of factories that run on an actor: a global one, or any instance. They are kept as
// plain functions, because isolation is not part of the calling convention, and `checkIsolation` checks
// the actor before every call.

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
      .plain(unsafeBitCast(factory, to: (() throws -> Service?).self)), name: name,
      isolation: .actor(factory.isolation ?? Isolation.shared),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
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
      .resolver(unsafeBitCast(factory, to: ((Resolver) throws -> Service?).self)), name: name,
      isolation: .actor(factory.isolation ?? Isolation.shared),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
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
      .arguments(unsafeBitCast(factory, to: ((Resolver, Args) throws -> Service?).self)),
      name: name,
      isolation: .actor(factory.isolation ?? Isolation.shared),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
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
    let make = unsafeBitCast(factory, to: ((Isolation) throws -> Service?).self)
    return store(
      .plain { try make(actor) }, name: name, isolation: .actor(actor),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
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
    let make = unsafeBitCast(factory, to: ((Isolation, Resolver) throws -> Service?).self)
    return store(
      .resolver { try make(actor, $0) }, name: name, isolation: .actor(actor),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
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
    let make = unsafeBitCast(factory, to: ((Isolation, Resolver, Args) throws -> Service?).self)
    return store(
      .arguments { try make(actor, $0, $1) }, name: name, isolation: .actor(actor),
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
