internal import DIPrimitives

// Registrations that a container found in its nested containers, so that a request through a chain
// of containers costs one more probe, not a walk (five containers: 880 ns walking).
//
// Invariants:
// 1. An entry is valid while its `changes` equals `di_change_count()`: any change to any container
//    invalidates all entries of all containers, and the next request walks again. A registration
//    that was found while another was being registered is not remembered. So once a container has
//    returned a new registration, no other one returns that which it replaced.
// 2. Entries own nothing, so that a displaced registration is released at once. A reader that finds
//    an entry valid, inside a read section, may use its registration to the end of that section:
//    code that removes a registration from a container counts the change first, then waits for
//    readers, then releases it.
// 3. Writers hold the container's lock. They store an entry's key last and once. An entry that is
//    written again gets a later `changes` than it had. So if a reader saw a valid one before it
//    read the registration, either no writer was active at that time, or the registration is one
//    that was valid later: alive in both cases.
// 4. An outgrown block stays allocated until the container is deallocated.

/// The part that readers need: a single address.
struct NestedReader {
  fileprivate let word: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// Returns the registration found in a nested container for the words of a key.
  ///
  /// The result is borrowed: valid while the calling thread is pinned. A caller with a name has to
  /// compare it.
  @inline(__always)
  func find(first: UInt, second: UInt) -> BorrowedRegistration? {
    guard let raw = di_load(word) else { return nil }
    let block = NestedBlock(raw: raw)
    var index = block.start(first ^ second)
    while true {
      let entry = block.entry(index)
      let present = di_load_word(entry)
      if present == first, di_load_word(entry + 1) == second {
        guard di_load_word(entry + 2) == di_change_count() else { return nil }
        return BorrowedRegistration(
          at: UnsafeMutableRawPointer(bitPattern: di_load_word(entry + 3)))
      }
      if present == 0 { return nil }
      index = (index &+ 1) & block.mask
    }
  }

  /// Returns the registration found in a nested container for a key, borrowed: valid while the
  /// calling thread is pinned.
  func find(_ key: RawKey) -> BorrowedRegistration? {
    guard let found = find(first: key.first, second: key.second) else { return nil }
    let isRight = found.read { $0.key.name == key.name }
    return isRight ? found : nil
  }
}

/// A container's cache of registrations found in its nested containers.
final class NestedLookupCache {
  private let word: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: nil)
  }

  deinit {
    di_load(word).map(NestedBlock.init)?.freeWithOutgrown()
    word.deallocate()
  }

  var reader: NestedReader { NestedReader(word: word) }

  /// Remembers a registration that was found while the change count was `changes`.
  func remember(_ registration: Registration, _ key: RawKey, _ changes: UInt) {
    let block = roomyBlock()
    var index = block.start(key.first ^ key.second)
    while block.entry(index)[0] != 0 {
      if block.entry(index)[0] == key.first, block.entry(index)[1] == key.second { break }
      index = (index + 1) & block.mask
    }
    let entry = block.entry(index)
    guard entry[0] == 0 || entry[2] < changes else { return }
    let found = UInt(bitPattern: Unmanaged.passUnretained(registration).toOpaque())
    // Invalid for all readers while it is written.
    di_store_word(entry + 2, 0)
    di_store_word(entry + 1, key.second)
    di_store_word(entry + 3, found)
    di_store_word(entry + 2, changes)
    if entry[0] == 0 {
      di_store_word(entry, key.first)
      block.count += 1
    }
  }

  private func roomyBlock() -> NestedBlock {
    guard let block = di_load(word).map(NestedBlock.init) else {
      let first = NestedBlock.make(capacity: 8)
      di_store(word, first.raw)
      return first
    }
    if !block.isFull { return block }
    // All entries are copied, although invalid ones will only be written again.
    let larger = NestedBlock.make(capacity: (block.mask + 1) * 2)
    for index in 0...block.mask where block.entry(index)[0] != 0 {
      var free = larger.start(block.entry(index)[0] ^ block.entry(index)[1])
      while larger.entry(free)[0] != 0 { free = (free + 1) & larger.mask }
      larger.entry(free).update(from: block.entry(index), count: 4)
      larger.count += 1
    }
    larger.outgrown = block
    di_store(word, larger.raw)
    return larger
  }
}

/// A block of entries: the key's two words, the change count and the registration's address.
private struct NestedBlock: ProbedBlock {
  static var entryWords: Int { 4 }
  let raw: UnsafeMutableRawPointer
}
