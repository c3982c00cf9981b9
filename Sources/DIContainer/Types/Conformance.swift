internal import DIPrimitives

/// Whether instances of a type could be used as another, as far as the runtime knows.
///
/// For anything but a protocol only inheritance counts. Objective-C protocols are not checked. A
/// conformance isolated to an actor counts everywhere.
package func conforms(_ type: Any.Type, to target: Any.Type) -> Bool {
  if let type = type as? AnyClass, let target = target as? AnyClass {
    var next: AnyClass? = type
    while let current = next {
      if current == target { return true }
      next = _getSuperclass(current)
    }
    return false
  }
  guard let protocols = Metadata(target).protocols else { return false }
  let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
  return protocols.allSatisfy { di_conforms(type, $0) || di_conforms_isolated(type, $0) }
}

/// Whether instances of a type can be used as a protocol's on one actor only.
///
/// This holds for each conformance of a main-actor type if that is the module's default isolation.
func conformsOnActorOnly(_ type: Any.Type, to target: Any.Type) -> Bool {
  guard conforms(type, to: target), let protocols = Metadata(target).protocols else { return false }
  let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
  return protocols.contains { di_conforms_isolated(type, $0) }
}

/// The runtime's metadata record of a protocol type, which diagnoses and `validate()` read.
///
/// The language cannot tell whether one type conforms to another if both are known at run time
/// only. The layout is part of the runtime's ABI: a record begins with its kind; for a protocol
/// type 32 bits of flags, the number of protocols, a superclass if there is one, and the protocols
/// follow.
package struct Metadata {
  private let record: UnsafeRawPointer

  package init(_ type: Any.Type) {
    record = unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  private var kind: UInt { record.load(as: UInt.self) }

  /// Whether it is a protocol type, or a composition of several; `Any` is one too.
  var isExistential: Bool { kind == 0x303 }

  /// Whether it is a protocol type, also with constraints, such as `any Store<Int>`.
  package var isAnyExistential: Bool { isExistential || kind == 0x307 }

  private var hasSuperclass: Bool {
    record.load(fromByteOffset: MemoryLayout<Int>.size, as: UInt32.self) & (1 << 30) != 0
  }

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

// MARK: - Optionals

@inlinable @inline(__always)
func isOptional<Service>(_ type: Service.Type) -> Bool {
  // The compiler knows of each class that it is one, but of no type that it is not an optional.
  !(type is AnyClass) && type is any OptionalType.Type
}

/// `Optional`, regardless of its wrapped type.
@usableFromInline
protocol OptionalType {
  associatedtype Wrapped
  static var none: Self { get }
  var content: Wrapped? { get }
  init(content: Wrapped?)
}

extension Optional: OptionalType {
  @usableFromInline package var content: Wrapped? { self }
  @usableFromInline package init(content: Wrapped?) { self = content }
}

extension OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
