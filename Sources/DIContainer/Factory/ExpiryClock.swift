/// The times at which kept instances were last requested, for `timeToLive`.
package final class ExpiryClock: Sendable {
  /// The time by which the clock is ahead of the real one; tests bind it.
  @TaskLocal package static var ahead: Duration = .zero

  // Made on first use: each registration of a property has a clock, and few have a time to live.
  private let lastAsked = Lock<WeakTable<Keeper, ContinuousClock.Instant>?>(nil)

  package init() {}

  /// The number of slots with a recorded time.
  package var count: Int { lastAsked.withLock { $0?.count ?? 0 } }

  /// Notes that an instance was copied to another slot, and copies its last request.
  func note(_ slot: Keeper, askedLikeThat base: Keeper) {
    let left = lastAsked.withLock { table in
      table?[base].map { table?.set($0, for: slot) }
    }
    withExtendedLifetime(left) {}
  }

  /// Notes a request for an instance; returns whether the previous one was too long ago.
  package func isExpired(_ slot: Keeper, after seconds: Double) -> Bool {
    let now = ContinuousClock.now + Self.ahead
    let (last, left) = lastAsked.withLock { table in
      if table == nil { table = WeakTable() }
      return (table?[slot], table?.set(now, for: slot))
    }
    withExtendedLifetime(left) {}
    return last.map { now - $0 > .seconds(seconds) } ?? false
  }
}
