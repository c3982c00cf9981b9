// Holders of kept instances, and of those that a resolution cycle shares. Boxes are immutable, so
// that readers need no lock. They copy the instance into memory of the caller, so that the path
// from a request to a kept instance depends on no service type.

/// A holder of a kept instance of any type.
class AnyBox {
  /// Copies the instance to uninitialised memory; returns false if it no longer exists.
  func copy(to out: UnsafeMutableRawPointer) -> Bool { false }
  /// An object that keeps the instance alive, and exists as long as the instance does.
  var evidence: AnyObject? { self }
  func tearDown() {}
}

/// A holder of an instance that consists of one reference to an object, until it is released.
///
/// For services that are requested as a protocol; copying one through its type's witnesses would
/// cost some 10 ns more.
final class ObjectBox: AnyBox {
  private let object: Unmanaged<AnyObject>
  private let size: Int
  private let words: ServiceWords
  private let onRelease: Keeper.OnRelease?

  init(
    _ object: Unmanaged<AnyObject>, from memory: UnsafeRawPointer, size: Int,
    onRelease: Keeper.OnRelease?
  ) {
    self.object = object.retain()
    self.size = size
    self.onRelease = onRelease
    words = ServiceWords(copying: memory, size: size)
  }

  deinit {
    object.release()
  }

  override func copy(to out: UnsafeMutableRawPointer) -> Bool {
    _ = object.retain()
    words.copy(to: out, size: size)
    return true
  }

  override func tearDown() {
    guard let onRelease else { return }
    withUnsafeBytes(of: words) { onRelease($0.baseAddress!) }
  }
}

/// A holder of an instance until it is released.
final class StrongBox<Service>: AnyBox {
  private let value: Service
  private let onRelease: Keeper.OnRelease?

  init(_ value: Service, onRelease: Keeper.OnRelease? = nil) {
    self.value = value
    self.onRelease = onRelease
  }

  override func copy(to out: UnsafeMutableRawPointer) -> Bool {
    out.assumingMemoryBound(to: Service.self).initialize(to: value)
    return true
  }

  override func tearDown() {
    if let onRelease { withUnsafePointer(to: value) { onRelease($0) } }
  }
}

/// A weak reference to an instance.
///
/// The service may be a protocol type, which a weak reference cannot have: so the box keeps a weak
/// reference to the object and, beside it, the bits of the service value, which own nothing. They
/// contain one reference, the one to the object: a copy of them is valid once the object has been
/// retained for it.
final class WeakBox: AnyBox {
  private let object: WeakHold
  private let bits: UnsafeMutableRawPointer
  private let size: Int

  init(_ value: UnsafeRawPointer, size: Int, object: AnyObject) {
    self.object = WeakHold(.passUnretained(object))
    self.size = size
    bits = .allocate(byteCount: size, alignment: 8)
    bits.copyMemory(from: value, byteCount: size)
  }

  /// Returns a box for an instance; nil if it is no class instance.
  static func make<Service>(_ service: Service) -> WeakBox? {
    withUnsafePointer(to: service) { memory in
      let object =
        InstanceForm(of: Service.self, size: MemoryLayout<Service>.size).object(in: memory)?
        .takeUnretainedValue() ?? classInstance(service)
      return object.map { WeakBox(memory, size: MemoryLayout<Service>.size, object: $0) }
    }
  }

  /// Returns the instance if it is still alive.
  func value<Service>(as type: Service.Type) -> Service? {
    withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress!
      return copy(to: UnsafeMutableRawPointer(out)) ? out.move() : nil
    }
  }

  deinit {
    // Not deinitialised: the bits never owned anything.
    bits.deallocate()
  }

  override func copy(to out: UnsafeMutableRawPointer) -> Bool {
    guard object.retain() else { return false }
    if size == 8 {
      out.storeBytes(of: bits.load(as: UInt.self), as: UInt.self)
    } else {
      out.copyMemory(from: bits, byteCount: size)
    }
    return true
  }

  override var evidence: AnyObject? { object.value }
}
