// A service can have an instance for each parameter of its requests (`scopeOnParameters`). The
// keeper that a request finds then has keepers of its own, one for each parameter: they are reset
// and released with it, wherever it is.

/// The keepers by parameter of one keeper.
///
/// Parameters are the user's values: they are hashed, compared and released with no lock held. A
/// keeper remains as long as a request holds it: the requests that wait for an instance, and later
/// ones, must share one, even if a build failed or its instance was forgotten.
final class ParameterKeepers: Sendable {
  private struct Entry {
    let parameter: AnyHashable
    var keeper: Keeper
  }

  private struct ParameterTable {
    /// By the parameter's hash at the first request; the user's code may return another one later.
    var entries: [Int: [Entry]] = [:]
    /// The number of hashes at which all entries are removed that are of no further use.
    var limit = 32
  }

  private let state = Lock(ParameterTable())

  var all: [Keeper] { state.withLock { $0.entries.values.flatMap { $0.map(\.keeper) } } }

  /// One request's use of the keeper for a parameter, which ends with its `deinit`.
  final class Use {
    private let keepers: ParameterKeepers
    private let hash: Int
    private var held: Keeper?
    var keeper: Keeper { held! }

    init(_ keepers: ParameterKeepers, _ parameter: AnyHashable, orMake make: () -> Keeper) {
      self.keepers = keepers
      hash = parameter.hashValue
      held = keepers.keeper(for: parameter, hash, orMake: make)
    }

    deinit {
      held = nil
      releaseUnlocked(keepers.removeUnused(hash))
    }
  }

  private func keeper(
    for parameter: AnyHashable, _ hash: Int, orMake make: () -> Keeper
  ) -> Keeper {
    while true {
      let present = state.withLock { $0.entries[hash] ?? [] }
      if let known = present.first(where: { $0.parameter == parameter }) { return known.keeper }
      let made = make()
      let isAdded = state.withLock { state in
        // Another request may have added one for the parameter.
        let entries = state.entries[hash] ?? []
        guard entries.last?.keeper === present.last?.keeper else { return false }
        state.entries[hash] = entries + [Entry(parameter: parameter, keeper: made)]
        return true
      }
      if isAdded { return made }
    }
  }

  /// Removes the entries whose keepers nobody holds and that keep nothing: those at a hash, or all
  /// if there are many; the caller releases what it returns, under no lock.
  private func removeUnused(_ hash: Int? = nil) -> [Any] {
    state.withLock { state in
      var left: [Any] = []
      // Instances that were kept weakly, or reset, leave entries behind.
      let isFull = state.entries.count >= state.limit
      for hash in hash.flatMap({ isFull ? nil : [$0] }) ?? Array(state.entries.keys) {
        var entries = state.entries.removeValue(forKey: hash) ?? []
        for index in entries.indices.reversed()
        where isKnownUniquelyReferenced(&entries[index].keeper) {
          let evidence = BuildLock.withLock { entries[index].keeper.evidence() }
          left.append(evidence ?? entries.remove(at: index))
        }
        if !entries.isEmpty { state.entries[hash] = entries }
      }
      if isFull { state.limit = max(32, state.entries.count * 2) }
      return left
    }
  }

  /// Drops the kept instances; the caller releases them, under no lock.
  fileprivate func empty(isOfScopeReset: Bool) -> [Any] {
    let dropped: [Any] = all.flatMap { $0.empty(isOfScopeReset: isOfScopeReset) }
    return dropped + removeUnused()
  }
}

extension Keeper {
  /// Begins to use the keeper for a parameter of a request.
  func use(for parameter: AnyHashable) -> ParameterKeepers.Use {
    let own = BuildLock.withLock {
      if parameters == nil { parameters = ParameterKeepers() }
      return parameters!
    }
    return ParameterKeepers.Use(own, parameter) { Keeper(scope, type, isOfFrame: isOfFrame) }
  }

  var byParameter: [Keeper] { ownParameters?.all ?? [] }

  func forgetParameters() { releaseUnlocked(emptyParameters(isOfScopeReset: false)) }

  func emptyParameters(isOfScopeReset: Bool) -> [Any] {
    ownParameters?.empty(isOfScopeReset: isOfScopeReset) ?? []
  }

  private var ownParameters: ParameterKeepers? { BuildLock.withLock { parameters } }
}
