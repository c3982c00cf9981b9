// Names in strings, as in Swinject. A literal is a `Name` everywhere; these forms are for
// variables. Property wrappers have none, because their names are written in their declaration.

extension String? {
  /// The name with the string's text, or no name for nil.
  var asName: Resolver.Name? { .name(fromString: self) }
}

extension Resolver {
  /// Registers a factory under a name in a string.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that receives the container, under a name in a string.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that receives arguments, under a name in a string.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ args: Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that takes one argument, under a name in a string.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ argument: Argument) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that takes several arguments, under a name in a string.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public func register<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory:
      @escaping (
        _ resolver: Resolver, _ first: First, _ second: Second, _ others: repeat each Other
      ) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Removes a registration with a name in a string.
  @_disfavoredOverload
  public func remove<Service>(
    _ type: Service.Type, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    remove(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Registers a service for a protocol too, under a name in a string.
  @_disfavoredOverload
  public func forward<Protocol, Service>(
    _ type: Protocol.Type, name: String?, to service: ResolverOptions<Service>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    forward(
      type, name: name.asName, to: service, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Whether something is registered for a type under a name in a string.
  @_disfavoredOverload
  public func hasAnyRegistration<Service>(of type: Service.Type, name: String?) -> Bool {
    hasAnyRegistration(of: type, name: name.asName)
  }
}
