internal import DIPrimitives

/// A resolver of services that returns nil where an optional is requested.
///
/// The base of `ServiceResolver`. The two forms of `resolve` are declared in two protocols, so that
/// the compiler can choose between them by the requested type.
public protocol OptionalServiceResolver: Sendable {
  /// Returns the instance for a type, or nil when nothing is registered or the factory returned
  /// nil.
  func optional<Service>(
    _ type: Service.Type, name: Resolver.Name?, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> Service?
}

extension OptionalServiceResolver {
  /// Returns the instance for a type, or nil when there is none, where an optional is requested.
  ///
  /// `resolver.resolve(A.self)!` and `if let a = resolver.resolve(A.self)` use this form; a request
  /// for a plain `A` traps when nothing is registered. In either form, a dependency that is missing
  /// further down traps.
  @inlinable
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: name, args: nil, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for a type and arguments, or nil, where an optional is requested.
  ///
  /// See `resolve(_:name:)`.
  @inlinable
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any?,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      if let service = try optional(type, name: name, args: args, at: location) { return service }
      noteNil(ServiceKey(type, name: name), at: location)
      return nil
    } catch {
      trap(error)
    }
  }
}

/// A view of a container.
protocol HasContainer {
  var container: Resolver { get }
}

extension OptionalServiceResolver {
  /// The container behind the view.
  var viewed: Resolver? {
    self as? Resolver ?? (self as? any HasContainer)?.container
  }

  /// Reports a nil result to a dry run, since `resolve(Mailer.self)!` requests an optional too.
  @inline(never)
  @usableFromInline
  func noteNil(_ key: ServiceKey, at location: CodeLocation) {
    guard di_attention_needed() != 0, let asked = viewed,
      let run = ContextFrame.current?.chain.lazy.compactMap(\.dryRun).first
    else { return }
    run.returnedNil(Request(key.type, name: key.name, location: location), asked)
  }
}

/// A view of a container that can resolve but cannot register.
public protocol ServiceResolver: OptionalServiceResolver {
  /// Returns the instance for a type, or throws when there is none.
  func require<Service>(
    _ type: Service.Type, name: Resolver.Name?, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> Service

  /// Returns all services that are registered for a type, or throws if one cannot be resolved.
  func requireMany<Service>(
    _ type: Service.Type, args: Any?, at location: CodeLocation
  ) throws(ResolutionError) -> [Service]
}

extension ServiceResolver {
  /// Returns the instance for a type, or traps with a diagnosis when there is none.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      // An optional type is resolved to nil rather than required.
      if isOptional(type),
        let service = try optional(type, name: name, args: args, at: location)
      {
        return service
      }
      return try require(type, name: name, args: args, at: location)
    } catch {
      trap(error)
    }
  }

  /// Returns the instance for a type, or nil when nothing is registered or the factory returned
  /// nil.
  public func optional<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try optional(type, name: name, args: args, at: location)
    } catch {
      trap(error)
    }
  }

  /// Returns the instance for a type, or throws a diagnosis when there is none.
  public func require<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try require(
      type, name: name, args: args,
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
