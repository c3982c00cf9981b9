// Requests under names that are strings at run time: the counterparts of SwinjectStringNames.swift.

extension OptionalServiceResolver {
  /// The instance for a string as name, where an optional is asked for.
  @_disfavoredOverload
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: String?, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: name.asName, args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string and one argument, where an optional is asked for.
  @_disfavoredOverload
  public func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: name.asName, argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string and several arguments, where an optional is asked for.
  @_disfavoredOverload
  public func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?,
    arguments first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: name.asName, arguments: first, second, repeat each others, fileID: fileID,
      filePath: filePath,
      line: line, column: column)
  }
}

extension ServiceResolver {
  /// The instance for a string as name; traps when there is none.
  @_disfavoredOverload
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: String?, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: name.asName, args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string and one argument; traps when there is none.
  @_disfavoredOverload
  public func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: name.asName, argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string and several arguments; traps when there is none.
  @_disfavoredOverload
  public func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?,
    arguments first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: name.asName, arguments: first, second, repeat each others, fileID: fileID,
      filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string as name, or nil.
  @_disfavoredOverload
  public func optional<Service>(
    _ type: Service.Type = Service.self, name: String?, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    optional(
      type, name: name.asName, args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string and one argument, or nil.
  @_disfavoredOverload
  public func optional<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    optional(
      type, name: name.asName, argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string and several arguments, or nil.
  @_disfavoredOverload
  public func optional<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?,
    arguments first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    optional(
      type, name: name.asName, arguments: first, second, repeat each others, fileID: fileID,
      filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string as name; throws when there is none.
  @_disfavoredOverload
  public func require<Service>(
    _ type: Service.Type = Service.self, name: String?, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try require(
      type, name: name.asName, args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string and one argument; throws when there is none.
  @_disfavoredOverload
  public func require<Service, Argument>(
    _ type: Service.Type = Service.self, name: String?, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try require(
      type, name: name.asName, argument: argument, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The instance for a string and several arguments; throws when there is none.
  @_disfavoredOverload
  public func require<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: String?,
    arguments first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try require(
      type, name: name.asName, arguments: first, second, repeat each others, fileID: fileID,
      filePath: filePath,
      line: line, column: column)
  }
}
