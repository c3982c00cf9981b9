internal import DIPrimitives

/// A resolver of services that returns nil where an optional is requested.
///
/// The base of `ServiceResolver`. The two forms of `resolve` are declared in two protocols, so that
/// the compiler can choose between them by the requested type.
public protocol OptionalServiceResolver: Sendable {
  /// The container that it resolves from: for the library only.
  var _container: Resolver { get }
}

extension OptionalServiceResolver {
  /// Returns the instance for a type, or nil when there is none, where an optional is requested.
  ///
  /// `resolver.resolve(A.self)!` and `if let a = resolver.resolve(A.self)` use this form; a request
  /// for a plain `A` traps when nothing is registered. In either form, a dependency that is missing
  /// further down traps.
  @inlinable
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    let location = CodeLocation(fileID, filePath, line, column)
    do {
      let container = _container
      if let service = try container._optional(type, name: name, args: args, at: location) {
        return service
      }
      container.noteNil(ServiceKey(type, name: name), at: location)
      return nil
    } catch {
      trap(error)
    }
  }
}

extension Resolver {
  /// Reports a nil result to a dry run, since `resolve(Mailer.self)!` requests an optional too.
  @inline(never)
  @usableFromInline
  func noteNil(_ key: ServiceKey, at location: CodeLocation) {
    guard di_attention_needed() != 0, let run = ContextFrame.current?.dryRun else { return }
    run.returnedNil(Request(key, location: location), self)
  }
}

/// A view of a container that can resolve but cannot register.
public protocol ServiceResolver: OptionalServiceResolver {}

extension ServiceResolver {
  /// Returns the instance for a type, or traps with a diagnosis when there is none.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    let location = CodeLocation(fileID, filePath, line, column)
    let container = _container
    do {
      // An optional type is resolved to nil rather than required.
      if isOptional(type),
        let service = try container._optional(type, name: name, args: args, at: location)
      {
        return service
      }
      return try container._require(type, name: name, args: args, at: location)
    } catch {
      trap(error)
    }
  }

  /// Returns the instance for a type, or nil when nothing is registered or the factory returned
  /// nil.
  ///
  /// A broken dependency is not turned into nil: when a dependency of the service cannot be
  /// resolved, this traps with the diagnosis. Use `try require` to handle that.
  ///
  /// - Parameters:
  ///   - type: The type that the service was registered for.
  ///   - name: The name that it was registered under.
  ///   - args: The arguments that the factory receives; see `Args`.
  /// - Returns: The instance, or nil.
  @inlinable
  public func optional<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    do {
      return try _container._optional(
        type, name: name, args: args, at: CodeLocation(fileID, filePath, line, column))
    } catch {
      trap(error)
    }
  }

  /// Returns the instance for a type, or throws a diagnosis when there is none.
  ///
  /// Where the requested type is an optional, as in `title = try resolver.require()` with an
  /// optional property, the wrapped type is required.
  ///
  /// It never traps where every factory on the way was registered with an initialiser
  /// (`register(A.init)`) or uses `try r.require(…)` itself. A plain `r.resolve()` inside a
  /// factory still traps.
  ///
  /// - Returns: The instance.
  /// - Throws: The diagnosis, with the chain of requests that led to it.
  @inlinable
  public func require<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try _container._require(
      type, name: name, args: args, at: CodeLocation(fileID, filePath, line, column))
  }
}

/// A view of a container that resolves but does not register.
struct ResolvingView: ServiceResolver {
  let _container: Resolver
}

extension Resolver {
  /// The container itself.
  @inlinable
  public var _container: Resolver { self }
}
