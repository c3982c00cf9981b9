/// The runtime's metadata record of a type, as far as the kernel reads it: casts take far longer.
///
/// The layout is part of the runtime's ABI. A record begins with its kind; that of a class may be,
/// on Apple systems, the address of its metaclass instead.
struct Metadata {
  private let record: UnsafeRawPointer

  init(_ type: Any.Type) {
    record = unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// Creates a view of a metadata record from its address.
  init(_ record: UnsafeRawPointer) {
    self.record = record
  }

  private var kind: UInt { record.load(as: UInt.self) }

  var isClass: Bool { kind == 0 || kind > 0x7FF }

  /// Whether it is a protocol type, or a composition of several; `Any` is one too.
  var isExistential: Bool { kind == 0x303 }

  /// Whether it is a protocol type, also with constraints, such as `any Store<Int>`.
  var isAnyExistential: Bool { isExistential || kind == 0x307 }

  // The following applies to existentials only: 32 bits of flags, the number of protocols, a
  // superclass if there is one, the protocols.

  private var flags: UInt32 {
    record.load(fromByteOffset: MemoryLayout<Int>.size, as: UInt32.self)
  }

  /// Whether instances may be values.
  var holdsValues: Bool { flags & (1 << 31) != 0 }

  private var hasSuperclass: Bool { flags & (1 << 30) != 0 }

  /// Whether it is a protocol with special treatment in the language, such as `Error`.
  var isSpecial: Bool { flags & 0x3F00_0000 != 0 }

  /// The descriptors of its protocols; nil if the runtime does not track their conformances.
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
  // The kind of optionals; see `Metadata`, which inlinable code cannot use.
  unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee == 0x202
}
