// Asking on the main actor, where the compiler sees to it.

extension Resolver {
  /// The instance for a type, asked for on the main actor.
  ///
  /// The same as `resolve`, but that the compiler sees to it that the caller is on the main actor,
  /// so that factories registered with `registerMain` can run. Elsewhere it takes an `await`, and a
  /// service that is Sendable.
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

  /// The instance for a type, asked for on the main actor, or nil when nothing is registered.
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

  /// The instance for a type, asked for on the main actor; throws when there is none.
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
