// Resolving on the main actor, as checked by the compiler.

extension Resolver {
  /// Returns the instance for a type, resolved on the main actor.
  ///
  /// It equals `resolve`, except that the compiler ensures that the caller is on the main actor, so
  /// that factories registered with `registerMain` can run. Elsewhere the call takes an `await` and
  /// a Sendable service.
  @MainActor
  public func resolveOnMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for a type, resolved on the main actor, or nil when nothing is
  /// registered.
  @MainActor
  public func optionalOnMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    optional(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for a type, resolved on the main actor, or throws when there is none.
  @MainActor
  public func requireOnMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try require(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
