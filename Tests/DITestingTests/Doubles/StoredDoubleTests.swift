import DITesting
import Testing

// Doubles in the stored properties of a suite are set-up that its tests share: not every test asks
// for each of them, nor makes each call that is stubbed. A report would fail these strict tests.

private let shop = Resolver.makeCashierShop()

@Suite(
  "A double in a stored property of a suite", .sandbox { _ in Resolver.root = shop },
  .strict(except: Cashier.self))
struct StoredDoubleTests {
  private let postbox = double(PostboxDouble())
  private let gateway: GatewayDouble = {
    let gateway = double(GatewayDouble())
    gateway.charge.returns("ref")
    return gateway
  }()

  @Test("is resolved and called in one test")
  func used() throws {
    try Resolver.resolve(Cashier.self).buy(6_50, for: "Ann")
    expectCalled(gateway.charge, times: 1)
    expectCalled(postbox.send, times: 1)
  }

  @Test("may be neither resolved nor called in another")
  func unused() {
    expectNotCalled(gateway.charge)
  }
}
