// Names in strings, as in Swinject. A literal is a `Resolver.Name` everywhere; these forms accept
// variables. Elsewhere, write `name: Resolver.Name(string)`.

extension Resolver {
  /// Registers a factory under a name in a string.
  ///
  /// See `Resolver.register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service>(
    _ type: Service.Type, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: .name(fromString: name), fileID: fileID, filePath: filePath, line: line,
      column: column, factory: factory)
  }

  /// Registers a factory without parameters, under a name in a string.
  ///
  /// See `Resolver.register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service>(
    _ type: Service.Type, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: .name(fromString: name), fileID: fileID, filePath: filePath, line: line,
      column: column, factory: factory)
  }

  /// Registers a factory that reads the request's arguments, under a name in a string.
  ///
  /// See `Resolver.register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service>(
    _ type: Service.Type, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ args: Resolver.Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: .name(fromString: name), fileID: fileID, filePath: filePath, line: line,
      column: column, factory: factory)
  }

  /// Registers a factory that takes one argument, under a name in a string.
  ///
  /// See `Resolver.register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service, Argument>(
    _ type: Service.Type, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ argument: Argument) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: .name(fromString: name), fileID: fileID, filePath: filePath, line: line,
      column: column, factory: factory)
  }

  /// Registers a factory that takes several arguments, under a name in a string.
  ///
  /// See `Resolver.register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service, First, Second, each Other>(
    _ type: Service.Type, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory:
      @escaping (
        _ resolver: Resolver, _ first: First, _ second: Second, _ others: repeat each Other
      ) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: .name(fromString: name), fileID: fileID, filePath: filePath, line: line,
      column: column, factory: factory)
  }

  /// Registers a service for a protocol too, under a name in a string.
  @_disfavoredOverload
  public func forward<Protocol, Service>(
    _ type: Protocol.Type, name: String?, to service: ResolverOptions<Service>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    forward(
      type, name: .name(fromString: name), to: service, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Returns whether something is registered for a type under a name in a string.
  @_disfavoredOverload
  public func hasAnyRegistration<Service>(of type: Service.Type, name: String?) -> Bool {
    hasAnyRegistration(of: type, name: .name(fromString: name))
  }
}

extension OptionalServiceResolver {
  /// Returns the instance for a name in a string, or nil, where an optional is requested.
  @_disfavoredOverload
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: .name(fromString: name), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for a name in a string and one argument, or nil, where an optional is
  /// requested.
  @_disfavoredOverload
  public func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: .name(fromString: name), argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Returns the instance for a name in a string and several arguments, or nil, where an optional
  /// is requested.
  @_disfavoredOverload
  public func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?, arguments first: First, _ second: Second,
    _ others: repeat each Other, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: .name(fromString: name), arguments: first, second, repeat each others,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension ServiceResolver {
  /// Returns the instance for a name in a string, or traps with a diagnosis.
  @_disfavoredOverload
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service {
    resolve(
      type, name: .name(fromString: name), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for a name in a string and one argument, or traps with a diagnosis.
  @_disfavoredOverload
  public func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: .name(fromString: name), argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// Returns the instance for a name in a string and several arguments, or traps with a diagnosis.
  @_disfavoredOverload
  public func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?, arguments first: First, _ second: Second,
    _ others: repeat each Other, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service {
    resolve(
      type, name: .name(fromString: name), arguments: first, second, repeat each others,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
