// Asking a container. The verbs differ in what they do when there is no instance:
//
//   resolve    traps with the whole diagnosis, or returns nil where an optional is asked for
//   optional   returns nil when nothing is registered or the factory returned nil
//   require    throws a `ResolutionError`
//
// A dependency that is missing further down is never answered with nil: `resolve` and `optional`
// trap with its chain, `require` throws it.

extension Resolver: ServiceResolver {
  /// The instance for a type.
  ///
  /// Traps with the whole diagnosis when nothing is registered, when the factory returned nil, or
  /// when something that the factory needs cannot be had; use `require` to handle that, or
  /// `optional` if the service may be absent. The factory gets this container, and resolves what
  /// it needs from it.
  ///
  /// - Parameters:
  ///   - type: The type that the service was registered for.
  ///   - name: The name that it was registered under. A name never falls back to "unnamed".
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The instance.
  @inlinable
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service {
    // Inlinable, like all that users call on the way: the caller knows the type, so it provides
    // the memory and takes the instance out of it, and the kernel is not generic. The form with
    // arguments stands apart because a nil among them costs 6 ns to make and destroy.
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Request.with(type, name: name, location: location) { request, out in
      deliverOrTrap(request, args: nil, to: out)
    }
  }

  /// The instance for a type, made with arguments; see `resolve(_:name:)`.
  ///
  /// - Parameters:
  ///   - type: The type that the service was registered for.
  ///   - name: The name that it was registered under. A name never falls back to "unnamed".
  ///   - args: What the factory gets as arguments; see `Args`.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The instance.
  @inlinable
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any?,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Request.with(type, name: name, args: args, location: location) { request, args, out in
      deliverOrTrap(request, args: args, to: UnsafeMutableRawPointer(out))
      return out.move()
    }
  }

  /// The instance for a type, or nil when nothing is registered or the factory returned nil.
  ///
  /// It does not hide a broken dependency: when something that the factory needs cannot be had,
  /// it traps with the diagnosis. Use `try require` to handle that.
  @inlinable
  public func optional<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    do {
      return try answer(
        type, name: name, args: args,
        location: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    } catch {
      trap(error)
    }
  }

  /// The instance for a type, or an error that says why there is none.
  ///
  /// Where an optional is asked for, as in `title = try resolver.require()` with an optional
  /// property, what it wraps is required.
  ///
  /// It never traps where every factory on the way was registered with an initialiser
  /// (`register(A.init)`) or uses `try r.require(…)` itself; a plain `r.resolve()` inside a
  /// factory still traps.
  @inlinable
  public func require<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try require(
      type, name: name, args: args,
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The instance for a type, or nil when there is none; a requirement of `ServiceResolver`.
  @inlinable
  public func optional<Service>(
    _ type: Service.Type, name: Name?, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> Service? {
    do {
      return try answer(type, name: name, args: args, location: location)
    } catch {
      throw ResolutionError.known(error)
    }
  }

  /// The instance for a type; throws when there is none.
  ///
  /// A requirement of `ServiceResolver`.
  @inlinable
  public func require<Service>(
    _ type: Service.Type, name: Name?, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> Service {
    guard let service = try optional(type, name: name, args: args, at: location) else {
      throw failure(Request(type, name: name, location: location))
    }
    // `property = try r.require()` with an optional property asks for `Service?`: it is required.
    if isOptional(type), let error = missing(service, name: name, at: location) { throw error }
    return service
  }
}

extension Resolver {
  /// Why an optional that was required is nil, unless it is registered as an optional.
  @inline(never)
  @usableFromInline
  func missing<Service>(
    _ service: Service, name: Name?, at location: CodeLocation
  ) -> ResolutionError? {
    guard let optional = service as? any OptionalType, optional.content == nil,
      Lookup.find(RawKey(Service.self, name: name), in: core, ContextFrame.current) == nil
    else { return nil }
    return Swift.type(of: optional).failure(name: name, at: location, asked: self)
  }
}

// MARK: - Static twins: they ask the root

extension Resolver {
  /// The root container's instance for a type; traps with a diagnosis when there is none.
  @inlinable
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Request.with(type, name: name, location: location) { request, out in
      deliverFromRootOrTrap(request, to: out)
    }
  }

  /// The root container's instance for a type, made with arguments; see `resolve(_:name:)`.
  @inlinable
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any?,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    started.resolve(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The root container's instance for a type, or nil when there is none.
  @inlinable
  public static func optional<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    started.optional(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The root container's instance for a type; throws when there is none.
  @inlinable
  public static func require<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try started.require(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The root, once start-up, which may assign it, has run.
  @usableFromInline
  static var started: Resolver {
    Startup.runIfNeeded()
    return root
  }
}

extension OptionalServiceResolver where Self == Resolver {
  /// The root container's instance where an optional is asked for: nil when there is none.
  @inlinable
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.started.resolve(
      type, name: name, args: nil, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The root container's instance where an optional is asked for, made with arguments.
  @inlinable
  public static func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    Resolver.started.resolve(
      type, name: name, args: args, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
