@inlinable @inline(__always)
func isOptional<Service>(_ type: Service.Type) -> Bool {
  // The compiler knows of each class that it is one, but of no type that it is not an optional.
  !(type is AnyClass) && type is any OptionalType.Type
}

/// `Optional`, regardless of its wrapped type.
@usableFromInline
protocol OptionalType {
  associatedtype Wrapped
  static var none: Self { get }
  var content: Wrapped? { get }
  init(content: Wrapped?)
}

extension Optional: OptionalType {
  @usableFromInline package var content: Wrapped? { self }
  @usableFromInline package init(content: Wrapped?) { self = content }
}

extension OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
