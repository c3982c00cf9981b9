internal import DIPrimitives

// A hash table from keys to registrations that is read without a lock.
//
// Invariants:
// 1. `word` points to the live block: a header (capacity mask, count) and a power of two of
//    entries, at most three quarters full, probed one after the other. An entry whose first word
//    is 0 is free.
// 2. An entry's key never changes once its first word is published; that word is stored last.
//    What changes is its registration, and it is never null: taking one away stores a `Removed`.
// 3. Writers hold the owner's lock. A registration that a writer displaced may still be under a
//    reader's eyes until `di_quiesce()`; the caller of `set` and `removeAll` does that outside
//    its lock, then drops what it was given.
// 4. A block that was outgrown stays allocated until the table goes: together they are smaller
//    than the live one. A block that `removeAll` replaced is freed by whoever quiesced.
package struct RegistrationTable: ~Copyable {
  private let word: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var outgrown: [Block] = []

  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: nil)
  }

  deinit {
    for block in outgrown { block.free() }
    if let block { block.releaseAll(); block.free() }
    word.deallocate()
  }

  /// The part of a table that readers need: nothing but an address.
  var reader: Reader { Reader(word: word) }

  struct Reader {
    fileprivate let word: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    /// The registration for a key without a name: such keys are equal if their words are.
    ///
    /// Borrowed: good while the calling thread stays pinned.
    @inline(__always)
    func find(first: UInt, second: UInt) -> Unmanaged<AnyRegistration>? {
      guard let raw = di_load(word) else { return nil }
      let block = Block(raw: raw)
      var index = block.start(first: first, second: second)
      while true {
        let entry = block.entry(index)
        let present = di_load_word(entry)
        if present == first, entry[1] == second {
          return .fromOpaque(di_load(block.slot(index)).unsafelyUnwrapped)
        }
        if present == 0 { return nil }
        index = (index &+ 1) & block.mask
      }
    }

    /// The registration for a key, borrowed: good while the calling thread stays pinned.
    func find(_ key: RawKey) -> Unmanaged<AnyRegistration>? {
      if key.name == nil { return find(first: key.first, second: key.second) }
      guard let raw = di_load(word) else { return nil }
      let block = Block(raw: raw)
      var index = block.start(first: key.first, second: key.second)
      while true {
        let entry = block.entry(index)
        let first = di_load_word(entry)
        if first == key.first, entry[1] == key.second {
          let found = Unmanaged<AnyRegistration>.fromOpaque(di_load(block.slot(index))!)
          if found._withUnsafeGuaranteedRef({ $0.key.name == key.name }) { return found }
        }
        if first == 0 { return nil }
        index = (index &+ 1) & block.mask
      }
    }
  }

  private var block: Block? { di_load(word).map(Block.init) }

  /// Stores a registration under its key and hands back the one it displaced.
  mutating func set(_ registration: AnyRegistration) -> AnyRegistration? {
    let key = registration.key.typeAndName
    let value = Unmanaged.passRetained(registration).toOpaque()
    if let block, let index = block.index(of: key) {
      let old = di_exchange(block.slot(index), value)!
      return Unmanaged<AnyRegistration>.fromOpaque(old).takeRetainedValue()
    }
    let block = roomyBlock()
    block.insert(key, value)
    return nil
  }

  /// Every registration, `Removed` ones among them, in no order.
  func forEach(_ body: (AnyRegistration) -> Void) {
    guard let block else { return }
    for index in 0...block.mask where di_load_word(block.entry(index)) != 0 {
      let value = di_load(block.slot(index))!
      body(Unmanaged<AnyRegistration>.fromOpaque(value).takeUnretainedValue())
    }
  }

  /// Empties the table.
  ///
  /// Call the result once readers have left; it frees what was there.
  mutating func removeAll() -> () -> Void {
    guard let block else { return {} }
    let old = outgrown + [block]
    outgrown = []
    di_store(word, nil)
    return {
      block.releaseAll()
      for block in old { block.free() }
    }
  }

  private mutating func roomyBlock() -> Block {
    guard let block else {
      let first = Block.make(capacity: 8)
      di_store(word, first.raw)
      return first
    }
    if (block.count + 1) * 4 <= (block.mask + 1) * 3 { return block }
    let larger = Block.make(capacity: (block.mask + 1) * 2)
    for index in 0...block.mask {
      let entry = block.entry(index)
      if entry[0] != 0 {
        larger.insert(first: entry[0], second: entry[1], di_load(block.slot(index))!)
      }
    }
    di_store(word, larger.raw)
    outgrown.append(block)
    return larger
  }

  private struct Block {
    let raw: UnsafeMutableRawPointer

    static func make(capacity: UInt) -> Block {
      let bytes = 16 + Int(capacity) * 24
      let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
      raw.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      raw.storeBytes(of: capacity - 1, as: UInt.self)
      return Block(raw: raw)
    }

    @inline(__always)
    var mask: UInt { raw.load(as: UInt.self) }

    var count: UInt {
      get { raw.load(fromByteOffset: 8, as: UInt.self) }
      nonmutating set { raw.storeBytes(of: newValue, toByteOffset: 8, as: UInt.self) }
    }

    // Metatypes and objects are aligned, so their low bits say nothing; the product's high bits
    // depend on all of the address.
    @inline(__always)
    func start(first: UInt, second: UInt) -> UInt {
      (((first ^ second) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    @inline(__always)
    func entry(_ index: UInt) -> UnsafeMutablePointer<UInt> {
      (raw + 16 + Int(bitPattern: index &* 24)).assumingMemoryBound(to: UInt.self)
    }

    @inline(__always)
    func slot(_ index: UInt) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
      (raw + 32 + Int(bitPattern: index &* 24)).assumingMemoryBound(
        to: UnsafeMutableRawPointer?.self)
    }

    func index(of key: RawKey) -> UInt? {
      var index = start(first: key.first, second: key.second)
      while entry(index)[0] != 0 {
        if entry(index)[0] == key.first, entry(index)[1] == key.second {
          let found = Unmanaged<AnyRegistration>.fromOpaque(di_load(slot(index))!)
          if key.name == nil || found.takeUnretainedValue().key.name == key.name { return index }
        }
        index = (index + 1) & mask
      }
      return nil
    }

    func insert(_ key: RawKey, _ value: UnsafeMutableRawPointer) {
      insert(first: key.first, second: key.second, value)
    }

    func insert(first: UInt, second: UInt, _ value: UnsafeMutableRawPointer) {
      var index = start(first: first, second: second)
      while entry(index)[0] != 0 { index = (index + 1) & mask }
      entry(index)[1] = second
      di_store(slot(index), value)
      di_store_word(entry(index), first)
      count += 1
    }

    func releaseAll() {
      for index in 0...mask where entry(index)[0] != 0 {
        Unmanaged<AnyRegistration>.fromOpaque(di_load(slot(index))!).release()
      }
    }

    func free() { raw.deallocate() }
  }
}
