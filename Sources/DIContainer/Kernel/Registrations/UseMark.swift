internal import DIPrimitives

// Whether a double was resolved, which a sandbox checks at its end. A registration keeps that in a
// word of its own: an object for it would take 45 ns of a sandbox with one double. When a
// registration is changed (another scope, other settings, a copy for `push`, one that hides it in a
// sandbox), all its forms share the flag, and they may be released in any order. So the first
// change makes an object that all forms hold, and the word then holds that object's address.

/// A flag whether any form of a registration was resolved.
final class UseMark: Sendable {
  // Not zero once resolved. Accessed by its address only; it has to stay the first property.
  private let use: UInt

  init(isUsed: Bool) { use = isUsed ? 1 : 0 }

  fileprivate var word: UnsafeMutablePointer<UInt> {
    firstProperty(of: self).assumingMemoryBound(to: UInt.self)
  }
}

extension Registration {
  // 0: not resolved. 1: resolved. Anything else: the address of a mark, which is retained.
  private var useWord: UnsafeMutablePointer<UInt> {
    firstProperty(of: self).assumingMemoryBound(to: UInt.self)
  }

  private static func mark(_ use: UInt) -> Unmanaged<UseMark>? {
    use > 1 ? UnsafeRawPointer(bitPattern: use).map { .fromOpaque($0) } : nil
  }

  /// Whether it, or another form of it, was resolved.
  var isUsed: Bool {
    let use = di_load_word(useWord)
    guard let mark = Self.mark(use) else { return use != 0 }
    return mark._withUnsafeGuaranteedRef { di_load_word($0.word) != 0 }
  }

  /// Notes that a request resolved to it.
  @inline(__always)
  func noteUse() { if options.isWatched, di_load_word(useWord) != 1 { setUsed() } }

  @inline(never)
  private func setUsed() {
    var use = di_load_word(useWord)
    // If it changed, another request was noted, or there is now a mark: the last possible change.
    if use == 0 { use = di_exchange_word_if(useWord, 0, 1) }
    Self.mark(use)?._withUnsafeGuaranteedRef {
      if di_load_word($0.word) == 0 { di_store_word($0.word, 1) }
    }
  }

  /// The options for another form of it, with the mark that both share from then on.
  var optionsOfOtherForm: Options {
    guard options.isWatched else { return options }
    var options = options
    options.mark = sharedMark()
    return options
  }

  private func sharedMark() -> UseMark {
    var use = di_load_word(useWord)
    while true {
      if let mark = Self.mark(use) { return mark.takeUnretainedValue() }
      let made = Unmanaged.passRetained(UseMark(isUsed: use != 0))
      let present = di_exchange_word_if(useWord, use, UInt(bitPattern: made.toOpaque()))
      if present == use { return made.takeUnretainedValue() }
      made.release()
      use = present
    }
  }

  /// Releases the mark; no reader of the word may be left.
  func dropMark() { Self.mark(di_load_word(useWord))?.release() }
}
