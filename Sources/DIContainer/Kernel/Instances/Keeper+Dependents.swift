// Keepers that depend on another one, and are forgotten with it: those that containers and frames
// have in its place (`Keepers`), and those of decorations of its instance.

extension Keeper {
  /// Keepers that depend on another one, which does not retain them.
  struct Dependents {
    private struct Entry {
      weak var keeper: Keeper?
      /// The frame that has it in place of a site's keeper.
      weak var frame: ContextFrame?
    }

    private var entries = PruningTable<UInt64, Entry>()

    var isEmpty: Bool { entries.entries.isEmpty }

    /// The keepers that are alive; the caller releases them once it holds no lock.
    var alive: [Keeper] { entries.entries.values.compactMap(\.keeper) }

    /// All keepers with their frames; the caller releases them once it holds no lock.
    var withFrames: [(keeper: Keeper?, frame: ContextFrame?)] {
      entries.entries.values.map { ($0.keeper, $0.frame) }
    }

    /// Adds a keeper; returns objects that it retained, for the caller to release under no lock.
    mutating func add(_ keeper: Keeper, of frame: ContextFrame? = nil) -> [AnyObject] {
      entries.add(Entry(keeper: keeper, frame: frame), for: keeper.id, evidence: \.keeper).held
    }
  }

  /// Returns an empty keeper for a frame or, without one, a container to use in place of this one.
  ///
  /// A frame's is not forgotten when the service is registered again: the frame may be another
  /// test's, and handles that itself. But a site's is (`SharedKeepers.release`).
  func makeSubstitute(in frame: ContextFrame?) -> Keeper {
    let own = Keeper(scope, type, isOfContext: frame != nil)
    // References to the frame would be slower to count with a weak one.
    let noted = scope.isPerSite ? frame : nil
    let held = BuildLock.withLock { substitutes.add(own, of: noted) }
    withExtendedLifetime(held) {}
    return own
  }

  /// Adds the keeper of a decoration of the instance.
  func addDecorated(_ keeper: Keeper) {
    let held = BuildLock.withLock { decorated.add(keeper) }
    withExtendedLifetime(held) {}
  }

  /// The keeper, and those of the decorations of the instance, and of decorations of those.
  var withDecorated: [Keeper] {
    [self] + BuildLock.withLock { decorated.alive }.flatMap(\.withDecorated)
  }

  /// The keepers of the requested containers in place of this one.
  var ofContainers: [Keeper] {
    // Those of frames leave the lock before they are released. Which ones they are never changes.
    let all = BuildLock.withLock { substitutes.alive }
    return all.filter { !$0.isOfContext }
  }

  /// The frames that have a keeper in place of this one, which is a site's.
  var frames: [ContextFrame] {
    let all = BuildLock.withLock { substitutes.withFrames }
    return all.compactMap { $0.keeper == nil ? nil : $0.frame }
  }

  /// Drops what depends on its registration, which was displaced.
  func retire() {
    // A registration site's instance is released with the site's last registration.
    if scope.isPerSite { return }
    for keeper in withDecorated where !keeper.scope.isPerSite {
      for keeper in [keeper] + keeper.ofContainers { keeper.forget() }
    }
  }

  /// Forgets what depends on it, in its `deinit`.
  func leaveDependents() {
    // Without the lock: no other thread can reach this keeper any more. Most have none of any kind.
    if substitutes.isEmpty, decorated.isEmpty { return }
    for keeper in substitutes.alive + decorated.alive { keeper.leave() }
  }

  /// Forgets its instance, and what depends on it, for good.
  private func leave() {
    let dependents = BuildLock.withLock {
      isOrphaned = true
      return substitutes.alive + decorated.alive
    }
    forget()
    for keeper in dependents { keeper.leave() }
  }
}
