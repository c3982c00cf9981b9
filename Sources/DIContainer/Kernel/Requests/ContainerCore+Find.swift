internal import DIPrimitives

extension ContainerCore {
  /// Returns the registration for a request outside every context, if known without a search.
  ///
  /// Call it between `di_pin` and `di_unpin` only.
  @inline(__always)
  func find(_ request: UnsafePointer<Request>) -> Unmanaged<Registration>? {
    if request.pointee.name != nil { return findNamed(request) }
    let property = request.pointee.propertyReference
    let first =
      property.map { UInt(bitPattern: $0.toOpaque()) }
      ?? UInt(bitPattern: ObjectIdentifier(request.pointee.type))
    let second: UInt = property == nil ? 0 : 1
    return readers.value.own.find(first: first, second: second)
      ?? readers.value.below.find(first: first, second: second)
  }

  // Not `find(RawKey(request))` above: copying the name, if inlined there, would take 30
  // instructions of each request without one.
  @inline(never)
  private func findNamed(_ request: UnsafePointer<Request>) -> Unmanaged<Registration>? {
    find(RawKey(request))
  }

  /// Returns the container's own entry for a property; the conditions of `find(_:)` apply.
  @inline(__always)
  func find(
    _ entry: PropertyEntry, _ request: UnsafePointer<Request>
  ) -> Unmanaged<Registration>? {
    let property = request.pointee.propertyReference.unsafelyUnwrapped
    return readers.value.own.find(
      first: UInt(bitPattern: property.toOpaque()), second: UInt(entry.rawValue))
  }
}
