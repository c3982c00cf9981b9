/// A weak reference, as a value.
package struct Weak<Object: AnyObject> {
  package weak var value: Object?

  package init(value: Object?) { self.value = value }
}

extension Weak: Sendable where Object: Sendable {}

/// An object around an immutable value, which copies share.
final class Reference<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
