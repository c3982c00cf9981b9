import Boutique
import DITesting
import Testing

final class SpyMailer: Mailer {
  private(set) var sent: [String] = []
  func send(_ text: String) { sent.append(text) }
}

nonisolated struct StubPrices: PriceList {
  func price(of sku: String) -> Int? { 5_00 }
}

@Suite(.sandbox, .recorded) struct CartTests {
  @Test(.sandbox { $0.registerMain { SpyMailer() as any Mailer } })
  func mailsAReceipt() throws {
    Resolver.register { StubPrices() as any PriceList }
    #expect(CartModel().buy("HAT") == 5_00)
    let mailer = try #require(Resolver.root.resolve((any Mailer).self) as? SpyMailer)
    #expect(mailer.sent == [])
  }

  @Test(.layer { $0.double(\.window) { ShopWindow(sign: "closed") } })
  func showsTheSign() {
    let spy = SpyMailer()
    Resolver.registerMain { spy as any Mailer }
    let cart = CartModel()
    #expect(cart.buy("SCARF") == 19_00)
    #expect(cart.notice == "closed")
    #expect(spy.sent == ["Receipt 1900"])
  }

  @Test(.fallbackMain((any Mailer).self) { SpyMailer() })
  func aFallbackBelongsToTheMainActor() {
    #expect(CartModel().buy("SCARF") == 19_00)
    #expect(Resolver.resolve((any Mailer).self) is SpyMailer)
  }

  @Test(.sandbox { @MainActor root in root.register { SpyMailer() as any Mailer } })
  func aClosureMayBelongToTheMainActor() {
    #expect(Resolver.resolve((any Mailer).self) is SpyMailer)
  }

  @Test func waits() async throws {
    Resolver.register { Forecast("sun") }
    Container.shared.forecast.register { Forecast("snow") }
    let cart = CartModel()
    try await cart.look()
    #expect(cart.notice == "sun, snow")
  }

  @Test func aRequestFromElsewhereGetsTheDouble() async {
    Resolver.register { StubPrices() as any PriceList }
    let price = await Task { @concurrent in
      Resolver.resolve((any PriceList).self).price(of: "SCARF")
    }.value
    #expect(price == 5_00)
  }

  @Test func aLayerOfTheMainActor() {
    withLayer { layer in
      layer.double(\.till) { Till() }
      layer.registerMain { SpyMailer() as any Mailer }
    } operation: {
      #expect(CartModel().buy("SCARF") == 19_00)
    }
  }
}
