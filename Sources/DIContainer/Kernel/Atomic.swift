internal import DIPrimitives

/// A flag or counter that is read without a lock.
package final class Atomic: Sendable {
  let word: Unchecked<UnsafeMutablePointer<UInt>>

  package init(_ value: UInt = 0) {
    let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    word.initialize(to: value)
    // An address that lives as long as this object and is read and written atomically only.
    self.word = Unchecked(word)
  }

  deinit {
    word.value.deallocate()
  }

  package var value: UInt { di_load_word(word.value) }
  package var isSet: Bool { value != 0 }
  package func set(bits: UInt) { di_store_word(word.value, bits) }
  package func set(_ flag: Bool) { di_store_word(word.value, flag ? 1 : 0) }

  /// Adds one and returns the value before.
  @discardableResult
  package func increment() -> UInt { di_add_word(word.value, 1) }
}
