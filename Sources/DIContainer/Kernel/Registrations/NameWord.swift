extension Resolver.Name {
  /// A nonzero word for the table that is equal for equal names.
  ///
  /// Swift's own hash took a fifth of the time of a request by name.
  var word: UInt { (Self.hash(rawValue) ?? hashOfOthers) | 1 }

  /// A hash of a text of ASCII characters; nil for any other.
  @inline(__always)
  private static func hash(_ text: String) -> UInt? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var hash: UInt64 = 0
      var seen: UInt64 = 0
      var rest = UnsafeRawBufferPointer(bytes)
      while rest.count >= 8 {
        mix(rest.loadUnaligned(as: UInt64.self), &hash, &seen)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8))
      }
      var last: UInt64 = 0
      for byte in rest.reversed() { last = last << 8 | UInt64(byte) }
      mix(last, &hash, &seen)
      return seen & 0x8080_8080_8080_8080 == 0 ? UInt(truncatingIfNeeded: hash) : nil
    } ?? nil
  }

  @inline(__always)
  private static func mix(_ word: UInt64, _ hash: inout UInt64, _ seen: inout UInt64) {
    seen |= word
    hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }

  /// A hash for any text.
  ///
  /// Equal texts may have different scalars, and three scalars outside of ASCII equal one inside.
  private var hashOfOthers: UInt {
    var text = ""
    for scalar in rawValue.unicodeScalars {
      switch scalar {
      case "\u{37E}": text += ";"
      case "\u{1FEF}": text += "`"
      case "\u{212A}": text += "K"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return Self.hash(text) ?? UInt(bitPattern: rawValue.hashValue)
  }
}
