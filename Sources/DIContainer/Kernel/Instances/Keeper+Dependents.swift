// Keepers that depend on another one, and are forgotten with it: its replacements, which containers
// and frames have in its place (`Keepers`) and retain, and those of what decorations make of its
// instance, which it retains.

extension Keeper {
  /// Returns an empty keeper for a frame or, without one, a container to use in place of this one.
  ///
  /// A frame's is not forgotten when the service is registered again: the frame may be another
  /// test's, and handles that itself.
  func makeReplacement(isUnlisted: Bool) -> Keeper {
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
