import DITesting
import XCTest

// MARK: The app

// In an app, `registerAllServices` calls it. The root package links all of its tests into one
// process, and there another suite has that function.
extension Resolver {
  fileprivate static func registerShop() {
    register { StoreCatalog() as any Catalog }
      .scope(.application)
    register { CardGateway() }
      .implements((any PaymentGateway).self)
    register(name: .invoice) { InvoiceGateway(clock: resolve()) as any PaymentGateway }
    register { SMTPMailer() as any Mailer }
    register { SystemClock() as any StoreClock }
    register { Cart() }
      .scope(.session)
    register { _, args in Order(id: args("id"), customer: args("customer")) }
    register { Checkout() }
  }
}

extension Resolver.Name {
  fileprivate static let invoice = Self("invoice")
}

extension ResolverScope {
  fileprivate static let session = ResolverScopeCache()
}

private final class Checkout {
  @Injected private var catalog: any Catalog
  @Injected private var gateway: any PaymentGateway
  @LazyInjected private var mailer: any Mailer
  @OptionalInjected private var voucher: Voucher?

  func buy(_ sku: String) throws {
    guard let price = catalog.price(of: sku) else { throw UnknownProduct(sku: sku) }
    let reference = try gateway.charge(price - (voucher?.cents ?? 0))
    mailer.send("Receipt \(reference)")
  }
}

private final class InvoiceDesk: Resolving {
  private lazy var gateway: any PaymentGateway = resolver.resolve(name: .invoice)

  func invoice(_ cents: Int) throws -> String { try gateway.charge(cents) }
}

// MARK: Its tests

extension Resolver {
  // Follows the root, which every sandbox has for itself.
  fileprivate static var mock: Resolver! {
    get { root }
    set { root = newValue }
  }
}

// The sandbox takes back what a test did, so there is nothing to reset and no `tearDown`.
final class ResolverAfterTests: SandboxTestCase {
  private var gateway: FakeGateway!
  private var mailer: SpyMailer!

  override func setUp() {
    super.setUp()
    gateway = FakeGateway()
    mailer = SpyMailer()
    // What the app sets up is live, in whichever order it and the doubles are registered.
    Resolver.production { Resolver.registerShop() }
    Resolver.register { self.gateway as any PaymentGateway }
    Resolver.register { self.mailer as any Mailer }
  }

  func testChargesAndMails() throws {
    try Checkout().buy("TEA-GREEN")
    XCTAssertEqual(gateway.charges, [6_50])
    XCTAssertEqual(mailer.sent, ["Receipt fake-650"])
  }

  func testADeclinedChargeMailsNothing() {
    Resolver.register { DecliningGateway() as any PaymentGateway }
    XCTAssertThrowsError(try Checkout().buy("TEA-GREEN")) { XCTAssertTrue($0 is Declined) }
    XCTAssertEqual(mailer.sent, [])
  }

  func testAnUnknownProductIsNotCharged() {
    XCTAssertThrowsError(try Checkout().buy("TEA-BLACK")) {
      XCTAssertEqual($0 as? UnknownProduct, UnknownProduct(sku: "TEA-BLACK"))
    }
    XCTAssertEqual(gateway.charges, [])
  }

  func testInvoicesHaveAGatewayOfTheirOwn() throws {
    Resolver.register { StubClock() as any StoreClock }
    XCTAssertEqual(try InvoiceDesk().invoice(6_50), "invoice-2026-01-15-650")
    Resolver.register(name: .invoice) { FakeGateway() as any PaymentGateway }
    XCTAssertEqual(try InvoiceDesk().invoice(6_50), "fake-650")
    XCTAssertEqual(gateway.charges, [])
  }

  func testAnOrderIsMadeFromArguments() {
    let order: Order = Resolver.resolve(args: ["id": 1001, "customer": "ada@example.com"])
    XCTAssertEqual(order, Order(id: 1001, customer: "ada@example.com"))
  }

  func testACartIsKeptForASession() {
    let cart: Cart = Resolver.resolve()
    XCTAssertTrue(cart === Resolver.resolve(Cart.self))
    ResolverScope.session.reset()
    XCTAssertFalse(cart === Resolver.resolve(Cart.self))
  }

  func testAStubReplacesOneThatIsKept() throws {
    Resolver.register { StubCatalog(prices: ["TEA-GREEN": 7_00]) as any Catalog }
      .scope(.application)
    try Checkout().buy("TEA-GREEN")
    // Registering forgets what was kept: the scope need not be reset.
    Resolver.register { StubCatalog(prices: ["TEA-GREEN": 8_00]) as any Catalog }
      .scope(.application)
    try Checkout().buy("TEA-GREEN")
    XCTAssertEqual(gateway.charges, [7_00, 8_00])
  }

  func testAVoucherMayBeMissing() throws {
    XCTAssertNil(Resolver.optional(Voucher.self))
    try Checkout().buy("TEA-GREEN")
    Resolver.register { Voucher(cents: 50) }
    try Checkout().buy("TEA-GREEN")
    XCTAssertEqual(gateway.charges, [6_50, 6_00])
  }

  func testTheMailerIsResolvedWhenItIsUsed() throws {
    let checkout = Checkout()
    let late = SpyMailer()
    Resolver.register { late as any Mailer }
    try checkout.buy("TEA-GREEN")
    XCTAssertEqual(mailer.sent, [])
    XCTAssertEqual(late.sent, ["Receipt fake-650"])
  }

  func testAMockContainerStandsBeforeMain() throws {
    Resolver.mock = Resolver(child: .main)
    Resolver.mock.register { StubCatalog(prices: ["MUG-BLUE": 1_00]) as any Catalog }
    try Resolver.resolve(Checkout.self).buy("MUG-BLUE")
    XCTAssertEqual(gateway.charges, [1_00])
    XCTAssertEqual(Resolver.main.resolve((any Catalog).self).price(of: "MUG-BLUE"), 12_00)
  }
}
