// DITranquillity's `many($0)` and `by(tag: Night.self, on: $0)`, which request more than a
// parameter's type specifies. Their parameters have types of their own, which every container
// resolves, so that a factory declares its dependencies in its parameters.

extension Resolver {
  /// All services that are registered for a type, as one parameter; see `many(_:)`.
  public struct AllServices<Service> {
    let services: [Service]
  }

  /// The service that is registered under a tag, as one parameter; see `by(tag:on:)`.
  public struct TaggedService<Tag, Service> {
    let service: Service
  }
}

extension Resolver.AllServices: Sendable where Service: Sendable {}

/// Returns all services that are registered for a type, as a parameter of a factory or property.
///
/// ```swift
/// final class Newsletter {
///   let mailers: [any Mailer]
///   init(mailers: [any Mailer]) { self.mailers = mailers }
/// }
///
/// enum NewsPart: DIPart {
///   static func load(container: Container) {
///     container.register { Newsletter(mailers: many($0)) }
///   }
/// }
/// ```
///
/// The services are those of `resolveMany(_:)`, under any name; with `by(tag:on:)` inside, those of
/// one tag.
///
/// - Parameter all: The parameter of the closure.
/// - Returns: The services.
public func many<Service>(_ all: Resolver.AllServices<Service>) -> [Service] { all.services }

extension Resolver.AllServices: RequestModifier {
  static func wanted(by request: Request) -> Request {
    Request(Service.self, name: request.name, location: request.location)
  }

  static func dependency(name: Resolver.Name?) -> Dependency {
    Dependency(ServiceKey(Service.self, name: name), isOptional: true)
  }

  static func deliver(
    _ request: Request, args: UnsafePointer<Any>?, container: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    guard request.property == nil else { return false }
    let services = try container.requireMany(
      Service.self, under: request.name, args: args?.pointee, at: request.location)
    if services.isEmpty, Service.self is any LazyDependency.Type {
      let text = "`many(_:)` lists services, not lazy wrappers, which resolve by type and name."
      throw ResolutionError(.other(text), at: request.location)
    }
    out.initializeMemory(as: Self.self, to: Self(services: services))
    return true
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

extension Resolver.TaggedService: RequestModifier {
  static func wanted(by request: Request) -> Request {
    Request(Service.self, name: Resolver.Name(tag: Tag.self), location: request.location)
  }

  static func dependency(name: Resolver.Name?) -> Dependency {
    Resolver.dependency(Service.self, name: Resolver.Name(tag: Tag.self))
  }

  static func deliver(
    _ request: Request, args: UnsafePointer<Any>?, container: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    guard request.property == nil else { return false }
    guard request.name == nil else {
      let text = "`by(tag:on:)` has another tag or name around it: a registration has one of them."
      throw ResolutionError(.other(text), at: request.location)
    }
    let instance: Service? = try Resolution.instance(
      wanted(by: request), args: args?.pointee, container: container)
    guard let instance else { return false }
    out.initializeMemory(as: Self.self, to: Self(service: instance))
    return true
  }
}
