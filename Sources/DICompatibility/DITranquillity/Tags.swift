// A tag is a name that is written as a type, as in DITranquillity.

extension Resolver.Name {
  /// Creates the name of a tag, a type that distinguishes registrations.
  public init<Tag>(tag: Tag.Type) {
    let name = String(reflecting: tag)
    // The reflected name of a private type contains an address; its mangled name does not.
    self.init(name.contains("(unknown context") ? _mangledTypeName(tag) ?? name : name)
  }
}

extension ServiceResolver {
  /// Returns the instance for a type under a tag, or traps with a diagnosis when there is none.
  public func resolve<Service, Tag>(
    _ type: Service.Type = Service.self, tag: Tag.Type, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: Resolver.Name(tag: tag), args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }
}

extension OptionalServiceResolver {
  /// Returns the instance for a type under a tag, or nil when there is none.
  ///
  /// The compiler chooses this form where the requested type is an optional.
  public func resolve<Service, Tag>(
    _ type: Service.Type = Service.self, tag: Tag.Type, args: Any? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: Resolver.Name(tag: tag), args: args, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }
}

extension ResolverOptions {
  /// Registers the service for a protocol under a tag.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - tag: A type that represents a name; see `Resolver.Name.init(tag:)`.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func `as`<Protocol, Tag>(
    _ type: Protocol.Type, tag: Tag.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> ResolverOptions<Service> {
    implements(
      type, name: Resolver.Name(tag: tag), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Registers the service for a protocol under a tag, with a conformance check at compile time.
  ///
  /// - Parameters:
  ///   - type: The protocol, or superclass, to register the service for.
  ///   - tag: A type that represents a name; see `Resolver.Name.init(tag:)`.
  ///   - conversion: Shows the compiler that the service conforms; it is not run.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func `as`<Protocol, Tag>(
    check type: Protocol.Type, tag: Tag.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ conversion: (Service) -> Protocol
  ) -> ResolverOptions<Service> {
    implements(
      type, name: Resolver.Name(tag: tag), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

// MARK: - As a parameter

extension Resolver {
  /// The service that is registered under a tag, as one parameter; see `by(tag:on:)`.
  public struct TaggedService<Tag, Service> {
    let service: Service
  }
}

extension Resolver.TaggedService: Sendable where Service: Sendable {}

/// Returns the service that is registered under a tag, as a parameter of a factory or property.
///
/// ```swift
/// enum Night {}
///
/// final class NightShift {
///   let gateway: any PaymentGateway
///   init(gateway: any PaymentGateway) { self.gateway = gateway }
/// }
///
/// resolver.register { CardGateway() }.as((any PaymentGateway).self, tag: Night.self)
/// resolver.register { NightShift(gateway: by(tag: Night.self, on: $0)) }
/// let gateway: any PaymentGateway = by(tag: Night.self, on: resolver.resolve())
/// ```
///
/// An optional is nil where nothing is registered under the tag. See `ResolverOptions.as(_:tag:)`.
///
/// - Parameters:
///   - tag: The type that represents a name.
///   - tagged: The parameter of the closure, or the result of a request.
/// - Returns: The service.
public func by<Tag, Service>(
  tag: Tag.Type, on tagged: Resolver.TaggedService<Tag, Service>
) -> Service {
  tagged.service
}

extension Resolver.TaggedService: ServiceModifier {
  package init(_ service: Service) { self.service = service }

  package static func wanted(by request: Request) -> Request {
    Request(Service.self, name: Resolver.Name(tag: Tag.self), location: request.location)
  }

  package static func check(_ request: Request) throws {
    if request.name == nil { return }
    let text = "`by(tag:on:)` has another tag or name around it: a registration has one of them."
    throw ResolutionError(.other(text), at: request.location)
  }

  package static func dependency(name: Resolver.Name?) -> Dependency {
    Resolver.dependency(Service.self, name: Resolver.Name(tag: Tag.self))
  }
}
