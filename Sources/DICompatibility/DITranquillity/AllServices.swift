// DITranquillity's `many($0)`, which requests more than a parameter's type specifies. Its parameter
// has a type of its own, which every container resolves, so that a factory declares its
// dependencies in its parameters.

extension Resolver {
  /// All services that are registered for a type, as one parameter; see `many(_:)`.
  public struct AllServices<Service> {
    let services: [Service]
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
/// The services are those of `resolveMany(_:)`, under any name.
///
/// - Parameter all: The parameter of the closure.
/// - Returns: The services.
public func many<Service>(_ all: Resolver.AllServices<Service>) -> [Service] { all.services }

extension Resolver.AllServices: RequestModifier {
  package static func wanted(by request: Request) -> Request {
    Request(Service.self, name: request.name, location: request.location)
  }

  package static func dependency(name: Resolver.Name?) -> Dependency {
    Dependency(ServiceKey(Service.self, name: name), isOptional: true)
  }

  package static func resolve(
    _ request: Request, args: Any?, container: Resolver
  ) throws -> Self? {
    Self(
      services: try container.requireMany(
        Service.self, under: request.name, args: args, at: request.location))
  }
}
