/// Whether a type is an optional.
@inlinable @inline(__always)
func isOptional<Service>(_ type: Service.Type) -> Bool {
  // The compiler knows of each class that it is one, but of no type that it is not an optional.
  !(type is AnyClass) && type is any AnyOptional.Type
}

/// `Optional`, for inlinable code.
@usableFromInline
protocol AnyOptional {}

extension Optional: AnyOptional {}

/// `Optional`, regardless of its wrapped type.
protocol OptionalType {
  static var wrapped: Any.Type { get }
  static var none: Self { get }
  /// Returns a box with an optional around the instance in a box, or nil.
  static func box(_ content: AnyBox?) -> AnyBox
  var content: Any? { get }
  /// Returns the reason why a request for the wrapped type failed.
  static func failure(
    name: Resolver.Name?, at location: CodeLocation, asked: Resolver
  ) -> ResolutionError
}

extension Optional: OptionalType {
  package static var wrapped: Any.Type { Wrapped.self }
  static func box(_ content: AnyBox?) -> AnyBox {
    StrongBox(content.flatMap { $0.load(as: Wrapped.self) })
  }

  package var content: Any? { self }

  package static func failure(
    name: Resolver.Name?, at location: CodeLocation, asked: Resolver
  ) -> ResolutionError {
    Resolution.failure(Request(Wrapped.self, name: name, location: location), asked: asked)
  }
}

extension OptionalType {
  /// Stores nil in uninitialised memory.
  static func storeNone(to memory: UnsafeMutableRawPointer) {
    memory.initializeMemory(as: Self.self, to: none)
  }
}
