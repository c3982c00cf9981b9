/// When kept instances were last asked for (`timeToLive`).
package final class ExpiryClock: Sendable {
  /// How much later it is taken to be than it is; tests bind it.
  @TaskLocal package static var ahead: Duration = .zero

  fileprivate struct Entry {
    weak var slot: Slot?
    var lastAsked: ContinuousClock.Instant
  }

  fileprivate struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// How many of them there may be before those of gone once-states are sorted out.
    var limit = 32
  }

  private let state = Lock(State())

  package init() {}

  /// How many once-states it knows of.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Notes that an instance is in another place as well, and when it was last asked for.
  func note(_ slot: Slot, askedLikeThat base: Slot) {
    let alive = state.withLock { state -> [Slot] in
      // Another once-state may have been where this one is.
      guard let entry = state.entries[ObjectIdentifier(base)], entry.slot === base else {
        return []
      }
      return state.add(slot, askedAt: entry.lastAsked)
    }
    withExtendedLifetime(alive) {}
  }

  /// Notes that an instance is asked for; says whether it was last asked for too long ago.
  package func isExpired(_ slot: Slot, after seconds: Double) -> Bool {
    let now = ContinuousClock.now + Self.ahead
    let id = ObjectIdentifier(slot)
    let (last, alive) = state.withLock { state -> (ContinuousClock.Instant?, [Slot]) in
      if let entry = state.entries[id], entry.slot === slot {
        state.entries[id]!.lastAsked = now
        return (entry.lastAsked, [])
      }
      return (nil, state.add(slot, askedAt: now))
    }
    withExtendedLifetime(alive) {}
    guard let last else { return false }
    return now - last > .seconds(seconds)
  }
}

extension ExpiryClock.State {
  /// Adds a once-state, and drops those that are gone if there are many.
  ///
  /// Answers those that it looked at: what is only held for a moment may have lost all others who
  /// held it, and has to go with no lock.
  fileprivate mutating func add(
    _ slot: Slot, askedAt lastAsked: ContinuousClock.Instant
  ) -> [Slot] {
    let alive = entries.count >= limit ? sortOut() : []
    entries[ObjectIdentifier(slot)] = ExpiryClock.Entry(slot: slot, lastAsked: lastAsked)
    return alive
  }

  private mutating func sortOut() -> [Slot] {
    let alive = entries.values.compactMap(\.slot)
    entries = entries.filter { $0.value.slot != nil }
    limit = max(32, entries.count * 2)
    return alive
  }
}
