internal import DIPrimitives

/// A stored property of a class or a structure, as its declaration has it.
///
/// `Mirror` tells this only together with the value, which it reads without regard to isolation.
package struct StoredProperty {
  package let type: Any.Type
  package let isVariable: Bool

  /// Creates the description of a property, counted from those of the outermost superclass on.
  ///
  /// It is nil if the runtime does not tell.
  package init?(_ index: Int, of owner: Any.Type) {
    var isVariable = false
    guard
      let type = di_stored_property(
        unsafeBitCast(owner, to: UnsafeRawPointer.self), index, &isVariable)
    else { return nil }
    self.type = unsafeBitCast(type, to: Any.Type.self)
    self.isVariable = isVariable
  }
}
