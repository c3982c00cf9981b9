// The members of Swinject's `Container` that are spelled differently elsewhere.

extension Resolver {
  /// Creates a container with a default scope, which may use the services of another one.
  ///
  /// The default scope applies to registrations by type in this container, whenever they are made.
  /// Without one, it is `Resolver.defaultScope`. Nested containers have default scopes of their
  /// own.
  ///
  /// - Parameters:
  ///   - parent: A container that provides what this one does not register; it is held strongly.
  ///   - defaultObjectScope: The scope of registrations that specify none.
  public convenience init(
    parent: Resolver? = nil, defaultObjectScope: ObjectScope?,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      child: parent, defaultScope: defaultObjectScope?.scope,
      at: CodeLocation(fileID, filePath, line, column))
  }

  /// Creates a container with a default scope, and configures it.
  ///
  /// See `init(child:configure:)` and `init(parent:defaultObjectScope:)`.
  public convenience init(
    parent: Resolver? = nil, defaultObjectScope: ObjectScope?,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, configure: (Resolver) throws -> Void
  ) rethrows {
    self.init(
      parent: parent, defaultObjectScope: defaultObjectScope, fileID: fileID, filePath: filePath,
      line: line, column: column)
    try ContextFrame.settingUp { try configure(self) }
  }

  /// Registers a service for a protocol too, in the container that the service is registered in.
  ///
  /// An alias for `service.implements(_:name:)`.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - name: The name to register it under.
  ///   - service: The options that `register` returned.
  public func forward<Protocol, Service>(
    _ type: Protocol.Type, name: Name? = nil, to service: ResolverOptions<Service>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    service.implements(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Loads properties into this container; an alias for `load(_:)`.
  ///
  /// - Parameter loader: The loader to read the properties from.
  /// - Throws: The reason why the properties cannot be loaded.
  public func applyPropertyLoader(
    _ loader: any PropertyLoader, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws(PropertyError) {
    try load(loader, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Whether something is registered for a type, under a name if one is given.
  ///
  /// The search covers this container and its nested ones, and builds nothing. Without a name, it
  /// looks for a registration without a name; see `registrations` for all of them.
  public func hasAnyRegistration<Service>(of type: Service.Type, name: Name? = nil) -> Bool {
    prepareForListing()
    let key = ServiceKey(type, name: name)
    return Lookup.findComplete(key, in: core, ContextFrame.current) != nil
  }

  /// Returns a view of the container that resolves but does not register.
  ///
  /// Every container is thread-safe, so the view adds no locking. It shows later registrations too,
  /// and keeps the container alive.
  public func synchronize() -> any ServiceResolver { Assembler(container: self).resolver }
}

extension ResolverOptions {
  /// Sets properties of each new instance, which may refer to services that need it.
  ///
  /// Unlike those of `resolveProperties(_:)`, they are set once the outermost service under
  /// construction is built, whichever services they need, and before the request for it returns;
  /// those of several instances are set in the order in which the instances were made. Until then
  /// other threads wait for the new instances that are to be kept, unless they would wait forever,
  /// and if a property cannot be set, none of these instances is kept. The properties of the
  /// outermost service itself are set at once.
  ///
  /// The properties of an async service (`registerAsync`) are also set at once, when its factory
  /// has returned. If they need an async service that is under construction, the cycle is an
  /// error. A request that an async factory makes for a service that is not async counts as an
  /// outermost one.
  ///
  /// - Parameter block: Receives the container that the request was made to, and the instance.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func initCompleted(
    _ block: @escaping (_ resolver: Resolver, _ service: Service) throws -> Void
  ) -> ResolverOptions<Service> {
    settingProperties(ofCycle: true) { resolver, service, _ in try block(resolver, service) }
  }
}
