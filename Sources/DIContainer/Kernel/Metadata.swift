/// What the runtime's record of a type says, as far as the kernel reads it: casts take far longer.
///
/// The layout is part of the runtime's ABI. A record begins with its kind; that of a class may be,
/// on Apple systems, the address of its metaclass instead.
struct Metadata {
  private let record: UnsafeRawPointer

  init(_ type: Any.Type) {
    record = unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// From a word that names a type.
  init(_ record: UnsafeRawPointer) {
    self.record = record
  }

  private var kind: UInt { record.load(as: UInt.self) }

  var isClass: Bool { kind == 0 || kind > 0x7FF }

  /// Whether instances are held as a protocol, or several; `Any` is one too.
  var isExistential: Bool { kind == 0x303 }

  /// The same, or with constraints: `any Store<Int>`.
  var isAnyExistential: Bool { isExistential || kind == 0x307 }

  // What follows is of existentials only: 32 bits of flags, the number of protocols, a superclass
  // if there is one, the protocols.

  private var flags: UInt32 {
    record.load(fromByteOffset: MemoryLayout<Int>.size, as: UInt32.self)
  }

  /// Whether instances may be other than objects.
  var holdsValues: Bool { flags & (1 << 31) != 0 }

  private var hasSuperclass: Bool { flags & (1 << 30) != 0 }

  /// Whether it is a protocol that the language treats in a way of its own, such as `Error`.
  var isSpecial: Bool { flags & 0x3F00_0000 != 0 }

  /// The descriptors of its protocols; nil where the runtime does not know who conforms to them.
  var protocols: [UnsafeRawPointer]? {
    guard isExistential, !hasSuperclass else { return nil }
    let count = record.load(fromByteOffset: MemoryLayout<Int>.size + 4, as: UInt32.self)
    let first = record + MemoryLayout<Int>.size + 8
    let words = (0..<Int(count)).map {
      first.load(fromByteOffset: $0 * MemoryLayout<Int>.size, as: UInt.self)
    }
    // The lowest bit marks a protocol of Objective-C.
    guard count > 0, words.allSatisfy({ $0 & 1 == 0 }) else { return nil }
    return words.compactMap { UnsafeRawPointer(bitPattern: $0) }
  }
}

/// Whether a type is an optional.
@inlinable @inline(__always)
func isOptional(_ type: Any.Type) -> Bool {
  // The kind of optionals; see `Metadata`, which inlinable code does not see.
  unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee == 0x202
}
