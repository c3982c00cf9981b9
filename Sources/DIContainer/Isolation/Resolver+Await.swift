// Resolving with `await`. The verbs are those of Resolver+Resolution.swift:
// `resolve…` traps with the diagnosis, `optional…` returns nil where nothing is registered,
// `require…` throws. All of them resolve every registration, including sync ones, so that a double
// may be registered with plain `register`.
//
// The instances are Sendable, because they may pass from one actor to another.

extension Resolver {
  /// Returns the instance for a type, wherever its factory runs.
  ///
  /// A sync factory runs on the caller's actor, one of the main actor runs there, and an async one
  /// is awaited. Traps with the diagnosis where `requireAsync` would throw. As it cannot throw, it
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
  /// - Returns: The instance.
  @inlinable
  public nonisolated(nonsending) func resolveAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: sending Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Service {
    let location = CodeLocation(fileID, filePath, line, column)
    if let kept = kept(type, name: name) {
      return kept.value(as: type)
    }
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
    if let kept = kept(type, name: name) {
      return kept.value(as: type)
    }
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
    if let kept = kept(type, name: name) {
      return kept.value(as: type)
    }
    return try await asyncRequest(type, name: name, args: args, location).require()
  }
}

extension Resolver {
  /// Returns a request that can wait, for an instance that is not kept yet.
  @usableFromInline
  func asyncRequest<Service>(
    _ type: Service.Type, name: Name? = nil, args: Any?, _ location: CodeLocation
  ) -> AsyncRequest {
    AsyncRequest(
      request: Request(type, name: name, location: location), args: args, container: self)
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
      if let service: Service = try await instance() {
        if !ignoresCancellation { try Boundary.check(request, container: container) }
        return service
      }
      if let declared = request.declared {
        return try declared.none(request.location).value(as: Service.self)
      }
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
}
