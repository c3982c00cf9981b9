// A service can have an instance for each parameter of its requests (`scopeOnParameters`). What its
// keeper keeps is then a table of keepers, one for each parameter: whatever forgets, saves or
// restores an instance does so with all of them at once.

/// The keepers by parameter of one keeper; the build lock guards them.
final class ParameterKeepers {
  typealias Entry = (parameter: AnyHashable, keeper: Keeper)

  /// By the parameter's hash at the first request; the user's code may return another one later.
  private var entries: [Int: [Entry]]

  init(_ entries: [Int: [Entry]] = [:]) { self.entries = entries }

  var copy: ParameterKeepers { ParameterKeepers(entries) }

  /// Returns an object to hold if an instance is kept for a parameter, as `Keeper.evidence`.
  var evidence: AnyObject? {
    for keeper in entries.values.joined().lazy.map(\.keeper) {
      if let evidence = keeper.evidence() { return evidence }
    }
    return nil
  }

  /// Returns the keeper for a parameter, which is the user's value: it is hashed and compared with
  /// no lock held.
  func keeper(for parameter: AnyHashable, orMake make: () -> Keeper) -> Keeper {
    let hash = parameter.hashValue
    while true {
      let known = BuildLock.withLock { entries[hash] ?? [] }
      if let entry = known.first(where: { $0.parameter == parameter }) { return entry.keeper }
      let made = make()
      let isAdded = BuildLock.withLock {
        // Another request may have added one for the parameter.
        if entries[hash, default: []].count != known.count { return false }
        entries[hash, default: []].append((parameter, made))
        return true
      }
      if isAdded { return made }
    }
  }
}

extension Keeper {
  /// Returns the keeper of the instance for a parameter.
  func keeper(for parameter: AnyHashable) -> Keeper {
    let (keepers, displaced) = BuildLock.withLock { keepParameters() }
    releaseUnlocked(displaced)
    joinScope()
    // Resets reach it through this keeper.
    return keepers.keeper(for: parameter) { Keeper(scope, type, isUnlisted: true) }
  }
}
