internal import DIPrimitives

// The slots that a scope has in place of those outside, by the address of these. Read without a
// lock: every request for a kept instance inside a scope looks here (a dictionary under a lock took
// 400 of its 1,180 instructions).
//
// Invariants:
// 1. `word` points to the live block, which is at most three quarters full. An entry is the base's
//    address and that of its own slot; it is free if the first is 0.
// 2. An entry's base never changes once it is published; it is stored last. Its own slot may be
//    removed, which leaves null, and be followed by another.
// 3. As long as an entry has a slot of its own, it holds that and the base's memory, so that the
//    base's address is not reused. It does not hold the base itself, which is released with its
//    registration: the instance kept here for it is then forgotten (`Keeper.makeForContext`), and the
//    entry is dropped when the block grows. An entry without a slot of its own holds nothing, and a
//    new base at that address may use it.
// 4. Writers hold the frame's lock. Readers may use what they remove until `di_quiesce()`; writers
//    release it afterwards, under no lock.
// 5. An outgrown block stays until the live one is freed: together they are smaller than that.

/// A scope's slots in place of those outside.
struct FrameSlots {
  let word: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// Returns the scope's slot in place of `base`, if any.
  ///
  /// The result is borrowed: valid while the calling thread is pinned, or holds the frame's lock.
  @inline(__always)
  func find(_ base: UnsafeMutableRawPointer) -> Unmanaged<Keeper>? {
    guard let block = di_load(word).map(Block.init) else { return nil }
    let key = UInt(bitPattern: base)
    var index = block.start(key)
    while true {
      let present = di_load_word(block.base(index))
      if present == key { return di_load(block.own(index)).map { .fromOpaque($0) } }
      if present == 0 { return nil }
      index = (index &+ 1) & block.mask
    }
  }

  /// Adds a slot in place of one that has none here.
  ///
  /// - Returns: Dropped entries, which the caller frees once readers have left.
  func add(_ own: Keeper, for base: Keeper) -> [Entry] {
    var left: [Entry] = []
    let block = roomyBlock(&left)
    let address = Unmanaged.passUnretained(base).toOpaque()
    di_hold_memory(address)
    block.insert(UInt(bitPattern: address), Unmanaged.passRetained(own).toOpaque())
    return left
  }

  /// Removes a slot; the caller frees the entry once readers have left.
  func take(_ base: Keeper) -> Entry? {
    let base = Unmanaged.passUnretained(base).toOpaque()
    guard let block = di_load(word).map(Block.init),
      let index = block.index(of: UInt(bitPattern: base)),
      let own = di_exchange(block.own(index), nil)
    else { return nil }
    return Entry(base: base, own: .fromOpaque(own))
  }

  /// A slot of the scope, and the memory of the slot that it replaces.
  struct Entry {
    fileprivate let base: UnsafeMutableRawPointer
    fileprivate let own: Unmanaged<Keeper>

    func forget() { own._withUnsafeGuaranteedRef { $0.forget() } }

    func free() {
      own.release()
      di_let_memory_go(base)
    }
  }

  /// Removes all slots; the caller frees them once readers have left.
  func takeAll() -> Taken? {
    if di_load(word) == nil { return nil }
    return di_exchange(word, nil).map { Taken(block: Block(raw: $0)) }
  }

  /// All slots that the scope has of its own.
  var all: [Keeper] {
    guard let block = di_load(word).map(Block.init) else { return [] }
    var all: [Keeper] = []
    block.forEach { all.append($0.own.takeUnretainedValue()) }
    return all
  }

  /// Removed slots, which only their owner can reach.
  struct Taken {
    fileprivate let block: Block

    func forgetAll() { block.forEach { $0.forget() } }

    func free() {
      block.forEach { $0.free() }
      block.freeWithOutgrown(di_memory_free)
    }
  }

  private func roomyBlock(_ left: inout [Entry]) -> Block {
    guard let block = di_load(word).map(Block.init) else {
      let first = Block.make(capacity: 4, outgrown: nil)
      di_publish(word, first.raw)
      return first
    }
    if !block.isFull { return block }
    // Removed entries are not copied, nor are those whose base is gone.
    var stay: [Entry] = []
    block.forEach { entry in
      if entry.own._withUnsafeGuaranteedRef({ $0.isLeft }) {
        left.append(entry)
      } else {
        stay.append(entry)
      }
    }
    var capacity = block.mask + 1
    while (UInt(stay.count) + 1) * 2 > capacity { capacity *= 2 }
    let larger = Block.make(capacity: capacity, outgrown: block)
    for entry in stay { larger.insert(UInt(bitPattern: entry.base), entry.own.toOpaque()) }
    di_store(word, larger.raw)
    return larger
  }

  fileprivate struct Block: ProbedBlock {
    static var entryWords: Int { 2 }
    let raw: UnsafeMutableRawPointer

    static func make(capacity: UInt, outgrown: Block?) -> Block {
      Block(
        zeroed: di_memory_make(bytes(capacity: capacity)), capacity: capacity, outgrown: outgrown)
    }

    @inline(__always)
    func base(_ index: UInt) -> UnsafeMutablePointer<UInt> { entry(index) }

    @inline(__always)
    func own(_ index: UInt) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
      pointer(index, word: 1)
    }

    func index(of key: UInt) -> UInt? {
      var index = start(key)
      while di_load_word(base(index)) != 0 {
        if di_load_word(base(index)) == key { return index }
        index = (index + 1) & mask
      }
      return nil
    }

    func insert(_ key: UInt, _ value: UnsafeMutableRawPointer) {
      if let index = index(of: key) { return di_publish(own(index), value) }
      var index = start(key)
      while di_load_word(base(index)) != 0 { index = (index + 1) & mask }
      di_publish(own(index), value)
      di_store_word(base(index), key)
      count += 1
    }

    func forEach(_ body: (Entry) -> Void) {
      for index in 0...mask {
        if let base = UnsafeMutableRawPointer(bitPattern: di_load_word(base(index))),
          let own = di_load(own(index))
        {
          body(Entry(base: base, own: .fromOpaque(own)))
        }
      }
    }
  }
}
