/// When kept instances were last asked for (`timeToLive`).
package final class ExpiryClock: Sendable {
  /// How much later it is taken to be than it is; tests bind it.
  @TaskLocal package static var ahead: Duration = .zero

  private let lastAsked = Lock(WeakTable<Slot, ContinuousClock.Instant>())

  package init() {}

  /// How many once-states it knows of.
  package var count: Int { lastAsked.withLock { $0.count } }

  /// Notes that an instance is in another place as well, and when it was last asked for.
  func note(_ slot: Slot, askedLikeThat base: Slot) {
    let left = lastAsked.withLock { table in table[base].map { table.set($0, for: slot) } }
    withExtendedLifetime(left) {}
  }

  /// Notes that an instance is asked for; says whether it was last asked for too long ago.
  package func isExpired(_ slot: Slot, after seconds: Double) -> Bool {
    let now = ContinuousClock.now + Self.ahead
    let (last, left) = lastAsked.withLock { ($0[slot], $0.set(now, for: slot)) }
    withExtendedLifetime(left) {}
    return last.map { now - $0 > .seconds(seconds) } ?? false
  }
}
