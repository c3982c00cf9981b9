import DITesting
import Testing

@Suite("What a sandbox costs", .serialized)
struct SandboxCostTests {
  // A named type each would be too many: names tell the registrations apart.
  private static func app(_ count: Int) -> Resolver {
    Resolver { r in
      for number in 0..<count {
        r.register(name: Resolver.Name("\(number)")) { Basket() }
      }
      r.register { LivePayments() as any Payments }.scope(.cached)
    }
  }

  @Test("does not grow with the registrations of the app: nothing is copied")
  func isConstant() {
    let (small, large) = (Self.app(10), Self.app(10_000))
    func open(_ app: Resolver) -> Duration {
      ContinuousClock().measure {
        for _ in 0..<200 {
          withSandbox {
            app.register { FakePayments() as any Payments }
            precondition(app.resolve((any Payments).self).label == "fake")
          }
        }
      }
    }
    _ = (open(small), open(large))
    // The best of some rounds, since other tests run meanwhile. A copy of the registrations would
    // cost hundreds of times more.
    let ratio = (0..<8).map { _ in open(large) / open(small) }.min()!
    #expect(ratio < 10)
  }
}
