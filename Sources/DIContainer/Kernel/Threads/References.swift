/// A weak reference, as a value.
struct Weak<Object: AnyObject> {
  weak var value: Object?
}

extension Weak: Sendable where Object: Sendable {}

/// An object around an immutable value, which copies share.
final class Reference<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
