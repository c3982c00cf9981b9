// Static forms of requests under names in strings, which use the root container.

extension OptionalServiceResolver where Self == Resolver {
  /// Returns the root's instance for a name in a string, or nil, where an optional is requested.
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

  /// Returns the root's instance for a name in a string and one argument, or nil, where an optional
  /// is requested.
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

  /// Returns the root's instance for a name in a string and several arguments, or nil, where an
  /// optional is requested.
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
  /// Returns the root container's instance for a name in a string, or traps.
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

  /// Returns the root container's instance for a name in a string and one argument, or traps.
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

  /// Returns the root container's instance for a name in a string and several arguments, or traps.
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

  /// Returns the root container's instance for a name in a string, or nil.
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

  /// Returns the root container's instance for a name in a string and one argument, or nil.
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

  /// Returns the root container's instance for a name in a string and several arguments, or nil.
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

  /// Returns the root container's instance for a name in a string, or throws.
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

  /// Returns the root container's instance for a name in a string and one argument, or throws.
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

  /// Returns the root container's instance for a name in a string and several arguments, or throws.
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
