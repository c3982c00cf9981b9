internal import DIPrimitives

#if canImport(Darwin)
private import Darwin
#elseif canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#elseif canImport(Android)
private import Android
#endif

// Outside all frames, a thread finds the registrations of its latest requests in a table of its
// own, without a lock and without hashing a key; and in any context the properties that it has
// used. That only saves time: nothing behaves differently without it, which
// `DICONTAINER_REQUEST_CACHE=off` in the environment proves in tests.
//
// A found registration counts as long as the process-wide generation is the one that was read
// before it was looked up. Each change of a registry or of nested containers ends with the next
// generation, so that a request which begins after a change has returned finds what is there then.
//
// The table holds no registration: whatever is removed is released at once, and so is what was kept
// for it. It only holds the memory, so that retaining a registration which is gone fails.

/// The registrations that a thread's latest requests found, and the properties that it used.
///
/// Only the thread uses it, and frees it at its end.
struct RequestCache {
  private struct Remembered {
    /// The address of the type, or of the property; 0 in an empty entry.
    var service: UInt = 0
    /// The number of the requested container, which no other one gets later.
    var container: UInt64 = 0
    var generation: UInt = 0
    var registration: UnsafeRawPointer?
  }

  private typealias Used = (code: PropertyKey.Code, property: PropertyKey)

  private static let count = 256
  private static let isOn =
    getenv("DICONTAINER_REQUEST_CACHE").map { String(cString: $0) } != "off"

  private let found = UnsafeMutablePointer<Remembered>.allocate(capacity: count)
  private let used = UnsafeMutablePointer<Used?>.allocate(capacity: count)

  init() {
    found.initialize(repeating: Remembered(), count: Self.count)
    used.initialize(repeating: nil, count: Self.count)
  }

  func free() {
    for index in 0..<Self.count {
      if let registration = found[index].registration { di_unowned_release(registration) }
    }
    found.deallocate()
    used.deinitialize(count: Self.count).deallocate()
  }

  /// Returns the place of what two words identify, one of which is an address.
  @inline(__always)
  private static func index(_ address: UInt, _ other: UInt64) -> Int {
    // Addresses are aligned; the product's high bits depend on all bits.
    Int(truncatingIfNeeded: ((UInt64(address) &+ other) &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}

// MARK: - Registrations

extension RequestCache {
  /// Returns what serves requests for a service in a container, from the table or from `find`.
  ///
  /// `id`: that of the type or the property.
  @inline(__always)
  func registration(
    _ id: ObjectIdentifier, in core: ContainerCore, orFind find: () -> Registration?
  ) -> Registration? {
    let (service, generation) = (UInt(bitPattern: id), di_generation())
    let entry = found + Self.index(service, core.number)
    if entry.pointee.service == service, entry.pointee.container == core.number,
      entry.pointee.generation == generation, let known = entry.pointee.registration,
      di_try_retain(known)
    {
      return Unmanaged<Registration>.fromOpaque(known).takeRetainedValue()
    }
    guard let registration = find() else { return nil }
    Self.note(
      registration, at: entry,
      Remembered(service: service, container: core.number, generation: generation))
    return registration
  }

  @inline(never)
  private static func note(
    _ registration: Registration, at entry: UnsafeMutablePointer<Remembered>, _ found: Remembered
  ) {
    if !isOn { return }
    let former = exchange(&entry.pointee, with: found).registration
    let address = UnsafeRawPointer(Unmanaged.passUnretained(registration).toOpaque())
    if former == address {
      entry.pointee.registration = address
      return
    }
    di_unowned_retain(address)
    entry.pointee.registration = address
    if let former { di_unowned_release(former) }
  }
}

// MARK: - Properties

extension RequestCache {
  /// Returns the property that some code declares, from the table or from `find`.
  ///
  /// A property is never released, and is the same for ever.
  @inline(__always)
  func property(_ code: PropertyKey.Code?, orFind find: () -> PropertyKey) -> PropertyKey {
    guard let code else { return find() }
    let entry = used + Self.index(code.name, 0)
    if let known = entry.pointee, known.code == code { return known.property }
    let property = find()
    if Self.isOn { entry.pointee = (code, property) }
    return property
  }
}
