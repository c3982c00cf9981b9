/// What the word of a once-state holds, with a reference to it: a box, or the object itself.
///
/// Most kept services are asked for as a class and need no box: the lowest bit of the word is set
/// then. That saves a load that waits for memory where many services are asked for in turn, and a
/// call.
struct Kept {
  let raw: UnsafeMutableRawPointer

  /// What is to be kept; not held yet.
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

  /// Whether the bit is free.
  ///
  /// It is not in references that are no addresses, which Objective-C has.
  static func canHold(_ object: Unmanaged<AnyObject>) -> Bool {
    UInt(bitPattern: object.toOpaque()) & 1 == 0
  }

  @inline(__always)
  private var object: Unmanaged<AnyObject>? {
    UInt(bitPattern: raw) & 1 == 0 ? nil : .fromOpaque(raw - 1)
  }

  private var box: Unmanaged<AnyBox> { .fromOpaque(raw) }

  /// Copies the instance to uninitialised memory; false if there is none any more.
  @inline(__always)
  func copy(to out: UnsafeMutableRawPointer) -> Bool {
    guard let object else { return box._withUnsafeGuaranteedRef { $0.copy(to: out) } }
    out.storeBytes(of: object.retain().toOpaque(), as: UnsafeMutableRawPointer.self)
    return true
  }

  /// Something that is alive as long as the instance is, and keeps it so.
  var evidence: AnyObject? {
    object?.takeUnretainedValue() ?? box._withUnsafeGuaranteedRef { $0.evidence }
  }

  /// Lets go of it; it is torn down first, if it wants to be.
  func release() {
    if let object { object.release() } else { box.takeRetainedValue().tearDown() }
  }
}
