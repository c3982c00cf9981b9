import Boutique
import DITesting
import XCTest

nonisolated final class CartXCTests: SandboxTestCase {
  override func registerDoubles(in root: Resolver) {
    root.registerMain { SpyMailer() as any Mailer }.scope(.cached)
  }

  @MainActor override func setUp() async throws {
    Resolver.register { StubPrices() as any PriceList }
  }

  @MainActor func testMailsAReceipt() async throws {
    XCTAssertEqual(CartModel().buy("HAT"), 5_00)
    let mailer = try XCTUnwrap(Resolver.resolve((any Mailer).self) as? SpyMailer)
    XCTAssertEqual(mailer.sent, ["Receipt 500"])
    expectResolved((any PriceList).self, times: 1)
  }

  @MainActor func testWaits() async throws {
    Resolver.register { Forecast("sun") }
    let cart = CartModel()
    try await cart.look()
    XCTAssertEqual(cart.notice, "sun, rain")
  }
}

nonisolated final class FallbackXCTests: SandboxTestCase {
  override var fallback: (@Sendable (ServiceKey) -> Any?)? {
    { key in
      key.type == (any Mailer).self ? MainActorDouble { SpyMailer() as any Mailer } : nil
    }
  }

  @MainActor func testAFallbackBelongsToTheMainActor() async {
    XCTAssertEqual(CartModel().buy("SCARF"), 19_00)
    XCTAssertTrue(Resolver.resolve((any Mailer).self) is SpyMailer)
  }
}
