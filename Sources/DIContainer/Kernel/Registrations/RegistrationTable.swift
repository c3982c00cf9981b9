internal import DIPrimitives

// A hash table from keys to registrations that is read without a lock.
//
// Invariants:
// 1. `word` points to the live block, which is at most three quarters full. An entry is the key's
//    two words and the registration's address; it is free if its first word is 0.
// 2. An entry's key never changes once its first word is published; that word is stored last. Only
//    its registration changes, and it is never null: removing one stores a removal marker.
// 3. Writers hold the table's lock. Readers may use a displaced registration until `di_quiesce()`;
//    the caller of `set` and `takeContents` calls that outside its lock, then releases what it
//    received.
// 4. The first block is part of the table's memory, so that a few registrations need no other. An
//    outgrown block stays allocated until the table is freed: together they are smaller than the
//    live one. A block that `takeContents` replaced is freed by the caller that quiesced.
struct RegistrationTable {
  /// The memory that readers and writers share.
  private let shared: UnsafeMutablePointer<di_table>

  /// Allocates the memory of a table, to be freed with `free`.
  static func allocate() -> RegistrationTable {
    let shared = UnsafeMutablePointer<di_table>.allocate(capacity: 1)
    shared.initialize(to: di_table())
    di_lock_init(di_table_lock(shared))
    return RegistrationTable(shared: shared)
  }

  /// Frees the table's memory and registrations; no reader or writer may be left.
  func free() {
    if let block {
      block.releaseAll()
      freeWithOutgrown(block)
    }
    di_lock_destroy(di_table_lock(shared))
    shared.deallocate()
  }

  /// Calls a closure that writes to the table.
  @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    di_lock_acquire(di_table_lock(shared))
    defer { di_lock_release(di_table_lock(shared)) }
    return body()
  }

  var reader: Reader { Reader(shared: shared) }

  private var word: UnsafeMutablePointer<UnsafeMutableRawPointer?> { di_table_word(shared) }

  /// The part of a table that readers need: a single address.
  struct Reader {
    fileprivate let shared: UnsafeMutablePointer<di_table>

    /// Returns the registration for a key without a name: such keys are equal if their words are.
    ///
    /// The result is borrowed: valid while the calling thread stays pinned.
    @inline(__always)
    func find(first: UInt, second: UInt) -> BorrowedRegistration? {
      guard let raw = di_load(di_table_word(shared)) else { return nil }
      let block = Block(raw: raw)
      var index = block.start(first ^ second)
      while true {
        let entry = block.entry(index)
        let present = di_load_word(entry)
        if present == first, entry[1] == second {
          return block.registration(index)
        }
        if present == 0 { return nil }
        index = (index &+ 1) & block.mask
      }
    }

    /// Calls a closure with every registration, including removal markers, in no particular order;
    /// call it while the thread is pinned, or as a writer.
    func forEach(_ body: (Registration) -> Void) {
      guard let raw = di_load(di_table_word(shared)) else { return }
      let block = Block(raw: raw)
      for index in 0...block.mask where di_load_word(block.entry(index)) != 0 {
        block.registration(index).read(body)
      }
    }

    /// Returns the registration for a key, borrowed: valid while the calling thread stays pinned.
    func find(_ key: RawKey) -> BorrowedRegistration? {
      if key.name == nil { return find(first: key.first, second: key.second) }
      guard let raw = di_load(di_table_word(shared)) else { return nil }
      let block = Block(raw: raw)
      return block.index(of: key).map { block.registration($0) }
    }
  }

  private var block: Block? { di_load(word).map(Block.init) }

  /// The result of storing a registration.
  enum Stored {
    /// It was stored, and displaced this one, if any.
    case instead(of: Registration?)
    /// Another one keeps the key.
    case not
  }

  /// Stores a registration under its key, unless `keep` returns true for the one that has the key.
  ///
  /// `mayBeNew`: whether it is also stored if none has the key.
  func set(
    _ registration: Registration, mayBeNew: Bool, unless keep: (Registration) -> Bool
  ) -> Stored {
    let key = registration.key.rawKey
    if let block, let index = block.index(of: key) {
      // Writers are exclusive here: the present entry stays.
      let present = Unmanaged<Registration>.fromOpaque(
        di_load(block.entryValue(index)).unsafelyUnwrapped)
      if present._withUnsafeGuaranteedRef(keep) { return .not }
      _ = di_exchange(block.entryValue(index), Unmanaged.passRetained(registration).toOpaque())
      return .instead(of: present.takeRetainedValue())
    }
    guard mayBeNew else { return .not }
    roomyBlock().insert(key, Unmanaged.passRetained(registration).toOpaque())
    return .instead(of: nil)
  }

  /// Keeps the contents of an empty table apart from it, so that another one can take them.
  func useOwnMemory() { shared.pointee.is_first_block_used = true }

  /// Takes the contents of a table that no reader uses, in place of its own.
  ///
  /// - Returns: A closure that frees the former contents; call it once readers have left.
  func takeContents(of other: RegistrationTable) -> () -> Void {
    let former = block
    di_store(word, di_load(other.word))
    di_store(other.word, nil)
    guard let block = former else { return {} }
    let table = self
    return {
      block.releaseAll()
      table.freeWithOutgrown(block)
    }
  }

  private func roomyBlock() -> Block {
    guard let block else {
      // The block in the table is used only once: a reader may still use it afterwards.
      let isFresh = !shared.pointee.is_first_block_used
      let first =
        isFresh
        ? Block(zeroed: di_table_first_block(shared), capacity: 8) : Block.make(capacity: 8)
      shared.pointee.is_first_block_used = true
      di_publish(word, first.raw)
      return first
    }
    if !block.isFull { return block }
    let larger = Block.make(capacity: (block.mask + 1) * 2)
    for index in 0...block.mask {
      let entry = block.entry(index)
      if entry[0] != 0 {
        larger.insert(first: entry[0], second: entry[1], di_load(block.entryValue(index))!)
      }
    }
    larger.outgrown = block
    di_store(word, larger.raw)
    return larger
  }

  private func freeWithOutgrown(_ block: Block) {
    block.freeWithOutgrown { if $0 != di_table_first_block(shared) { $0.deallocate() } }
  }

  private struct Block: ProbedBlock {
    static var entryWords: Int { 3 }
    let raw: UnsafeMutableRawPointer

    @inline(__always)
    func entryValue(_ index: UInt) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
      UnsafeMutableRawPointer(entry(index) + 2)
        .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    @inline(__always)
    func registration(_ index: UInt) -> BorrowedRegistration {
      BorrowedRegistration(at: di_load(entryValue(index)))
    }

    func index(of key: RawKey) -> UInt? {
      var index = start(key.first ^ key.second)
      while true {
        let first = di_load_word(entry(index))
        if first == 0 { return nil }
        if first == key.first, entry(index)[1] == key.second {
          if key.name == nil || registration(index).read({ $0.key.name == key.name }) {
            return index
          }
        }
        index = (index &+ 1) & mask
      }
    }

    func insert(_ key: RawKey, _ value: UnsafeMutableRawPointer) {
      insert(first: key.first, second: key.second, value)
    }

    func insert(first: UInt, second: UInt, _ value: UnsafeMutableRawPointer) {
      var index = start(first ^ second)
      while entry(index)[0] != 0 { index = (index + 1) & mask }
      entry(index)[1] = second
      di_publish(entryValue(index), value)
      di_store_word(entry(index), first)
      count += 1
    }

    func releaseAll() {
      var left = count
      var index: UInt = 0
      while left > 0 {
        if entry(index)[0] != 0 {
          Unmanaged<Registration>.fromOpaque(di_load(entryValue(index)).unsafelyUnwrapped).release()
          left -= 1
        }
        index &+= 1
      }
    }
  }
}

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
  ///
  /// Called in a read section, which it leaves.
  @inline(__always)
  func copyKept(_ thread: ThreadRecord, to out: InstanceMemory) -> Bool {
    read { $0.kept }.copy(thread, to: out)
  }
}
