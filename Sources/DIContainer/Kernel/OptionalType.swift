/// Whether a type is an optional.
@inlinable @inline(__always)
func isOptional(_ type: Any.Type) -> Bool { type is any OptionalType.Type }

/// `Optional`, regardless of its wrapped type.
@usableFromInline
protocol OptionalType {
  static var wrapped: Any.Type { get }
  static var none: Self { get }
  var content: Any? { get }
  /// Returns the reason why a request for the wrapped type failed.
  static func failure(
    name: Resolver.Name?, at location: CodeLocation, asked: Resolver
  ) -> ResolutionError
  /// Returns all services that are registered for the wrapped type.
  static func all(
    under name: Resolver.Name?, args: Any?, at location: CodeLocation, asked: Resolver
  ) throws -> [Self]
}

extension Optional: OptionalType {
  @usableFromInline package static var wrapped: Any.Type { Wrapped.self }
  @usableFromInline package var content: Any? { self }

  @usableFromInline
  package static func failure(
    name: Resolver.Name?, at location: CodeLocation, asked: Resolver
  ) -> ResolutionError {
    Engine.failure(Request(Wrapped.self, name: name, location: location), asked: asked)
  }

  @usableFromInline
  package static func all(
    under name: Resolver.Name?, args: Any?, at location: CodeLocation, asked: Resolver
  ) throws -> [Wrapped?] {
    try asked.requireMany(Wrapped.self, under: name, args: args, at: location)
  }
}
