import DITesting
import Shop
import Testing

@Suite(.sandbox, .recorded) struct CheckoutTests {
  @Test(.sandbox { $0.register { FakeGateway() as any PaymentGateway } })
  func mailsAReceipt() throws {
    let mailer = SpyMailer()
    Resolver.register { mailer as any Mailer }
    Resolver.register { StubCatalog(prices: ["TEA-GREEN": 6_50]) as any Catalog }

    try Checkout().buy("TEA-GREEN")

    #expect(mailer.sent == ["Receipt fake-650"])
    expectResolved((any PaymentGateway).self, times: 1)
    expectOnlyDoublesResolved()
  }
}
