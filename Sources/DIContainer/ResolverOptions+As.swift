// DITranquillity's vocabulary for `implements`. A tag is a name that is written as a type.

extension ResolverOptions {
  /// Registers the service for a protocol too.
  ///
  /// An alias for `implements(_:name:)`. Several services may be registered as one protocol:
  /// `resolve` returns the last of them, `resolveMany` all.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - name: The name to register it under.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  @inlinable
  public func `as`<Protocol>(
    _ type: Protocol.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> ResolverOptions<Service> {
    implements(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Registers the service for a protocol under a tag.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - tag: A type that represents a name; see `Resolver.Name.init(tag:)`.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  @inlinable
  public func `as`<Protocol, Tag>(
    _ type: Protocol.Type, tag: Tag.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> ResolverOptions<Service> {
    implements(
      type, name: Resolver.Name(tag: tag), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Registers the service for a protocol, with a conformance check at compile time.
  ///
  /// `.as(check: (any Payments).self) { $0 }` compiles only if the service conforms.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - name: The name to register it under.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - conversion: Shows the compiler that the service conforms; it is not run.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  @inlinable
  public func `as`<Protocol>(
    check type: Protocol.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ conversion: (Service) -> Protocol
  ) -> ResolverOptions<Service> {
    implements(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Registers the service for a protocol under a tag, with a conformance check at compile time.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - tag: A type that represents a name; see `Resolver.Name.init(tag:)`.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - conversion: Shows the compiler that the service conforms; it is not run.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  @inlinable
  public func `as`<Protocol, Tag>(
    check type: Protocol.Type, tag: Tag.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ conversion: (Service) -> Protocol
  ) -> ResolverOptions<Service> {
    implements(
      type, name: Resolver.Name(tag: tag), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

extension Resolver.Name {
  /// Creates the name of a tag, a type that distinguishes registrations.
  public init<Tag>(tag: Tag.Type) {
    let name = String(reflecting: tag)
    // The reflected name of a private type contains an address; its mangled name does not.
    self.init(name.contains("(unknown context") ? _mangledTypeName(tag) ?? name : name)
  }
}

extension ServiceResolver {
  /// Returns the instance for a type under a tag, or traps with a diagnosis when there is none.
  public func resolve<Service, Tag>(
    _ type: Service.Type = Service.self, tag: Tag.Type, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: Resolver.Name(tag: tag), args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }
}

extension OptionalServiceResolver {
  /// Returns the instance for a type under a tag, or nil when there is none.
  ///
  /// The compiler chooses this form where the requested type is an optional.
  public func resolve<Service, Tag>(
    _ type: Service.Type = Service.self, tag: Tag.Type, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: Resolver.Name(tag: tag), args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }
}
