// Requests under names in strings: the counterparts of SwinjectStringNames.swift.

extension OptionalServiceResolver {
  /// Returns the instance for a name in a string, or nil, where an optional is requested.
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

  /// Returns the instance for a name in a string and one argument, or nil, where an optional is
  /// requested.
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

  /// Returns the instance for a name in a string and several arguments, or nil, where an optional
  /// is requested.
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
  /// Returns the instance for a name in a string, or traps when there is none.
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

  /// Returns the instance for a name in a string and one argument, or traps.
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

  /// Returns the instance for a name in a string and several arguments, or traps.
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

  /// Returns the instance for a name in a string, or nil.
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

  /// Returns the instance for a name in a string and one argument, or nil.
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

  /// Returns the instance for a name in a string and several arguments, or nil.
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

  /// Returns the instance for a name in a string, or throws when there is none.
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

  /// Returns the instance for a name in a string and one argument, or throws.
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

  /// Returns the instance for a name in a string and several arguments, or throws.
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
