internal import DIPrimitives

// The one lock of the package, and the one place that vouches for values which cross threads.
// No user code ever runs while a `Lock` is held: bodies only read and write plain state.

/// A value that one thread at a time can reach.
package final class Lock<Value>: @unchecked Sendable {
  // Sendable, although `value` may be anything: every access holds the mutex, and what `withLock`
  // returns was read under it.
  private let mutex = di_lock_make()
  private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  deinit {
    di_lock_free(mutex)
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    di_lock_acquire(mutex)
    defer { di_lock_release(mutex) }
    return try body(&value)
  }
}

/// A value that its owner hands between threads on its own responsibility.
///
/// Used for what users register (factories, arguments, instances): whether these may be used from
/// several threads is a property of the user's code, which plain `register` leaves to the user
/// (RULES 23). Registrations themselves are immutable.
@usableFromInline
package struct Unchecked<Value>: @unchecked Sendable {
  @usableFromInline package let value: Value

  @inlinable @inline(__always)
  package init(_ value: Value) {
    self.value = value
  }
}
