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

// MARK: - Kept instances

/// An instance that a keeper keeps, strongly or weakly.
///
/// The last reference to it is released under no lock: the tear-down closure runs then.
@usableFromInline
final class KeptInstance {
  /// A closure that receives a released instance.
  typealias OnRelease = (Instance) -> Void

  /// The instance, if it is kept strongly.
  let strong: Instance?
  /// The keepers of the instances, if there is one for each parameter.
  let byParameter: ParameterKeepers?
  private weak var object: AnyObject?
  /// Whether a weakly kept instance is requested as another type than a class.
  private let isBoxed: Bool
  /// It changes only before the instance is kept, and while nobody else knows it.
  private var onRelease: OnRelease?

  init(_ instance: Instance, _ onRelease: OnRelease? = nil) {
    strong = instance
    byParameter = nil
    isBoxed = false
    self.onRelease = onRelease
  }

  init(_ byParameter: ParameterKeepers) {
    strong = nil
    self.byParameter = byParameter
    isBoxed = false
  }

  /// Creates a weak reference; fails for a value.
  init?(weakly instance: Instance) {
    guard let object = instance.classInstance else { return nil }
    strong = nil
    byParameter = nil
    isBoxed = object !== instance.object
    self.object = object
  }

  deinit {
    if let strong, let onRelease { onRelease(strong) }
  }

  /// Drops the tear-down closure of an instance that no keeper keeps.
  func dropOnRelease() { onRelease = nil }

  /// An object that keeps the instance alive, and exists as long as the instance does.
  var evidence: AnyObject? { strong == nil ? object ?? byParameter?.evidence : self }

  /// The form in which it can be kept again: of instances by parameter those that there are now.
  var saved: KeptInstance { byParameter.map { KeptInstance($0.copy) } ?? self }

  /// Returns the instance of a type; nil if it no longer exists, or is of the type on its actor
  /// only.
  func instance(of type: Any.Type) -> Instance? {
    if let strong { return strong }
    guard let object else { return nil }
    if !isBoxed { return Instance(object: object) }
    func cast<Service>(_ type: Service.Type) -> Instance? {
      (object as? Service).map { Instance($0) }
    }
    return cast(type)
  }

  @usableFromInline
  func value<Service>(as type: Service.Type) -> Service? {
    instance(of: type)?.value(as: type)
  }
}
