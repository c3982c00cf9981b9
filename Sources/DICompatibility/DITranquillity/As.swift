// DITranquillity's vocabulary for `implements`.

extension ResolverOptions {
  /// Registers the service for a protocol too.
  ///
  /// An alias for `implements(_:name:)`. Several services may be registered as one protocol:
  /// `resolve` returns the last of them, `resolveMany` all.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - name: The name to register it under.
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
}
