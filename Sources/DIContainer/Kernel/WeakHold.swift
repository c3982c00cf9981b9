internal import DIPrimitives

// The cheapest weak reference of the platform under one name.

#if canImport(ObjectiveC)
/// A weak reference.
final class WeakHold {
  /// Whether the object's address is not reused as long as this exists.
  static var keepsAddress: Bool { false }

  // An object may be an Objective-C one, for which there is no other way.
  private(set) weak var value: AnyObject?

  init(_ object: Unmanaged<AnyObject>) { value = object.takeUnretainedValue() }

  /// Retains the object; returns false if it is deallocated.
  func retain() -> Bool {
    guard let value else { return false }
    _ = Unmanaged.passRetained(value)
    return true
  }
}
#else
/// A weak reference that holds the object's memory.
///
/// Reading it takes a single retain; a `weak` one costs three times as much. The object is
/// deinitialised with its last strong reference; its memory is not freed before this one is.
struct WeakHold: ~Copyable {
  /// Whether the object's address is not reused as long as this exists.
  static var keepsAddress: Bool { true }

  private let object: UnsafeMutableRawPointer

  init(_ object: Unmanaged<AnyObject>) {
    self.object = object.toOpaque()
    di_hold_memory(self.object)
  }

  deinit { di_let_memory_go(object) }

  /// Retains the object; returns false if it is deallocated.
  func retain() -> Bool { di_try_retain(object) }

  var value: AnyObject? {
    retain() ? Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue() : nil
  }
}
#endif

/// Releases the memory of an object that `di_hold_memory` held, given by its identity.
func letMemoryGo(of object: ObjectIdentifier) {
  di_let_memory_go(UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: object)).unsafelyUnwrapped)
}
