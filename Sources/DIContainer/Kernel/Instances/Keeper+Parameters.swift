internal import DIPrimitives

// A service can have an instance for each parameter of its requests (`scopeOnParameters`). The
// keeper that a request finds then has keepers of its own, one for each parameter: they are reset
// and released with it, wherever it is.

/// The keepers by parameter of one keeper.
///
/// Parameters are the user's values: they are hashed, compared and released with no lock held. An
/// entry remains as long as a request uses it: the requests that wait for an instance, and later
/// ones, must share one, even if a build failed or its instance was forgotten.
final class ParameterKeepers: Sendable {
  private struct Entry {
    let parameter: AnyHashable
    let keeper: Keeper
    /// The number of requests that use it now.
    var users = 1
  }

  /// One request's use of the keeper for a parameter, which lasts until `end`.
  struct Use {
    fileprivate let keepers: ParameterKeepers
    let keeper: Keeper
    /// The parameter's hash at the first request; the user's code may return another one later.
    fileprivate let hash: Int

    func end() { keepers.end(self) }
  }

  private struct State {
    var entries: [Int: [Entry]] = [:]
    /// The number of hashes at which all entries are removed for which nothing is kept any more.
    var limit = 32

    /// Removes the entries that no request uses, unless they are to remain.
    ///
    /// What was removed is to be released with no lock held.
    mutating func removeUnused(hash: Int? = nil, unless remains: (Keeper) -> Bool) -> [Entry] {
      var removed: [Entry] = []
      for hash in hash.map({ [$0] }) ?? Array(entries.keys) {
        entries[hash]?.removeAll { entry in
          if entry.users > 0 || remains(entry.keeper) { return false }
          removed.append(entry)
          return true
        }
        if entries[hash]?.isEmpty ?? false { entries[hash] = nil }
      }
      return removed
    }
  }

  private let state = Lock(State())

  var all: [Keeper] { state.withLock { $0.entries.values.flatMap { $0.map(\.keeper) } } }

  /// Begins to use the keeper for a parameter, which is made at the first use.
  func use(_ parameter: AnyHashable, orMake make: () -> Keeper) -> Use {
    let hash = parameter.hashValue
    while true {
      let present = state.withLock { $0.entries[hash] ?? [] }
      let known = present.first { $0.parameter == parameter }
      let keeper = known?.keeper ?? make()
      let isUsed = state.withLock { state in
        let entries = state.entries[hash] ?? []
        if known == nil {
          // Another request may have added one for the parameter.
          guard entries.last?.keeper === present.last?.keeper else { return false }
          state.entries[hash] = entries + [Entry(parameter: parameter, keeper: keeper)]
          return true
        }
        guard let index = entries.firstIndex(where: { $0.keeper === keeper }) else { return false }
        state.entries[hash]![index].users += 1
        return true
      }
      guard isUsed else { continue }
      return Use(keepers: self, keeper: keeper, hash: hash)
    }
  }

  /// Ends a request's use of a keeper, which is removed if it is unused and keeps nothing; so are
  /// all others, once there are many.
  fileprivate func end(_ use: Use) {
    var evidence: [AnyObject] = []
    let removed = state.withLock { state in
      let index = state.entries[use.hash]?.firstIndex { $0.keeper === use.keeper }
      if let index { state.entries[use.hash]![index].users -= 1 }
      // Instances that were kept weakly, or reset, leave entries behind.
      let isFull = state.entries.count >= state.limit
      defer { if isFull { state.limit = max(32, state.entries.count * 2) } }
      return state.removeUnused(hash: isFull ? nil : use.hash) { $0.isOccupied(&evidence) }
    }
    releaseUnlocked((removed, evidence))
  }

  /// Begins to use all keepers.
  fileprivate func useAll() -> [Use] {
    state.withLock { state in
      state.entries.flatMap { hash, entries in
        entries.indices.map { index in
          state.entries[hash]![index].users += 1
          return Use(keepers: self, keeper: entries[index].keeper, hash: hash)
        }
      }
    }
  }

  /// Drops the kept instances; the caller releases them, under no lock.
  fileprivate func empty(isReset: Bool) -> [Any] {
    let (removed, remaining) = state.withLock { state in
      let removed = state.removeUnused { $0.isBuilding }
      return (removed, state.entries.values.flatMap { $0.map(\.keeper) })
    }
    return removed + (removed.map(\.keeper) + remaining).flatMap { $0.empty(isReset: isReset) }
  }
}

extension Keeper {
  /// Begins to use the keeper for a parameter of a request.
  func use(for parameter: AnyHashable) -> ParameterKeepers.Use {
    let own = BuildLock.withLock {
      if parameters == nil { parameters = ParameterKeepers() }
      return parameters!
    }
    return own.use(parameter) { Keeper(scope, type, isOfFrame: isOfFrame) }
  }

  /// Begins to use the keepers of all parameters that requests have used.
  func useAll() -> [ParameterKeepers.Use] { ownParameters?.useAll() ?? [] }

  var byParameter: [Keeper] { ownParameters?.all ?? [] }

  func forgetParameters() {
    releaseUnlocked(emptyParameters(isReset: false))
  }

  func emptyParameters(isReset: Bool) -> [Any] { ownParameters?.empty(isReset: isReset) ?? [] }

  private var ownParameters: ParameterKeepers? { BuildLock.withLock { parameters } }
}
