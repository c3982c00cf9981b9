// Static forms of Resolver+Await.swift and Resolver+OnMain.swift, which use the root container.

extension Resolver {
  /// Returns the root container's instance, wherever its factory runs.
  ///
  /// Traps with a diagnosis when there is none.
  public nonisolated(nonsending) static func resolveAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service {
    await started.resolveAsync(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance, wherever its factory runs, or nil when there is none.
  public nonisolated(nonsending) static func optionalAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service? {
    await started.optionalAsync(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance, wherever its factory runs, or throws when there is
  /// none.
  public nonisolated(nonsending) static func requireAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(ResolutionError) -> Service {
    try await started.requireAsync(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance of a service that is not Sendable.
  ///
  /// Traps with a diagnosis when there is none.
  public static func resolveAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Service {
    await started.resolveAsync(
      type, name: name, args: args, isolation: isolation, fileID: fileID, filePath: filePath,
      line: line,
      column: column)
  }

  /// Returns the root container's instance of a service that is not Sendable, or nil.
  public static func optionalAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Service? {
    await started.optionalAsync(
      type, name: name, args: args, isolation: isolation, fileID: fileID, filePath: filePath,
      line: line,
      column: column)
  }

  /// Returns the root container's instance of a service that is not Sendable, or throws.
  public static func requireAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws(ResolutionError) -> Service {
    try await started.requireAsync(
      type, name: name, args: args, isolation: isolation, fileID: fileID, filePath: filePath,
      line: line,
      column: column)
  }

  /// Returns the root container's instance, resolved on the main actor.
  ///
  /// Traps with a diagnosis when there is none.
  @MainActor
  public static func resolveOnMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    started.resolveOnMain(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance, resolved on the main actor, or nil when there is none.
  @MainActor
  public static func optionalOnMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    started.optionalOnMain(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance, resolved on the main actor, or throws when there is
  /// none.
  @MainActor
  public static func requireOnMain<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try started.requireOnMain(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

extension OptionalServiceResolver where Self == Resolver {
  /// Returns the instance for a type, or nil, where an optional is requested.
  public nonisolated(nonsending) func resolveAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service? {
    await self.optionalAsync(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance for a type, or nil, where an optional is requested.
  public static nonisolated(nonsending) func resolveAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service? {
    await Resolver.optionalAsync(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
