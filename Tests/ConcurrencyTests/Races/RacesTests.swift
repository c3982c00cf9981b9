import Foundation
import TestSupport
import Testing

/// Random steps of threads that share a world.
///
/// For a longer run: `RACE_SEEDS=1-10000 RACE_ROUNDS=300`.
@Suite("Whatever threads do to the same containers at the same time", .serialized)
struct RacesTests {
  private static let seeds = randomSeeds(from: "RACE_SEEDS", or: 1...20)
  private static let rounds =
    ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap { Int($0) } ?? 40

  @Test("has the outcome of some order of all steps", .withoutMisuse)
  func outcomes() {
    for seed in Self.seeds {
      let race = Race(seed: seed)
      race.run(rounds: Self.rounds)
      for failure in race.failures { Issue.record("\(failure)") }
    }
  }
}
