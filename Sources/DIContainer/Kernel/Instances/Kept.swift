/// The content of a slot's word, with a reference to it: a box, or the object itself.
///
/// Most kept services are requested as a class and need no box: the lowest bit of the word is set
/// then. That saves a call, and a dependent load, which costs most if many services are requested
/// in turn.
struct Kept {
  let raw: UnsafeMutableRawPointer

  /// An instance to be kept; not retained yet.
  enum Instance {
    case object(Unmanaged<AnyObject>)
    case box(AnyBox)
  }

  init(raw: UnsafeMutableRawPointer) {
    self.raw = raw
  }

  init(holding instance: Instance) {
    switch instance {
    case .object(let object): raw = object.retain().toOpaque() + 1
    case .box(let box): raw = Unmanaged.passRetained(box).toOpaque()
    }
  }

  /// Whether the lowest bit of an object's address is free.
  ///
  /// It is not in tagged pointers, which Objective-C has.
  static func canHold(_ object: Unmanaged<AnyObject>) -> Bool {
    UInt(bitPattern: object.toOpaque()) & 1 == 0
  }

  @inline(__always)
  private var object: Unmanaged<AnyObject>? {
    UInt(bitPattern: raw) & 1 == 0 ? nil : .fromOpaque(raw - 1)
  }

  private var box: Unmanaged<AnyBox> { .fromOpaque(raw) }

  /// Copies the instance to uninitialised memory; returns false if it no longer exists.
  @inline(__always)
  func copy(to out: UnsafeMutableRawPointer) -> Bool {
    guard let object else { return box._withUnsafeGuaranteedRef { $0.copy(to: out) } }
    out.storeBytes(of: object.retain().toOpaque(), as: UnsafeMutableRawPointer.self)
    return true
  }

  /// An object that keeps the instance alive, and exists as long as the instance does.
  var evidence: AnyObject? {
    object?.takeUnretainedValue() ?? box._withUnsafeGuaranteedRef { $0.evidence }
  }

  /// Releases the instance, after running its tear-down closure, if any.
  func release() {
    if let object { object.release() } else { box.takeRetainedValue().tearDown() }
  }
}
