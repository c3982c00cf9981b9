// Requests with `await` for all registrations of a type: the counterparts of Resolver+Many.swift.
// They return the same services in the same order, built one after the other.

extension Resolver {
  /// Returns all services that are registered for a type, wherever their factories run.
  ///
  /// They are in the order of `resolveMany`, and built one after the other. Traps with the
  /// diagnosis where `requireManyAsync` would throw. As it cannot throw, it ignores that its task
  /// is cancelled, and waits for the builds to end.
  ///
  /// - Parameters:
  ///   - type: The type that the services were registered for.
  ///   - args: The arguments that each factory receives.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The instances.
  public nonisolated(nonsending) func resolveManyAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, args: (any Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [Service] {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try await AsyncEngine.all(
        of: type, args: args, at: location, asked: self, ignoresCancellation: true)
    } catch {
      trap(error)
    }
  }

  /// Returns all services that are registered for a type, or throws if one cannot be resolved.
  ///
  /// See `resolveManyAsync(_:args:)`. If the task is cancelled while it waits, the error's reason
  /// is `cancelled`.
  public nonisolated(nonsending) func requireManyAsync<Service: Sendable>(
    _ type: Service.Type = Service.self, args: (any Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws(ResolutionError) -> [Service] {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try await AsyncEngine.all(
        of: type, args: args, at: location, asked: self, ignoresCancellation: false)
    } catch {
      throw ResolutionError.known(error)
    }
  }

  /// Returns all services of a type that is not Sendable, which stay on the caller's actor.
  ///
  /// Traps with the diagnosis where `requireManyAsync` would throw, for instance if a factory runs
  /// on another actor than the caller.
  public func resolveManyAsync<Service>(
    _ type: Service.Type = Service.self, args: (any Sendable)? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [Service] {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try await AsyncEngine.all(
        of: type, args: args, at: location, asked: self, ignoresCancellation: true,
        confined: .to(isolation))
    } catch {
      trap(error)
    }
  }

  /// Returns all services of a type that is not Sendable, or throws if one cannot be resolved.
  ///
  /// See `resolveManyAsync(_:args:isolation:)`.
  public func requireManyAsync<Service>(
    _ type: Service.Type = Service.self, args: (any Sendable)? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws(ResolutionError) -> [Service] {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try await AsyncEngine.all(
        of: type, args: args, at: location, asked: self, ignoresCancellation: false,
        confined: .to(isolation))
    } catch {
      throw ResolutionError.known(error)
    }
  }
}

// MARK: - The search, and the resolution of each service

extension AsyncEngine {
  /// Returns all services that are registered for a type; the counterpart of
  /// `Resolver.requireMany`.
  static nonisolated(nonsending) func all<Service>(
    of type: Service.Type, args: Any?, at location: CodeLocation, asked: Resolver,
    ignoresCancellation: Bool, confined: Confinement = .none
  ) async throws -> [Service] {
    asked.prepareForListing()
    let frame = Many.answering(type, at: location, asked: asked)
    let all = Many(of: type, in: asked.core, frame).found
    if all.isEmpty, let optional = type as? any HoldsManyLater.Type {
      return try await optional.all(
        args: args, at: location, asked: asked, ignoresCancellation: ignoresCancellation,
        confined: confined
      )
      .value as! [Service]
    }
    if AsyncLink.current != nil || all.isEmpty {
      return try await each(
        all, args: args, at: location, asked: asked, frame,
        ignoresCancellation: ignoresCancellation,
        confined: confined)
    }
    return try await AsyncLink(ofListIn: AsyncCycle()).run {
      try await each(
        all, args: args, at: location, asked: asked, frame,
        ignoresCancellation: ignoresCancellation,
        confined: confined)
    }
  }

  private static nonisolated(nonsending) func each<Service>(
    _ all: [Found], args: Any?, at location: CodeLocation, asked: Resolver, _ frame: ContextFrame?,
    ignoresCancellation: Bool, confined: Confinement
  ) async throws -> [Service] {
    var services: [Service] = []
    for found in all {
      let request = Request(Service.self, name: found.registration.key.name, location: location)
      if let double: Service = try found.standIn(request, asked: asked, frame) {
        services.append(double)
        continue
      }
      let service: Service? = try await answer(
        request, args: args, asked: asked, at: found, ignoresCancellation: ignoresCancellation,
        confined: confined)
      if let service { services.append(service) }
    }
    return services
  }
}

/// A type-erased view of `Optional` for lists of all services of the wrapped type.
private protocol HoldsManyLater {
  static nonisolated(nonsending) func all(
    args: Any?, at location: CodeLocation, asked: Resolver, ignoresCancellation: Bool,
    confined: AsyncEngine.Confinement
  ) async throws -> Unchecked<Any>
}

extension Optional: HoldsManyLater {
  fileprivate static nonisolated(nonsending) func all(
    args: Any?, at location: CodeLocation, asked: Resolver, ignoresCancellation: Bool,
    confined: AsyncEngine.Confinement
  ) async throws -> Unchecked<Any> {
    let services = try await AsyncEngine.all(
      of: Wrapped.self, args: args, at: location, asked: asked,
      ignoresCancellation: ignoresCancellation,
      confined: confined)
    return Unchecked(services.map { Optional($0) })
  }
}
