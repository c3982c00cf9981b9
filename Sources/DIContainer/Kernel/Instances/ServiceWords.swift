/// Inline storage of a few words, which holds most services without an allocation.
@frozen @usableFromInline
struct ServiceWords {
  /// The size of a service requested as a protocol: three words for the instance or the reference
  /// to it, its type, and its conformance.
  static let count = 5

  @usableFromInline var words: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)

  /// Creates empty storage.
  @inlinable @inline(__always)
  init() {}

  /// Creates a copy of a service that consists of one reference to an object, its first word.
  @inline(__always)
  init(copying memory: UnsafeRawPointer, size: Int) {
    words.0 = memory.load(as: UInt.self)
    if size > 8 {
      withUnsafeMutableBytes(of: &words) {
        $0.baseAddress.unsafelyUnwrapped.copyMemory(from: memory, byteCount: size)
      }
    }
  }

  /// Whether an instance of a type fits.
  @inlinable @inline(__always)
  static func fits<Service>(_ type: Service.Type) -> Bool {
    MemoryLayout<Service>.size <= MemoryLayout<ServiceWords>.size
      && MemoryLayout<Service>.alignment <= MemoryLayout<ServiceWords>.alignment
  }

  /// Copies the words of a service of a given size to its destination; does not retain the object.
  @inline(__always)
  func copy(to out: UnsafeMutableRawPointer, size: Int) {
    out.storeBytes(of: words.0, as: UInt.self)
    copyWitnesses(to: out, size: size)
  }

  /// Copies all words but the first: those that are equal for all instances of a class.
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
