import Testing

import DICompatibility
@testable import DIContainer
@testable import DITesting

// Whether a double was asked for is one fact about all forms of it: whatever is said about it
// before or after, in the sandbox that it was registered in, in one inside, or between push and
// pop.

private final class MarkDepot: SharedContainer {
  static let shared = MarkDepot()
  let manager = ContainerManager()
  var invoice: Factory<Basket> { self { Basket() } }
}

@Suite("Whether a double was asked for")
struct WasResolvedTests {
  /// What a test may do after it registered `depot.invoice`; `ask` asks for it once.
  private static let sequences: [(name: String, body: @Sendable (MarkDepot, () -> Void) -> Void)] =
    [
      (
        "context, ask, take back",
        {
          $0.invoice.onArg("unset") { Basket() }; $1(); $0.invoice.reset(.registration)
        }
      ),
      (
        "ask, take all back",
        {
          $1(); $0.manager.reset(options: .registration)
        }
      ),
      (
        "push, ask, reset, pop",
        {
          $0.manager.push(); $1(); $0.invoice.reset(); $0.manager.pop()
        }
      ),
      (
        "push, context, ask, pop",
        {
          $0.manager.push(); $0.invoice.onArg("unset") { Basket() }; $1(); $0.manager.pop()
        }
      ),
      (
        "push twice, ask, reset all, pop twice",
        { depot, ask in
          depot.manager.push()
          depot.manager.push()
          ask()
          depot.manager.reset()
          depot.manager.pop()
          depot.manager.pop()
        }
      ),
      (
        "ask, context inside",
        { depot, ask in
          ask(); inside { depot.invoice.onArg("unset") { Basket() } }
        }
      ),
      (
        "ask, push inside",
        { depot, ask in
          ask(); inside { depot.manager.push() }
        }
      ),
      (
        "push inside, ask",
        { depot, ask in
          inside {
            depot.manager.push(); ask()
          }
        }
      ),
      (
        "reset inside, ask",
        { depot, ask in
          inside {
            depot.manager.reset(options: .context); ask()
          }
        }
      ),
    ]

  /// Runs in a sandbox inside, which has nothing to report either.
  private static func inside(_ body: () -> Void) {
    let issues = findings(body)
    #expect(issues.isEmpty)
  }

  @Test("is known to every form of it", arguments: sequences.indices)
  func forms(sequence: Int) {
    let depot = MarkDepot()
    let issues = findings {
      depot.invoice.register { Basket() }
      Self.sequences[sequence].body(depot) { _ = depot.invoice() }
    }
    #expect(issues.isEmpty, "\(Self.sequences[sequence].name)")
  }

  @Test("is known to every form of one that was registered by type")
  func byType() {
    let depot = MarkDepot()
    let issues = findings {
      depot.register(Basket.self) { Basket() }
      Self.inside {
        depot.factory(Basket.self)?.scope(.cached)
        _ = depot.resolve(Basket.self) as Basket?
      }
    }
    #expect(issues.isEmpty)
  }
}
