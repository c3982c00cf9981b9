internal import DIPrimitives

/// Releases the memory of an object that `di_hold_memory` held, given by its identity.
func letMemoryGo(of object: ObjectIdentifier) {
  di_let_memory_go(UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: object)).unsafelyUnwrapped)
}
