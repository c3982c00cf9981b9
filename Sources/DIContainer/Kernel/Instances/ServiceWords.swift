/// Room for what most services are, without an allocation: a few words.
@frozen @usableFromInline
struct ServiceWords {
  /// As many as a service takes that is asked for as a protocol: three for the instance or the
  /// reference to it, its type, and how that conforms.
  static let count = 5

  @usableFromInline var words: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)

  /// Room for an instance to be put into.
  @inlinable @inline(__always)
  init() {}

  /// The words of a service that holds nothing but a reference to an object, which is the first.
  @inline(__always)
  init(copying memory: UnsafeRawPointer, size: Int) {
    words.0 = memory.load(as: UInt.self)
    if size > 8 {
      withUnsafeMutableBytes(of: &words) {
        $0.baseAddress.unsafelyUnwrapped.copyMemory(from: memory, byteCount: size)
      }
    }
  }

  /// Whether an instance of a type has room here.
  @inlinable @inline(__always)
  static func fits<Service>(_ type: Service.Type) -> Bool {
    MemoryLayout<Service>.size <= MemoryLayout<ServiceWords>.size
      && MemoryLayout<Service>.alignment <= MemoryLayout<ServiceWords>.alignment
  }

  /// Copies the words of a service of a size to where it is to be; the object is not retained.
  @inline(__always)
  func copy(to out: UnsafeMutableRawPointer, size: Int) {
    out.storeBytes(of: words.0, as: UInt.self)
    copyWitnesses(to: out, size: size)
  }

  /// Copies all words but the first: those that the instances of a class have in common.
  @inline(__always)
  func copyWitnesses(to out: UnsafeMutableRawPointer, size: Int) {
    // One by one: a call to copy so few bytes costs some 10 ns.
    if size > 8 {
      out.storeBytes(of: words.1, toByteOffset: 8, as: UInt.self)
      if size > 16 {
        out.storeBytes(of: words.2, toByteOffset: 16, as: UInt.self)
        if size > 24 { out.storeBytes(of: words.3, toByteOffset: 24, as: UInt.self) }
        if size > 32 { out.storeBytes(of: words.4, toByteOffset: 32, as: UInt.self) }
      }
    }
  }
}
