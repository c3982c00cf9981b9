import DITesting
import Shop
import Testing

@Suite(.sandbox { _ in wireShop() }, .recorded) struct ShopTests {
  @Test(.layer { $0.decorate((any Mailer).self) { live in SpyMailer(live) } })
  func aSpyWrapsTheLiveMailer() throws {
    let writer: ReceiptWriter = Resolver.resolve()
    #expect(writer.mailer is SpyMailer)
  }

  @Test(arguments: ["TEA-GREEN", "NOTHING"])
  func mailsForWhatTheCatalogKnows(_ sku: String) {
    do {
      try Checkout().buy(sku)
      #expect(sku == "TEA-GREEN")
      expectResolved((any Mailer).self, times: 1)
    } catch {
      #expect(sku == "NOTHING")
      expectNotResolved((any Mailer).self)
    }
  }
}
