internal import DIPrimitives

// One name for the cheapest way to remember an object without keeping it alive.

#if canImport(ObjectiveC)
/// A weak reference.
final class WeakHold {
  /// Whether nothing else comes to have the object's address meanwhile.
  static var keepsAddress: Bool { false }

  // An object may be one of Objective-C, for which there is no other way.
  private(set) weak var value: AnyObject?

  init(_ object: Unmanaged<AnyObject>) { value = object.takeUnretainedValue() }

  /// Retains the object; false if it is gone.
  func retain() -> Bool {
    guard let value else { return false }
    _ = Unmanaged.passRetained(value)
    return true
  }
}
#else
/// A weak reference that holds the object's memory.
///
/// So reading it is a retain and no more; a `weak` one costs three times as much. The memory goes
/// with this, the object before.
struct WeakHold: ~Copyable {
  /// Whether nothing else comes to have the object's address meanwhile.
  static var keepsAddress: Bool { true }

  private let object: UnsafeMutableRawPointer

  init(_ object: Unmanaged<AnyObject>) {
    self.object = object.toOpaque()
    di_hold_memory(self.object)
  }

  deinit { di_let_memory_go(object) }

  /// Retains the object; false if it is gone.
  func retain() -> Bool { di_try_retain(object) }

  var value: AnyObject? {
    retain() ? Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue() : nil
  }
}
#endif

/// Lets go of the memory of an object, which `di_hold_memory` held, given by its identity.
func letMemoryGo(of object: ObjectIdentifier) {
  di_let_memory_go(UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: object)).unsafelyUnwrapped)
}
