internal import DIPrimitives

/// The box of a kept instance, at an address that is read without a lock.
///
/// A reader inside a read section loads the box and copies the instance. Writers hold the build
/// lock; they wait for readers before they release a box that they replaced.
struct KeptInstance {
  private let word: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// Whether the instance is kept as an object, and a copy of it is cast to another type.
  private let isCast: Bool

  /// No instance, for registrations that keep none.
  static var none: KeptInstance { KeptInstance(word: di_nothing_kept_word(), isCast: false) }

  /// Allocates the memory of a box, to be freed with `free`.
  static func allocate(isCast: Bool) -> KeptInstance {
    let word = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    word.initialize(to: nil)
    return KeptInstance(word: word, isCast: isCast)
  }

  /// Releases the box, and frees the memory; no reader or writer may be left.
  func free() {
    reference?.release()
    word.deallocate()
  }

  /// The box, if there is one; the caller holds the build lock, or is in a read section.
  var box: AnyBox? { reference?.takeUnretainedValue() }

  /// Copies the instance to uninitialised memory; returns false if there is none.
  ///
  /// Called in a read section, which it leaves.
  @inline(__always)
  func copy(_ thread: ThreadRecord, to out: InstanceMemory) -> Bool {
    if isCast { return copyByCast(thread, to: out) }
    defer { di_unpin(thread) }
    return reference?._withUnsafeGuaranteedRef { $0.copy(to: out) } ?? false
  }

  // Outside the read section: the cast may ask an executor whether it runs the calling code, and
  // where it fails, the last reference to the instance may be released.
  @inline(never)
  private func copyByCast(_ thread: ThreadRecord, to out: InstanceMemory) -> Bool {
    let box = box
    di_unpin(thread)
    return box?.copy(to: out) ?? false
  }

  /// Replaces the box; returns the former one, for which readers have to be waited before it is
  /// released.
  func exchange(_ box: AnyBox?) -> AnyBox? {
    let new = box.map { Unmanaged.passRetained($0).toOpaque() }
    return di_exchange(word, new).map { Unmanaged.fromOpaque($0).takeRetainedValue() }
  }

  @inline(__always)
  private var reference: Unmanaged<AnyBox>? { di_load(word).map { .fromOpaque($0) } }
}
