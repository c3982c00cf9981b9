// Static twins of the requests under names that are strings: they ask the root.

extension OptionalServiceResolver where Self == Resolver {
  /// The root container's instance for a string as name, where an optional is asked for.
  @_disfavoredOverload
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: String?, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.started.resolve(
      type, name: name.asName, args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance, optionally, for a string and one argument.
  @_disfavoredOverload
  public static func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.started.resolve(
      type, name: name.asName, argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance, optionally, for a string and several arguments.
  @_disfavoredOverload
  public static func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?,
    arguments first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.started.resolve(
      type, name: name.asName, arguments: first, second, repeat each others, fileID: fileID,
      filePath: filePath,
      line: line, column: column)
  }
}

extension Resolver {
  /// The root container's instance for a string as name; traps when there is none.
  @_disfavoredOverload
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: String?, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    started.resolve(
      type, name: name.asName, args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance for a string and one argument; traps when there is none.
  @_disfavoredOverload
  public static func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    started.resolve(
      type, name: name.asName, argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance for a string and several arguments; traps when there is none.
  @_disfavoredOverload
  public static func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?,
    arguments first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    started.resolve(
      type, name: name.asName, arguments: first, second, repeat each others, fileID: fileID,
      filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance for a string as name, or nil.
  @_disfavoredOverload
  public static func optional<Service>(
    _ type: Service.Type = Service.self, name: String?, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    started.optional(
      type, name: name.asName, args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance for a string and one argument, or nil.
  @_disfavoredOverload
  public static func optional<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    started.optional(
      type, name: name.asName, argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance for a string and several arguments, or nil.
  @_disfavoredOverload
  public static func optional<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?,
    arguments first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    started.optional(
      type, name: name.asName, arguments: first, second, repeat each others, fileID: fileID,
      filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance for a string as name; throws when there is none.
  @_disfavoredOverload
  public static func require<Service>(
    _ type: Service.Type = Service.self, name: String?, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try started.require(
      type, name: name.asName, args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance for a string and one argument; throws when there is none.
  @_disfavoredOverload
  public static func require<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try started.require(
      type, name: name.asName, argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The root container's instance for a string and several arguments; throws when there is none.
  @_disfavoredOverload
  public static func require<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?,
    arguments first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try started.require(
      type, name: name.asName, arguments: first, second, repeat each others, fileID: fileID,
      filePath: filePath,
      line: line, column: column)
  }
}
