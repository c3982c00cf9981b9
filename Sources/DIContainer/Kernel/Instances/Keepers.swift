/// The keepers that one owner, a container or a frame, has in place of others; behind its lock.
///
/// A container has one for each registration that keeps an instance per requested container. A
/// frame with its own caches has one for each keeper that is used while it is in force.
typealias Keepers = PruningTable<UInt64, Keeper>

extension Keepers {
  subscript(base: Keeper) -> Keeper? { self[base.id] }

  /// Adds a keeper; returns those that it drops, for the caller to release under no lock.
  mutating func add(_ own: Keeper, for base: Keeper) -> [Keeper] {
    add(own, for: base.id) { keeper in
      BuildLock.withLock { keeper.isOrphaned } ? nil : keeper
    }.dropped
  }
}

/// The instances that `push` saved.
struct SavedInstances {
  private let saved: [(keeper: Keeper, instance: Keeper.Saved)]

  init(_ keepers: [Keeper]) {
    saved = keepers.flatMap(\.all).compactMap { keeper in keeper.saved.map { (keeper, $0) } }
  }

  /// Keeps the instances again, and forgets what else the given keepers have.
  ///
  /// An instance that a reset of its scope has released meanwhile does not come back.
  /// What is kept now and was kept then is not without its instance for a moment.
  func restore(forgetting keepers: [Keeper]) {
    for (keeper, instance) in saved { keeper.restore(instance) }
    let restored = Set(saved.map(\.keeper.id))
    for keeper in keepers.flatMap(\.all) where !restored.contains(keeper.id) {
      keeper.restore(nil)
    }
  }
}

/// A dictionary that drops the entries of no further use, whenever it has doubled.
struct PruningTable<Key: Hashable, Value> {
  private var entries: [Key: Value] = [:]
  private var limit = 32

  init() {}

  var isEmpty: Bool { entries.isEmpty }
  var all: [Value] { Array(entries.values) }

  subscript(key: Key) -> Value? { entries[key] }

  /// Adds an entry; returns what it dropped, and what it retained meanwhile, for the caller to
  /// release under no lock.
  ///
  /// `evidence` returns an object while an entry is of use.
  mutating func add(
    _ value: Value, for key: Key, evidence: (Value) -> AnyObject?
  ) -> (dropped: [Value], held: [AnyObject]) {
    var (dropped, held): ([Value], [AnyObject]) = ([], [])
    if entries.count >= limit {
      entries = entries.filter { _, value in
        let object = evidence(value)
        if let object { held.append(object) } else { dropped.append(value) }
        return object != nil
      }
      limit = max(32, entries.count * 2)
    }
    entries[key] = value
    return (dropped, held)
  }

  /// Removes all entries; returns them, for the caller to release under no lock.
  mutating func removeAll() -> [Value] { exchange(&self, with: PruningTable()).all }
}
