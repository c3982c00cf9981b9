import Resolver
import XCTest

// MARK: The app

extension Resolver: ResolverRegistering {
  /// Called once, before the first request.
  public static func registerAllServices() {
    registerShop()
  }
}

extension Resolver {
  static func registerShop() {
    register { StoreCatalog() as Catalog }
      .scope(.application)
    register { CardGateway() }
      .implements(PaymentGateway.self)
    register(name: .invoice) { InvoiceGateway(clock: resolve()) as PaymentGateway }
    register { SMTPMailer() as Mailer }
    register { SystemClock() as StoreClock }
    register { Cart() }
      .scope(.session)
    register { _, args in Order(id: args("id"), customer: args("customer")) }
    register { Checkout() }
  }
}

extension Resolver.Name {
  static let invoice = Self("invoice")
}

extension ResolverScope {
  static let session = ResolverScopeCache()
}

final class Checkout {
  @Injected private var catalog: Catalog
  @Injected private var gateway: PaymentGateway
  @LazyInjected private var mailer: Mailer
  @OptionalInjected private var voucher: Voucher?

  func buy(_ sku: String) throws {
    guard let price = catalog.price(of: sku) else { throw UnknownProduct(sku: sku) }
    let reference = try gateway.charge(price - (voucher?.cents ?? 0))
    mailer.send("Receipt \(reference)")
  }
}

final class InvoiceDesk: Resolving {
  private lazy var gateway: PaymentGateway = resolver.resolve(name: .invoice)

  func invoice(_ cents: Int) throws -> String { try gateway.charge(cents) }
}

// MARK: Its tests

extension Resolver {
  static var mock: Resolver!
}

final class CheckoutTests: XCTestCase {
  private var gateway: FakeGateway!
  private var mailer: SpyMailer!

  override func setUp() {
    super.setUp()
    gateway = FakeGateway()
    mailer = SpyMailer()
    Resolver.reset()
    // Now, or it would overwrite the mocks at the first request.
    Resolver.registerServices?()
    Resolver.register { self.gateway as PaymentGateway }
    Resolver.register { self.mailer as Mailer }
  }

  override func tearDown() {
    Resolver.reset()
    ResolverScope.session.reset()
    super.tearDown()
  }

  func testChargesAndMails() throws {
    try Checkout().buy("TEA-GREEN")
    XCTAssertEqual(gateway.charges, [6_50])
    XCTAssertEqual(mailer.sent, ["Receipt fake-650"])
  }

  func testADeclinedChargeMailsNothing() {
    Resolver.register { DecliningGateway() as PaymentGateway }
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
    Resolver.register { StubClock() as StoreClock }
    XCTAssertEqual(try InvoiceDesk().invoice(6_50), "invoice-2026-01-15-650")
    Resolver.register(name: .invoice) { FakeGateway() as PaymentGateway }
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
    Resolver.register { StubCatalog(prices: ["TEA-GREEN": 7_00]) as Catalog }
      .scope(.application)
    try Checkout().buy("TEA-GREEN")
    Resolver.register { StubCatalog(prices: ["TEA-GREEN": 8_00]) as Catalog }
      .scope(.application)
    ResolverScope.application.reset()
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
    Resolver.register { late as Mailer }
    try checkout.buy("TEA-GREEN")
    XCTAssertEqual(mailer.sent, [])
    XCTAssertEqual(late.sent, ["Receipt fake-650"])
  }

  func testAMockContainerStandsBeforeMain() throws {
    Resolver.mock = Resolver(child: .main)
    Resolver.root = Resolver.mock
    Resolver.mock.register { StubCatalog(prices: ["MUG-BLUE": 1_00]) as Catalog }
    try Resolver.resolve(Checkout.self).buy("MUG-BLUE")
    XCTAssertEqual(gateway.charges, [1_00])
    XCTAssertEqual(Resolver.main.resolve(Catalog.self).price(of: "MUG-BLUE"), 12_00)
  }
}
