@testable import DITesting
import Testing

private protocol Charges: Sendable {}
private struct LiveCharges: Charges {}
private struct FirstFake: Charges {}
private struct SecondFake: Charges {}
private final class Desk: @unchecked Sendable {
  @LazyInjected var payments: any Charges
}

// Each in a process of its own: elsewhere such a layer would answer other tests.

@Suite("A lazy wrapper whose owner was made under a layer of the process")
struct LazyForProcessTests {
  @Test("gets what is pushed on the process afterwards, and what is below when that is popped")
  func pushedAfterwards() async {
    await #expect(processExitsWith: .success) {
      Resolver.register { LiveCharges() as any Charges }
      let first = Resolver.push { $0.register { FirstFake() as any Charges } }
      let (desk, other) = (Desk(), Desk())
      let second = Resolver.push { $0.register { SecondFake() as any Charges } }
      #expect(await Task.detached { desk.payments is SecondFake }.value)
      #expect(desk.payments is SecondFake)
      Resolver.pop(second)
      #expect(desk.payments is FirstFake)
      #expect(other.payments is FirstFake)
      Resolver.pop(first)
    }
  }
}
