internal import DIPrimitives

extension ContainerCore {
  /// Returns the registration for a request by type outside every context, if known without a
  /// search.
  ///
  /// Call it between `di_pin` and `di_unpin` only.
  @inline(__always)
  func find(_ request: Borrowed<Request>) -> BorrowedRegistration? {
    if request.value.name != nil { return findNamed(request) }
    let first = UInt(bitPattern: ObjectIdentifier(request.value.type))
    return readers.value.own.find(first: first, second: 0)
      ?? readers.value.below.find(first: first, second: 0)
  }

  // Not `find(RawKey(request))` above: copying the name, if inlined there, would take 30
  // instructions of each request without one.
  @inline(never)
  private func findNamed(_ request: Borrowed<Request>) -> BorrowedRegistration? {
    find(RawKey(request.value))
  }

  /// Returns the container's own entry for a property; the conditions of `find(_:)` apply.
  @inline(__always)
  func find(_ property: PropertyKey) -> BorrowedRegistration? {
    readers.value.own.find(first: UInt(bitPattern: ObjectIdentifier(property)), second: 0)
  }
}
