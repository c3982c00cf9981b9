// Static twins of what takes arguments by position: they register in main, and ask the root.

extension Resolver {
  /// Registers a factory that takes one argument, which a request passes as `argument:`, in `main`.
  @_disfavoredOverload
  @discardableResult
  public static func register<Service, Argument>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ argument: Argument) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a factory that takes several arguments, passed as `arguments:`, in `main`.
  @_disfavoredOverload
  @discardableResult
  public static func register<Service, First, Second, each Other>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory:
      @escaping (
        _ resolver: Resolver, _ first: First, _ second: Second, _ others: repeat each Other
      ) throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// The root container's instance for a type and one argument; traps when there is none.
  public static func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    started.resolve(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The root container's instance for a type and one argument, or nil when there is none.
  public static func optional<Service, Argument>(
    _ type: Service.Type = Service.self, name: Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    started.optional(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The root container's instance for a type and one argument; throws when there is none.
  public static func require<Service, Argument>(
    _ type: Service.Type = Service.self, name: Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try started.require(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The root container's instance for a type and several arguments; traps when there is none.
  public static func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: Name? = nil, arguments first: First,
    _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    started.resolve(
      type, name: name, args: Resolver.Args(first, second, repeat each others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The root container's instance for a type and several arguments, or nil when there is none.
  public static func optional<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: Name? = nil, arguments first: First,
    _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    started.optional(
      type, name: name, args: Resolver.Args(first, second, repeat each others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The root container's instance for a type and several arguments; throws when there is none.
  public static func require<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: Name? = nil, arguments first: First,
    _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try started.require(
      type, name: name, args: Resolver.Args(first, second, repeat each others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}

extension OptionalServiceResolver where Self == Resolver {
  /// The root container's instance for a type and one argument where an optional is asked for.
  public static func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.started.resolve(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The root container's instance for a type and several arguments where an optional is asked for.
  public static func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, arguments first: First,
    _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.started.resolve(
      type, name: name, args: Resolver.Args(first, second, repeat each others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}
