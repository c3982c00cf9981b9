// DITranquillity's vocabulary for `implements` and `scope`.

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

  /// Sets the scope of the registration, like `scope(_:)`.
  ///
  /// - Parameter lifetime: The scope.
  /// - Returns: The options, for chaining.
  @discardableResult
  public func lifetime(_ lifetime: Scope) -> ResolverOptions<Service> {
    scope(lifetime)
  }
}
