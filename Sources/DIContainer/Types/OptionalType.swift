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
  associatedtype Wrapped
  static var none: Self { get }
  var content: Wrapped? { get }
  init(content: Wrapped?)
}

extension Optional: OptionalType {
  package var content: Wrapped? { self }
  package init(content: Wrapped?) { self = content }
}

extension OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
