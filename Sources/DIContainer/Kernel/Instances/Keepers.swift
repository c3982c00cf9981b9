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
  /// The uses of the keepers by parameter, which have to be found again.
  private let uses: [ParameterKeepers.Use]

  init(_ keepers: [Keeper]) {
    uses = keepers.flatMap { $0.useAll() }
    saved = (keepers + uses.map(\.keeper)).compactMap { keeper in
      keeper.saved.map { (keeper, $0) }
    }
  }

  /// Keeps the instances again, and forgets what else the given keepers have.
  ///
  /// An instance that a reset of its scope has released meanwhile does not come back.
  /// What is kept now and was kept then is not without its instance for a moment.
  func restore(forgetting keepers: [Keeper]) {
    for (keeper, instance) in saved { keeper.restore(instance) }
    let restored = Set(saved.map(\.keeper.id))
    for keeper in keepers.flatMap({ [$0] + $0.byParameter })
    where !restored.contains(keeper.id) {
      keeper.restore(nil)
    }
    for use in uses { use.end() }
  }
}
