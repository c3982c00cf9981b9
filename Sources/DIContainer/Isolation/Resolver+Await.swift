// Resolving with `await`, and on the main actor. The verbs are those of Resolver+Resolution.swift:
// `resolve…` traps with the diagnosis, `optional…` returns nil where nothing is registered,
// `require…` throws. All of them resolve every registration, including sync ones, so that a double
// may be registered with plain `register`.
//
// Instances that may pass from one actor to another are Sendable. A service that is not is
// requested with `isolation: #isolation`, and stays on the caller's actor.

extension Resolver {
  /// Returns the instance for a type, wherever its factory runs.
  ///
  /// A sync factory runs on the caller's actor, one of an actor runs there, and an async one is
  /// awaited. Traps with the diagnosis where `requireAsync` would throw. As it cannot throw, it
  /// ignores that its task is cancelled, and waits for the build to end.
  ///
  /// ```swift
  /// let catalog = await resolver.resolveAsync((any Catalog).self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type that the service was registered for.
  ///   - name: The name that it was registered under.
  ///   - args: The arguments that the factory receives; see `Args`.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The instance.
  @inlinable
  public nonisolated(nonsending) func resolveAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service {
    let location = CodeLocation(fileID, filePath, line, column)
    if let kept = kept(type, name: name, location) { return kept }
    return await asyncRequest(type, name: name, args: args, location).resolve()
  }

  /// Returns the instance for a type, or nil when nothing is registered or the factory returned
  /// nil.
  ///
  /// A broken dependency is not turned into nil: it traps with the diagnosis. Use
  /// `try requireAsync` to handle that.
  @inlinable
  public nonisolated(nonsending) func optionalAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service? {
    let location = CodeLocation(fileID, filePath, line, column)
    if let kept = kept(type, name: name, location) { return kept }
    return await asyncRequest(type, name: name, args: args, location).optional()
  }

  /// Returns the instance for a type, or throws when there is none.
  ///
  /// If the task is cancelled while it waits, the error's reason is `cancelled`; others that wait
  /// for the same build are not affected.
  @inlinable
  public nonisolated(nonsending) func requireAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(ResolutionError) -> Service {
    let location = CodeLocation(fileID, filePath, line, column)
    if let kept = kept(type, name: name, location) { return kept }
    return try await asyncRequest(type, name: name, args: args, location).require()
  }
}

extension Resolver {
  /// Returns a request that can wait, for an instance that is not kept yet.
  @usableFromInline
  func asyncRequest<Service>(
    _ type: Service.Type, name: Name? = nil, args: Any?, _ location: CodeLocation,
    _ isolation: AsyncRequest.CallerIsolation = .any
  ) -> AsyncRequest {
    AsyncRequest(
      request: Request(type, name: name, location: location), args: args, container: self,
      isolation: isolation)
  }
}

extension AsyncRequest {
  /// Returns the instance, or traps with the diagnosis.
  @usableFromInline
  nonisolated(nonsending) func resolve<Service>() async -> Service {
    do {
      return try await ignoringCancellation.require()
    } catch {
      trap(error)
    }
  }

  /// Returns the instance, or nil when there is none; traps if a dependency is broken.
  @usableFromInline
  nonisolated(nonsending) func optional<Service>() async -> Service? {
    do {
      return try await ignoringCancellation.instance()
    } catch {
      trap(error)
    }
  }

  /// Returns the instance, or throws when there is none.
  @usableFromInline
  nonisolated(nonsending) func require<Service>() async throws(ResolutionError) -> Service {
    do {
      if let service: Service = try await instance() { return service }
      if let declared = request.declared { return try declared.none(request.location) }
    } catch {
      throw ResolutionError.known(error)
    }
    throw Resolution.failure(request, container: container)
  }

  var ignoringCancellation: AsyncRequest {
    var request = self
    request.ignoresCancellation = true
    return request
  }
}

// MARK: - Services that are not Sendable

extension Resolver {
  /// Returns the instance of a service that is not Sendable, which stays on the caller's actor.
  ///
  /// ```swift
  /// let cart = await resolver.resolveAsync(Cart.self, isolation: #isolation)
  /// ```
  ///
  /// Traps with the diagnosis where `requireAsync` would throw, for instance if the factory runs
  /// on another actor than the caller.
  public func resolveAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Service {
    let location = CodeLocation(fileID, filePath, line, column)
    return await asyncRequest(type, name: name, args: args, location, .only(isolation)).resolve()
  }

  /// Returns the instance of a service that is not Sendable, or nil when nothing is registered.
  ///
  /// See `resolveAsync(_:name:args:isolation:)`.
  public func optionalAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Service? {
    let location = CodeLocation(fileID, filePath, line, column)
    return await asyncRequest(type, name: name, args: args, location, .only(isolation)).optional()
  }

  /// Returns the instance of a service that is not Sendable, or throws when there is none.
  ///
  /// See `resolveAsync(_:name:args:isolation:)`.
  public func requireAsync<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws(ResolutionError) -> Service {
    let location = CodeLocation(fileID, filePath, line, column)
    return try await asyncRequest(type, name: name, args: args, location, .only(isolation))
      .require()
  }
}

// MARK: - Where an optional is requested

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

// MARK: - Static forms, which use the root container

extension Resolver {
  /// Returns the root container's instance, wherever its factory runs, or traps with a diagnosis.
  public nonisolated(nonsending) static func resolveAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service {
    await rootAfterStartup.resolveAsync(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance, wherever its factory runs, or nil when there is none.
  public nonisolated(nonsending) static func optionalAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service? {
    await rootAfterStartup.optionalAsync(
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
    try await rootAfterStartup.requireAsync(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

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
    try _require(type, name: name, args: args, at: CodeLocation(fileID, filePath, line, column))
  }
}
