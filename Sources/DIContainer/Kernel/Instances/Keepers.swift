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

// MARK: - Keepers that depend on another one

// Keepers that depend on another one, and are forgotten with it: its replacements, which containers
// and frames have in its place (`Keepers`) and retain, and those of what decorations make of its
// instance, which it retains.

extension Keeper {
  /// Returns an empty keeper for a frame or, without one, a container to use in place of this one.
  ///
  /// A frame's is not forgotten when the service is registered again: the frame may be another
  /// test's, and handles that itself.
  func newReplacement(isUnlisted: Bool) -> Keeper {
    let own = Keeper(scope, type, isUnlisted: isUnlisted)
    releaseUnlocked(
      BuildLock.withLock {
        replacements.add(Weak(value: own), for: own.id, evidence: \.value)
      })
    return own
  }

  /// The replacements that are alive; the caller releases them once it holds no lock.
  private func living() -> [Keeper] { replacements.all.compactMap(\.value) }

  /// The keepers of the requested containers in place of this one.
  var ofContainers: [Keeper] {
    // Those of frames leave the lock before they are released. Which ones they are never changes.
    let all = BuildLock.withLock { living() }
    return all.filter { !$0.isUnlisted }
  }

  /// Drops what depends on its registration, which was displaced.
  func retire() {
    if scope.isPerSite { return }
    for keeper in [self] + ofContainers { keeper.forget() }
  }

  /// Forgets what its replacements keep, in its `deinit`.
  func orphanReplacements() {
    // Without the lock: no other thread can reach this keeper any more. Most have none of any kind.
    if replacements.isEmpty { return }
    for replacement in living() {
      BuildLock.withLock { replacement.isOrphaned = true }
      replacement.forget()
    }
  }
}

// MARK: - Decorations

extension Keeper {
  /// Returns the keeper of what a decoration makes of the instance, and whether it was just made.
  func decorated(by decoration: UInt64, of type: Any.Type) -> (Keeper, isNew: Bool) {
    BuildLock.withLock {
      if let own = decorated[decoration] { return (own, false) }
      let own = Keeper(scope, type, isUnlisted: isUnlisted)
      decorated[decoration] = own
      return (own, true)
    }
  }

  func forgetDecorated(by decoration: UInt64) {
    releaseUnlocked(BuildLock.withLock { decorated.removeValue(forKey: decoration) })
  }

  /// The keepers of what decorations make of the instance.
  var allDecorated: [Keeper] { BuildLock.withLock { Array(decorated.values) } }

  /// The keeper, and those of what decorations make of its instance.
  var all: [Keeper] { [self] + allDecorated.flatMap(\.all) }
}
