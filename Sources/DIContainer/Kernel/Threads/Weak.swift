/// A weak reference, as a value.
struct Weak<Object: AnyObject> {
  weak var value: Object?
}

extension Weak: Sendable where Object: Sendable {}
