import DITranquillity
import XCTest

// MARK: The app

final class PaymentPart: DIPart {
  static func load(container: DIContainer) {
    container.register { CardGateway() }
      .as(check: PaymentGateway.self, tag: Card.self) { $0 }
      .lifetime(.perRun(.strong))
    container.register(InvoiceGateway.init)
      .as(check: PaymentGateway.self, tag: Invoice.self) { $0 }
    container.register(SystemClock.init)
      .as(check: StoreClock.self) { $0 }
      .default()
  }
}

final class ShopFramework: DIFramework {
  static func load(container: DIContainer) {
    container.append(part: PaymentPart.self)
    container.register(StoreCatalog.init)
      .as(check: Catalog.self) { $0 }
      .lifetime(.single)
    container.register(SMTPMailer.init)
      .as(check: Mailer.self) { $0 }
    container.register(Cart.init)
      .lifetime(.custom(.session))
    container.register { Order(id: arg($0), customer: arg($1)) }
    container.register { Checkout(catalog: $0, gateway: by(tag: Card.self, on: $1), mailer: $2) }
      .injection(\.discounts) { many($0) }
    container.register(TeaDiscount.init).as(check: Discount.self) { $0 }
    container.register(MugDiscount.init).as(check: Discount.self) { $0 }
    container.register(Desk.init)
      .injection(cycle: true, \.office)
      .lifetime(.objectGraph)
    container.register(Office.init)
      .lifetime(.objectGraph)
  }
}

enum Card {}
enum Invoice {}

extension DIScope {
  static let session = DIScope(name: "session", storage: DICacheStorage())
}

protocol Discount {
  func discount(on sku: String) -> Int
}

final class TeaDiscount: Discount {
  func discount(on sku: String) -> Int { sku.hasPrefix("TEA") ? 50 : 0 }
}

final class MugDiscount: Discount {
  func discount(on sku: String) -> Int { sku.hasPrefix("MUG") ? 1_00 : 0 }
}

final class Checkout {
  var discounts: [Discount] = []
  private let catalog: Catalog
  private let gateway: PaymentGateway
  private let mailer: Lazy<Mailer>

  init(catalog: Catalog, gateway: PaymentGateway, mailer: Lazy<Mailer>) {
    self.catalog = catalog
    self.gateway = gateway
    self.mailer = mailer
  }

  func buy(_ sku: String) throws {
    guard let price = catalog.price(of: sku) else { throw UnknownProduct(sku: sku) }
    let reduced = discounts.reduce(price) { $0 - $1.discount(on: sku) }
    let reference = try gateway.charge(reduced)
    mailer.value.send("Receipt \(reference)")
  }
}

final class Desk {
  weak var office: Office?
}

final class Office {
  let desk: Desk
  init(desk: Desk) { self.desk = desk }
}

final class OrderScreen {
  var catalog: Catalog!
}

// MARK: Its tests

final class CheckoutTests: XCTestCase {
  private var container: DIContainer!
  private var gateway: FakeGateway!
  private var mailer: SpyMailer!

  override func setUp() {
    super.setUp()
    let gateway = FakeGateway()
    let mailer = SpyMailer()
    self.gateway = gateway
    self.mailer = mailer
    container = DIContainer()
    container.append(framework: ShopFramework.self)
    container.register { gateway }
      .as(check: PaymentGateway.self, tag: Card.self) { $0 }
      .test()
    container.register { mailer }
      .as(check: Mailer.self) { $0 }
      .test()
  }

  override func tearDown() {
    DIScope.session.clean()
    container = nil
    super.tearDown()
  }

  private var checkout: Checkout { container.resolve() }

  func testChargesAndMails() throws {
    try checkout.buy("TEA-GREEN")
    XCTAssertEqual(gateway.charges, [6_00])
    XCTAssertEqual(mailer.sent, ["Receipt fake-600"])
  }

  func testADeclinedChargeMailsNothing() {
    // A second `.test()` would be ambiguous, so this one goes into a child.
    let child = DIContainer(parent: container)
    child.register(DecliningGateway.init)
      .as(check: PaymentGateway.self, tag: Card.self) { $0 }
    let checkout: Checkout = child.resolve()
    XCTAssertThrowsError(try checkout.buy("TEA-GREEN")) { XCTAssertTrue($0 is Declined) }
    XCTAssertEqual(mailer.sent, [])
  }

  func testTagsChooseAGateway() throws {
    container.register { StubClock() }
      .as(check: StoreClock.self) { $0 }
      .test()
    let invoice: PaymentGateway = container.resolve(tag: Invoice.self)
    XCTAssertEqual(try invoice.charge(6_50), "invoice-2026-01-15-650")
    let card: PaymentGateway = container.resolve(tag: Card.self)
    XCTAssertEqual(try card.charge(6_50), "fake-650")
  }

  func testManyDiscountsApply() throws {
    try checkout.buy("MUG-BLUE")
    let discounts: [Discount] = container.resolveMany()
    XCTAssertEqual(discounts.count, 2)
    XCTAssertEqual(gateway.charges, [11_00])
  }

  func testAnOrderIsMadeFromArguments() {
    let order: Order = container.resolve(args: 1001, "ada@example.com")
    XCTAssertEqual(order, Order(id: 1001, customer: "ada@example.com"))
  }

  func testThereIsOneCatalog() {
    let catalog: StoreCatalog = container.resolve()
    XCTAssertTrue(catalog === container.resolve() as StoreCatalog)
    do {
      let next = DIContainer()
      next.append(framework: ShopFramework.self)
      XCTAssertTrue(catalog === next.resolve() as StoreCatalog)
    }
    // It stays for the process, and so for the tests that follow.
    container = DIContainer()
    container.append(framework: ShopFramework.self)
    XCTAssertTrue(catalog === container.resolve() as StoreCatalog)
  }

  func testACartIsKeptForASession() {
    let cart: Cart = container.resolve()
    XCTAssertTrue(cart === container.resolve() as Cart)
    DIScope.session.clean()
    XCTAssertFalse(cart === container.resolve() as Cart)
  }

  func testAChildHasDoublesOfItsOwn() throws {
    let child = DIContainer(parent: container)
    child.register { StubCatalog(prices: ["MUG-BLUE": 2_00]) }
      .as(check: Catalog.self) { $0 }
    try (child.resolve() as Checkout).buy("MUG-BLUE")
    try checkout.buy("MUG-BLUE")
    XCTAssertEqual(gateway.charges, [1_00, 11_00])
  }

  func testTheDeskAndItsOfficeKnowEachOther() {
    let office: Office = container.resolve()
    XCTAssertTrue(office.desk.office === office)
  }

  func testALazyMailerCanBeMadeByHand() throws {
    let late = SpyMailer()
    let checkout = Checkout(
      catalog: StoreCatalog(), gateway: gateway, mailer: Lazy { late })
    try checkout.buy("TEA-GREEN")
    XCTAssertEqual(late.sent, ["Receipt fake-650"])
  }

  func testAScreenIsGivenItsServices() {
    container.register(OrderScreen.self)
      .injection(\.catalog)
    let screen = OrderScreen()
    container.inject(into: screen)
    XCTAssertEqual(screen.catalog.price(of: "TEA-GREEN"), 6_50)
  }

  func testTheGraphIsValid() {
    XCTAssertTrue(container.makeGraph().checkIsValid())
  }
}
