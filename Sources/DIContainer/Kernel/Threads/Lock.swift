internal import DIPrimitives

// The package's lock, and a wrapper for users' values that cross threads. No user code ever runs
// while a `Lock` is held: bodies only read and write plain state. Where one is taken under another,
// it is in this order: that of pushed frames; start-up's, then a set-up turn's; a manager's, that
// of nesting, or that of the open scopes; a container's or a frame's; the build lock (below); a
// keeper's, or that of who waits (`Turn`).

/// A value that one thread at a time can reach.
///
/// Copies share the value.
package struct Lock<Value>: @unchecked Sendable {
  // Sendable for any value: every access to it holds the mutex, and results of `withLock` were read
  // under it. The word beside the value is read and written atomically only.
  private let storage: Storage

  /// The mutex and the value in one allocation.
  ///
  /// An object with a mutex and a property of its own would take two, and track every access for
  /// the exclusivity checks: 2,700 instructions per sandbox.
  private final class Storage: ManagedBuffer<di_lock, Value> {
    @inline(__always)
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
      try withUnsafeMutablePointers { mutex, value in
        di_lock_acquire(mutex)
        defer { di_lock_release(mutex) }
        return try body(&value.pointee)
      }
    }

    deinit {
      withUnsafeMutablePointers { mutex, value in
        di_lock_destroy(mutex)
        _ = value.deinitialize(count: 1)
      }
    }
  }

  package init(_ value: Value) {
    let storage = Storage.create(minimumCapacity: 1) { _ in di_lock() }
    storage.withUnsafeMutablePointers {
      di_lock_init($0)
      $1.initialize(to: value)
    }
    self.storage = unsafeDowncast(storage, to: Storage.self)
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try storage.withLock(body)
  }

  /// A word about the value, 0 at first, that is read without the lock; who writes it holds that,
  /// unless it is alone.
  package var word: UInt {
    get { storage.withUnsafeMutablePointerToHeader { di_load_word(&$0.pointee.word) } }
    nonmutating set {
      storage.withUnsafeMutablePointerToHeader { di_store_word(&$0.pointee.word, newValue) }
    }
  }
}

/// A flag that is set, or a counter that is incremented, and that is read without a lock.
///
/// Copies share the value.
package struct Atomic: Sendable {
  private let lock = Lock(())

  package init(_ value: UInt = 0) { set(bits: value) }

  package var value: UInt { lock.word }
  package var isSet: Bool { value != 0 }
  func set(bits: UInt) { lock.word = bits }
  package func set(_ flag: Bool) { set(bits: flag ? 1 : 0) }

  /// Adds one and returns the previous value.
  @discardableResult
  package func increment() -> UInt {
    lock.withLock { _ in
      defer { lock.word += 1 }
      return lock.word
    }
  }
}

/// The numbers of registrations, keepers, frames, containers and events, in the order made.
package enum SerialNumber {
  package static func next() -> UInt64 { UInt64(di_next_serial_number()) }
}

/// Replaces a value; returns the former one.
package func exchange<Value>(_ place: inout Value, with new: Value) -> Value {
  var new = new
  swap(&place, &new)
  return new
}

/// Releases a value that left a lock, now that no lock is held: it may be the last reference.
///
/// The result of a locked body that is only discarded may be released while the lock is still held.
package func releaseUnlocked<Value>(_ value: Value) { withExtendedLifetime(value) {} }

/// A value that its owner passes between threads on its own responsibility.
///
/// Used for values that users register (factories, arguments, instances): whether these may be used
/// from several threads is a property of the user's code, which plain `register` leaves to the
/// user. The registration itself is immutable.
@usableFromInline
@frozen
package struct Unchecked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Sendable: it is immutable; that the value may be used from several threads is guaranteed at its
  // creation, by users or, for addresses of kernel memory, by the reasoning beside that memory.
  @usableFromInline package let value: Value

  @inlinable @inline(__always)
  package init(_ value: consuming Value) {
    self.value = value
  }
}

extension Unchecked: Copyable where Value: Copyable {}

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

/// The process's lock for builds and turns; a keeper's own guards its instance only.
///
/// While it is held:
/// - no user code runs: no factory, and no release that may be an object's last, because that runs
///   a `deinit`. Objects to be released are returned from the body and released after it;
/// - no other lock is taken but a keeper's, which is held to read or exchange its instance, and
///   that of the list of who waits.
///
/// `Turn.wait` releases it while the thread sleeps, so that conditions have to be checked again
/// afterwards.
enum BuildLock {
  @inline(__always)
  static func withLock<Answer>(_ body: () -> Answer) -> Answer {
    di_build_lock_acquire()
    defer { di_build_lock_release() }
    return body()
  }
}
