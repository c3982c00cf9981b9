import DITesting
import Shop
import XCTest

final class ShopXCTests: SandboxTestCase {
  override func registerDoubles(in root: Resolver) {
    wireShop()
    root.register { DecliningGateway() as any PaymentGateway }
  }

  func testNobodyIsMailedWhenTheChargeIsDeclined() {
    XCTAssertThrowsError(try Checkout().buy("TEA-GREEN"))
    expectResolved((any PaymentGateway).self, times: 1)
    expectNotResolved((any Mailer).self)
  }
}
