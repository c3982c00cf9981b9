/// `Optional`, seen without knowing what it wraps.
protocol OptionalType {
  static var wrapped: Any.Type { get }
  static var none: Self { get }
  var content: Any? { get }
  /// Why a request for what it wraps came to nothing.
  static func failure(
    name: Resolver.Name?, at location: CodeLocation, asked: Resolver
  ) -> ResolutionError
  /// All services that are registered for what it wraps.
  static func all(
    under name: Resolver.Name?, args: Any?, at location: CodeLocation, asked: Resolver
  ) throws -> [Self]
}

extension Optional: OptionalType {
  package static var wrapped: Any.Type { Wrapped.self }
  package var content: Any? { self }

  package static func failure(
    name: Resolver.Name?, at location: CodeLocation, asked: Resolver
  ) -> ResolutionError {
    Engine.failure(Request(Wrapped.self, name: name, location: location), asked: asked)
  }

  package static func all(
    under name: Resolver.Name?, args: Any?, at location: CodeLocation, asked: Resolver
  ) throws -> [Wrapped?] {
    try asked.requireMany(Wrapped.self, under: name, args: args, at: location)
  }
}
