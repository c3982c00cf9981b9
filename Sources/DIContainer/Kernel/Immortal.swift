internal import DIPrimitives

/// Makes an object that nobody else has yet one that lives for ever.
///
/// The runtime does not count references to such objects. Counting them, twice for each request
/// through `Container.shared` and for each registration that names a scope, took 12 of 40 ns, and
/// threads contended for the one count.
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
