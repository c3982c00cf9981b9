// Static forms of SwinjectStringNames.swift, which register in main.

extension Resolver {
  /// Registers a factory under a name in a string, in `main`.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public static func register<Service>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that receives the container, under a name in a string, in `main`.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public static func register<Service>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that receives arguments, under a name in a string, in `main`.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public static func register<Service>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ args: Args) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that takes one argument, under a name in a string, in `main`.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public static func register<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ argument: Argument) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that takes several arguments, under a name in a string, in `main`.
  ///
  /// See `register(_:name:factory:)`.
  @_disfavoredOverload
  @discardableResult
  public static func register<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory:
      @escaping (
        _ resolver: Resolver, _ first: First, _ second: Second, _ others: repeat each Other
      ) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Removes a registration with a name in a string from `main`.
  @_disfavoredOverload
  public static func remove<Service>(
    _ type: Service.Type, name: String?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    main.remove(
      type, name: name.asName, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
