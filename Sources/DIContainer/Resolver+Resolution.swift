// Resolving from a container. The verbs differ in what they do when there is no instance:
//
//   resolve    traps with the diagnosis, or returns nil where the requested type is an optional
//   optional   returns nil when nothing is registered or the factory returned nil
//   require    throws a `ResolutionError`
//
// A dependency that is missing further down is never turned into nil: `resolve` and `optional`
// trap with its chain, `require` throws it.

extension Resolver: ServiceResolver {
  /// Returns the instance for a type, or traps with a diagnosis when there is none.
  ///
  /// Traps when nothing is registered, when the factory returned nil, or when a dependency of the
  /// service cannot be resolved. Use `require` to handle that, or `optional` if the service may be
  /// absent. The factory receives this container, and resolves its dependencies from it.
  ///
  /// ```swift
  /// let gateway: any PaymentGateway = resolver.resolve()
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type that the service was registered for.
  ///   - name: The name that it was registered under. A named request never uses the registration
  ///     without a name.
  /// - Returns: The instance.
  @inlinable
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service {
    // Inlinable, like all that users call on the way: the caller knows the type, so it takes the
    // service out of the instance, and the kernel is not generic. The form with arguments stands
    // apart: most requests have none to make and destroy.
    instanceOrTrap(type, name: name, at: CodeLocation(fileID, filePath, line, column))
      .value(as: type)
  }

  /// Returns the instance for a type, made with arguments; see `resolve(_:name:)`.
  ///
  /// - Parameters:
  ///   - type: The type that the service was registered for.
  ///   - name: The name that it was registered under. A named request never uses the registration
  ///     without a name.
  ///   - args: The arguments that the factory receives; see `Args`.
  /// - Returns: The instance.
  @inlinable
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any?,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    let location = CodeLocation(fileID, filePath, line, column)
    return instanceOrTrap(type, name: name, args: args, at: location).value(as: type)
  }

  /// Returns the instance for a type, or nil when there is none.
  @inlinable
  public func _optional<Service>(
    _ type: Service.Type, name: Name?, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> Service? {
    do {
      return try instance(type, name: name, args: args, at: location)?.value(as: type)
    } catch {
      throw ResolutionError.known(error)
    }
  }

  /// Returns the instance for a type, or throws when there is none.
  @inlinable
  public func _require<Service>(
    _ type: Service.Type, name: Name?, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> Service {
    guard let service = try _optional(type, name: name, args: args, at: location) else {
      throw failure(type, name: name, at: location)
    }
    if Boundary.mayBeRefused { try checkRefused(type, name: name, at: location) }
    // `property = try r.require()` with an optional property requests `Service?`: it is required.
    if isOptional(type), let error = missing(service, name: name, at: location) { throw error }
    return service
  }
}

extension Resolver {
  /// Throws if a double stands in for a live boundary that the test refuses.
  @inline(never)
  @usableFromInline
  func checkRefused(
    _ type: Any.Type, name: Name?, at location: CodeLocation
  ) throws(ResolutionError) {
    var type = type
    while Lookup.find(ServiceKey(type, name: name), in: core, ContextFrame.current) == nil,
      let optional = type as? any OptionalType.Type
    {
      type = optional.wrapped
    }
    try Boundary.check(Request(type, name: name, location: location), container: self)
  }

  /// Returns the error for a required optional that is nil, unless it is registered as an optional.
  @inline(never)
  @usableFromInline
  func missing<Service>(
    _ service: Service, name: Name?, at location: CodeLocation
  ) -> ResolutionError? {
    guard let optional = service as? any OptionalType, optional.content == nil,
      Lookup.find(ServiceKey(Service.self, name: name), in: core, ContextFrame.current) == nil
    else { return nil }
    return failure(Swift.type(of: optional).wrapped, name: name, at: location)
  }
}

// MARK: - Static forms, which use the root container

extension Resolver {
  /// Returns the root container's instance for a type, or traps with a diagnosis.
  @inlinable
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service {
    rootInstanceOrTrap(type, name: name, at: CodeLocation(fileID, filePath, line, column))
      .value(as: type)
  }

  /// Returns the root container's instance for a type, made with arguments; see `resolve(_:name:)`.
  @inlinable
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any?,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    rootAfterStartup.resolve(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance for a type, or nil when there is none.
  @inlinable
  public static func optional<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    rootAfterStartup.optional(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the root container's instance for a type, or throws when there is none.
  @inlinable
  public static func require<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try rootAfterStartup._require(
      type, name: name, args: args, at: CodeLocation(fileID, filePath, line, column))
  }
}

extension OptionalServiceResolver where Self == Resolver {
  /// Returns the root container's instance for a type, or nil when there is none.
  ///
  /// The compiler chooses this form where the requested type is an optional.
  @inlinable
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.rootAfterStartup.resolve(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
