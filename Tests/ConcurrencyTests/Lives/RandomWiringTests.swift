import DIContainer
import DITesting
import TestSupport
import Testing

/// Random wirings: what validating says of them, compared with what comes of asking.
///
/// For a longer run: `WIRING_SEEDS=1-100000`; `RULES_TRACE=1` prints each seed.
@Suite("Whatever is registered")
struct RandomWiringTests {
  static let seeds = randomSeeds(from: "WIRING_SEEDS", or: 1...40)

  @Test(
    "what fails when asked for was found by validating, which changes nothing", .withoutWarnings)
  func validating() {
    for seed in Self.seeds {
      let wiring = RandomWiring(seed: seed)
      wiring.build()
      if RulesModelTests.isTraced {
        RulesModelTests.trace("\(seed)\n\(wiring.log.joined(separator: "\n"))")
      }
      guard let fault = fault(of: wiring) else { continue }
      Issue.record("Seed \(seed):\n\(wiring.log.joined(separator: "\n"))\n\n\(fault)")
    }
  }

  private func fault(of wiring: RandomWiring) -> String? {
    switch wiring.roll(4) {
    case 0:
      return withSandbox {
        wiring.putDoubles()
        return wiring.fault()
      }
    case 1:
      return withRoot(wiring.shop) {
        withLayer {
          wiring.putDoubles($0)
        } operation: {
          wiring.fault()
        }
      }
    default:
      return wiring.fault()
    }
  }
}
