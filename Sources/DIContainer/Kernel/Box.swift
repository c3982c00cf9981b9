// What a once-state points to. Boxes are immutable, so that readers need no lock.

/// Holds a kept instance of whatever type.
class AnyBox {
  func tearDown() {}
}

/// Holds a kept instance.
class Box<Service>: AnyBox {
  var kept: Service? { nil }
  /// Something that is alive as long as the kept instance is, and keeps it so.
  var evidence: AnyObject? { self }
}

/// Holds an instance until it is told to forget it.
final class StrongBox<Service>: Box<Service> {
  let value: Service
  private let onRelease: ((Service) -> Void)?

  init(_ value: Service, onRelease: ((Service) -> Void)?) {
    self.value = value
    self.onRelease = onRelease
  }

  override var kept: Service? { value }
  override func tearDown() { onRelease?(value) }
}

/// Remembers an instance for as long as somebody else holds it.
///
/// The service may be a protocol type, which a weak reference cannot have: so the box keeps a weak
/// reference to the object and, beside it, the bits of the service value, which count for nothing
/// and are copied (that is, retained) only while the object is known to be alive.
final class WeakBox<Service>: Box<Service> {
  private weak var object: AnyObject?
  private let bits: UnsafeMutablePointer<Service>

  init(_ value: Service, object: AnyObject) {
    self.object = object
    let bits = UnsafeMutablePointer<Service>.allocate(capacity: 1)
    withUnsafePointer(to: value) {
      UnsafeMutableRawPointer(bits).copyMemory(
        from: UnsafeRawPointer($0), byteCount: MemoryLayout<Service>.size)
    }
    self.bits = bits
  }

  deinit {
    // Not deinitialised: the bits never owned anything.
    bits.deallocate()
  }

  override var kept: Service? {
    guard let object else { return nil }
    return withExtendedLifetime(object) { bits.pointee }
  }

  override var evidence: AnyObject? { object }
}
