/// A value in memory of its owner, who keeps it there until the borrower has returned.
///
/// A request and its arguments are passed on in this form: copying them into every frame would cost
/// some 5 ns per request.
@frozen @usableFromInline
package struct Borrowed<Value> {
  @usableFromInline let address: UnsafePointer<Value>

  @inlinable @inline(__always)
  package init(_ address: UnsafePointer<Value>) { self.address = address }

  /// Puts a value into uninitialised memory, of which the caller destroys it.
  @inlinable @inline(__always)
  package init(_ value: consuming Value, in memory: UnsafeMutableBufferPointer<Value>) {
    let address = memory.baseAddress.unsafelyUnwrapped
    address.initialize(to: value)
    self.address = UnsafePointer(address)
  }

  /// Puts a value into memory of the heap, to be freed with `free`.
  @usableFromInline
  package static func onHeap(_ value: Value) -> Borrowed {
    let address = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    address.initialize(to: value)
    return Borrowed(address)
  }

  /// Destroys a value on the heap, and frees its memory.
  @usableFromInline
  package func free() {
    UnsafeMutablePointer(mutating: address).deinitialize(count: 1).deallocate()
  }

  @inlinable
  package var value: Value {
    @inline(__always) unsafeAddress { address }
  }
}

/// Calls a closure with a request's arguments in memory, or nil if there are none.
@inlinable @inline(__always)
package func withArguments<Result>(
  _ arguments: Any?, _ body: (Borrowed<Any>?) throws -> Result
) rethrows -> Result {
  guard let arguments else { return try body(nil) }
  return try withUnsafePointer(to: arguments) { try body(Borrowed($0)) }
}
