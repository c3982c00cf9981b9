internal import DIPrimitives

/// A flag or counter that is read without a lock.
///
/// Copies share the value.
package struct Atomic: @unchecked Sendable {
  // Sendable: the word is read and written atomically only.
  private let storage: ManagedBuffer<UInt, Void>

  package init(_ value: UInt = 0) {
    storage = ManagedBuffer<UInt, Void>.create(minimumCapacity: 0) { _ in value }
  }

  /// The address of the value, for readers that keep the object which holds it alive.
  struct Address {
    fileprivate let word: UnsafeMutablePointer<UInt>

    @inline(__always)
    var isSet: Bool { di_load_word(word) != 0 }
  }

  var address: Address { withWord { Address(word: $0) } }

  private func withWord<Result>(_ body: (UnsafeMutablePointer<UInt>) -> Result) -> Result {
    storage.withUnsafeMutablePointerToHeader(body)
  }

  package var value: UInt { withWord { di_load_word($0) } }
  package var isSet: Bool { value != 0 }
  func set(bits: UInt) { withWord { di_store_word($0, bits) } }
  package func set(_ flag: Bool) { set(bits: flag ? 1 : 0) }

  /// Adds one and returns the previous value.
  @discardableResult
  package func increment() -> UInt { withWord { di_add_word($0, 1) } }
}

/// The numbers of registrations, keepers, frames and events, in the order made.
package enum SerialNumber {
  package static func next() -> UInt64 { UInt64(di_next_serial_number()) }
}
