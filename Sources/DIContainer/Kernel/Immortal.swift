internal import DIPrimitives

/// Makes an object that nobody else has yet one that lives for ever.
///
/// The runtime counts no references to such objects: it looks and goes on, where it would add to
/// the count twice for each request that goes through `Container.shared`, or for each registration
/// that names a scope. That took 12 of 40 ns, and threads waited for one another at that one word.
@discardableResult
func immortalize<Object: AnyObject>(_ object: Object) -> Object {
  _ = makeImmortal(object)
  return object
}

/// Makes an object that nobody else has yet one that lives for ever, if the runtime agrees.
func makeImmortal(_ object: AnyObject) -> Bool {
  #if os(Linux) && _pointerBitWidth(_64)
  // The storage of empty arrays is such an object: one of the runtime's own, which it never frees.
  let empty: [Int] = []
  return di_immortalize(
    Unmanaged.passUnretained(object).toOpaque(), unsafeBitCast(empty, to: UnsafeRawPointer.self))
  #else
  return false
  #endif
}
