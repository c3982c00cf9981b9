/// A weak reference that several threads may read.
struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak var value: Object?
}
