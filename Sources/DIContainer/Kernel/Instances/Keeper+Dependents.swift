// Keepers that depend on another one, and are forgotten with it: those that containers and frames
// have in its place (`Keepers`), and those of decorations of its instance.

/// A keeper that depends on another one, which does not retain it.
struct Dependent {
  weak var keeper: Keeper?
  var isDecoration = false
}

extension Keeper {
  /// Returns an empty keeper for a frame or, without one, a container to use in place of this one.
  ///
  /// A frame's is not forgotten when the service is registered again: the frame may be another
  /// test's, and handles that itself.
  func makeReplacement(isOfFrame: Bool) -> Keeper {
    let own = Keeper(scope, type, isOfFrame: isOfFrame)
    add(own, Dependent(keeper: own))
    return own
  }

  func addDecorated(_ keeper: Keeper) {
    add(keeper, Dependent(keeper: keeper, isDecoration: true))
  }

  private func add(_ keeper: Keeper, _ dependent: Dependent) {
    releaseUnlocked(
      BuildLock.withLock { dependents.add(dependent, for: keeper.id, evidence: \.keeper) })
  }

  private typealias Living = (keeper: Keeper, isDecoration: Bool)

  /// The dependents that are alive; the caller releases them once it holds no lock.
  private func living() -> [Living] {
    dependents.all.compactMap { dependent in
      dependent.keeper.map { ($0, dependent.isDecoration) }
    }
  }

  /// The keeper, and those of the decorations of the instance, and of decorations of those.
  var withDecorated: [Keeper] {
    let all = BuildLock.withLock { living() }
    return [self] + all.filter(\.isDecoration).flatMap(\.keeper.withDecorated)
  }

  /// The keepers of the requested containers in place of this one.
  var ofContainers: [Keeper] {
    // Those of frames leave the lock before they are released. Which ones they are never changes.
    let all = BuildLock.withLock { living() }
    return all.filter { !$0.isDecoration && !$0.keeper.isOfFrame }.map(\.keeper)
  }

  /// Drops what depends on its registration, which was displaced.
  func retire() {
    for keeper in withDecorated where !keeper.scope.isPerSite {
      for keeper in [keeper] + keeper.ofContainers { keeper.forget() }
    }
  }

  /// Forgets what depends on it, in its `deinit`.
  func orphanDependents() {
    // Without the lock: no other thread can reach this keeper any more. Most have none of any kind.
    if dependents.isEmpty { return }
    for dependent in living() { dependent.keeper.orphan() }
  }

  /// Forgets its instance, and what depends on it, for good.
  private func orphan() {
    let dependents = BuildLock.withLock {
      isOrphaned = true
      return living()
    }
    forget()
    for dependent in dependents { dependent.keeper.orphan() }
  }
}
