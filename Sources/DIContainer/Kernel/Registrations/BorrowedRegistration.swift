/// A registration that was found in a table, without a counted reference to it.
///
/// It is valid in the read section in which it was found, and from then on as long as a step of the
/// thread records that its factory runs (di_step.h).
struct BorrowedRegistration {
  /// The reference itself, where `read` would count it.
  let reference: Unmanaged<Registration>

  @inline(__always)
  init(at address: UnsafeMutableRawPointer?) {
    reference = .fromOpaque(address.unsafelyUnwrapped)
  }

  /// Calls a closure with the registration, which does not leave it.
  @inline(__always)
  func read<Result>(_ body: (Registration) throws -> Result) rethrows -> Result {
    try reference._withUnsafeGuaranteedRef(body)
  }

  /// A counted reference to the registration.
  var retained: Registration { reference.takeUnretainedValue() }
}

extension BorrowedRegistration {
  @inline(__always) var id: UInt64 { read { $0.id } }
  @inline(__always) var path: Registration.Path { read { $0.path } }
  @inline(__always) var isClass: Bool { read { $0.isClass } }
  @inline(__always) var isRegistered: Bool { read { $0.options.isRegistered } }

  /// Copies the instance that is kept for it to uninitialised memory; returns false if none is.
  @inline(__always)
  func copyKept(to out: InstanceMemory) -> Bool {
    read { $0.kept }.copy(to: out)
  }
}
