// Static forms of SwinjectArguments.swift, which register in main and resolve from the root.

extension Resolver {
  /// Registers a factory that takes one argument of a request, passed as `argument:`, in `main`.
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

  /// Returns the root container's instance for a type and one argument, or traps.
  public static func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    started.resolve(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Returns the root container's instance for a type and one argument, or nil.
  public static func optional<Service, Argument>(
    _ type: Service.Type = Service.self, name: Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    started.optional(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Returns the root container's instance for a type and one argument, or throws.
  public static func require<Service, Argument>(
    _ type: Service.Type = Service.self, name: Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try started.require(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Returns the root container's instance for a type and several arguments, or traps.
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

  /// Returns the root container's instance for a type and several arguments, or nil.
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

  /// Returns the root container's instance for a type and several arguments, or throws.
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
  /// Returns the root container's instance for one argument, or nil, where an optional is
  /// requested.
  public static func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.started.resolve(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Returns the root's instance for several arguments, or nil, where an optional is requested.
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
