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
    await asyncRequest(type, args: args, CodeLocation(fileID, filePath, line, column)).resolveAll()
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
    try await asyncRequest(type, args: args, CodeLocation(fileID, filePath, line, column))
      .requireAll()
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
    let location = CodeLocation(fileID, filePath, line, column)
    return await asyncRequest(type, args: args, location, .only(isolation)).resolveAll()
  }

  /// Returns all services of a type that is not Sendable, or throws if one cannot be resolved.
  ///
  /// See `resolveManyAsync(_:args:isolation:)`.
  public func requireManyAsync<Service>(
    _ type: Service.Type = Service.self, args: (any Sendable)? = nil,
    isolation: isolated (any Actor)?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws(ResolutionError) -> [Service] {
    let location = CodeLocation(fileID, filePath, line, column)
    return try await asyncRequest(type, args: args, location, .only(isolation)).requireAll()
  }
}

// MARK: - The search, and the resolution of each service

extension AsyncRequest {
  fileprivate nonisolated(nonsending) func resolveAll<Service>() async -> [Service] {
    do {
      return try await ignoringCancellation.requireAll()
    } catch {
      trap(error)
    }
  }

  fileprivate nonisolated(nonsending) func requireAll<Service>() async throws(ResolutionError)
    -> [Service]
  {
    do {
      return try await all()
    } catch {
      throw ResolutionError.known(error)
    }
  }

  /// Returns all services that are registered for the type; the counterpart of
  /// `Resolver.requireMany`.
  nonisolated(nonsending) func all<Service>() async throws -> [Service] {
    container.prepareForListing()
    let all = Many(of: Service.self, under: request.name, at: request.location, in: container)
    if all.found.isEmpty, let optional = Service.self as? any OptionalType.Type {
      nonisolated(nonsending) func wrapped<Wrapped>(_ type: Wrapped.Type) async throws -> Any {
        try await (self.all() as [Wrapped]).map { Optional($0) }
      }
      return try await wrapped(optional.wrapped) as! [Service]
    }
    if AsyncLink.current != nil || all.found.isEmpty { return try await each(all) }
    return try await AsyncLink.ofList().run { try await each(all) }
  }

  private nonisolated(nonsending) func each<Service>(_ all: Many) async throws -> [Service] {
    var services: [Service] = []
    var one = self
    for found in all.found {
      one.request = Request(
        Service.self, name: found.registration.key.name, location: request.location)
      one.known = found
      if let double: Service = try await one.fallbackDouble(found, all.frame) {
        services.append(double)
      } else if let service: Service = try await one.instance() {
        services.append(service)
      }
    }
    return services
  }

  /// Returns the double that replaces a live service, made on the main actor if it belongs there.
  private nonisolated(nonsending) func fallbackDouble<Service>(
    _ found: Found, _ frame: ContextFrame?
  ) async throws -> Service? {
    guard let frame, !MainActor.shared.isCurrent,
      frame.hasDoubleOnMain(found, request, container: container)
    else { return try found.fallbackDouble(request, container: container, frame) }
    if case .only = isolation { throw ResolutionError.fallbackNeedsMain(request) }
    return try await Self.doubleOnMain(Unchecked(self), Unchecked(found), frame).value
  }

  @MainActor
  private static func doubleOnMain<Service>(
    _ request: Unchecked<Self>, _ found: Unchecked<Found>, _ frame: ContextFrame
  ) throws -> Unchecked<Service?> {
    // The caller waits, so its values are used by one of the two actors at a time.
    let (request, container) = (request.value.request, request.value.container)
    return Unchecked(try found.value.fallbackDouble(request, container: container, frame))
  }
}

extension Resolver.AllServices: AsyncSelfResolving {
  nonisolated(nonsending) static func box(for request: AsyncRequest) async throws -> AnyBox? {
    var all = request
    all.request = wanted(by: request.request)
    return StrongBox(Self(services: try await all.all()))
  }
}
