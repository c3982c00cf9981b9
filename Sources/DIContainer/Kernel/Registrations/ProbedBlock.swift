/// The memory of a hash table that is read without a lock.
///
/// A header, then a power of two of entries, which are probed one after the other. The header has
/// three words: the capacity less one, the number of entries taken, and the block that this one
/// replaced. Each table defines the words of an entry and the order in which they are stored.
/// Memory for a block has to be zeroed.
protocol ProbedBlock {
  /// The number of words of an entry.
  static var entryWords: Int { get }
  var raw: UnsafeMutableRawPointer { get }
  init(raw: UnsafeMutableRawPointer)
}

extension ProbedBlock {
  private static var wordBytes: Int { MemoryLayout<UInt>.size }

  /// Returns a block in memory of its own, to be freed with `deallocate`.
  static func make(capacity: UInt) -> Self {
    let bytes = (3 + Int(capacity) * entryWords) * wordBytes
    let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
    raw.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    return Self(zeroed: raw, capacity: capacity)
  }

  /// Creates a block in zeroed memory.
  init(zeroed raw: UnsafeMutableRawPointer, capacity: UInt) {
    raw.storeBytes(of: capacity - 1, as: UInt.self)
    self.init(raw: raw)
  }

  @inline(__always)
  var mask: UInt { raw.load(as: UInt.self) }

  var count: UInt {
    get { raw.load(fromByteOffset: Self.wordBytes, as: UInt.self) }
    nonmutating set { raw.storeBytes(of: newValue, toByteOffset: Self.wordBytes, as: UInt.self) }
  }

  /// The block that this one replaced; readers may still use it.
  var outgrown: Self? {
    get {
      raw.load(fromByteOffset: 2 * Self.wordBytes, as: UnsafeMutableRawPointer?.self)
        .map(Self.init)
    }
    nonmutating set {
      raw.storeBytes(
        of: newValue?.raw, toByteOffset: 2 * Self.wordBytes, as: UnsafeMutableRawPointer?.self)
    }
  }

  /// Frees the block and those that it replaced.
  func freeWithOutgrown(_ free: (UnsafeMutableRawPointer) -> Void = { $0.deallocate() }) {
    var next: Self? = self
    while let block = next {
      next = block.outgrown
      free(block.raw)
    }
  }

  /// Whether one more entry leaves less than a quarter of the block free.
  var isFull: Bool { (count + 1) * 4 > (mask + 1) * 3 }

  /// Returns the first index to probe for a word.
  ///
  /// The words are aligned addresses, whose low bits carry no information; the product's high bits
  /// depend on the whole word.
  @inline(__always)
  func start(_ word: UInt) -> UInt { ((word &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask }

  @inline(__always)
  func entry(_ index: UInt) -> UnsafeMutablePointer<UInt> {
    let offset = index &* UInt(bitPattern: Self.entryWords * Self.wordBytes)
    return (raw + 3 * Self.wordBytes + Int(bitPattern: offset))
      .assumingMemoryBound(to: UInt.self)
  }
}
