import DICompatibility
import DITesting
import XCTest

// MARK: The app

private typealias DIContainer = Container

private final class PaymentPart: DIPart {
  static func load(container: DIContainer) {
    container.register { CardGateway() }
      .as(check: (any PaymentGateway).self, tag: Card.self) { $0 }
      .lifetime(.perRun(.strong))
    container.register(InvoiceGateway.init)
      .as(check: (any PaymentGateway).self, tag: Invoice.self) { $0 }
    container.register(SystemClock.init)
      .as(check: (any StoreClock).self) { $0 }
  }
}

private final class ShopFramework: DIFramework {
  static func load(container: DIContainer) {
    container.append(part: PaymentPart.self)
    container.register(StoreCatalog.init)
      .as(check: (any Catalog).self) { $0 }
      .lifetime(.single)
    container.register(SMTPMailer.init)
      .as(check: (any Mailer).self) { $0 }
    container.register(Cart.init)
      .lifetime(.custom(.session))
    container.register { Order(id: arg($0), customer: arg($1)) }
    container.register { Checkout(catalog: $0, gateway: by(tag: Card.self, on: $1), mailer: $2) }
      .injection(\.discounts) { many($0) }
    container.register(TeaDiscount.init).as(check: (any Discount).self) { $0 }
    container.register(MugDiscount.init).as(check: (any Discount).self) { $0 }
    container.register(Desk.init)
      .injection(cycle: true, \.office)
      .lifetime(.objectGraph)
    container.register(Office.init)
      .lifetime(.objectGraph)
  }
}

private enum Card {}
private enum Invoice {}

extension Scope {
  fileprivate static let session = Scope.cache("session")
}

private protocol Discount {
  func discount(on sku: String) -> Int
}

private final class TeaDiscount: Discount {
  func discount(on sku: String) -> Int { sku.hasPrefix("TEA") ? 50 : 0 }
}

private final class MugDiscount: Discount {
  func discount(on sku: String) -> Int { sku.hasPrefix("MUG") ? 1_00 : 0 }
}

private final class Checkout {
  var discounts: [any Discount] = []
  private let catalog: any Catalog
  private let gateway: any PaymentGateway
  private let mailer: Lazy<any Mailer>

  init(catalog: any Catalog, gateway: any PaymentGateway, mailer: Lazy<any Mailer>) {
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

private final class Desk {
  weak var office: Office?
}

private final class Office {
  let desk: Desk
  init(desk: Desk) { self.desk = desk }
}

private final class OrderScreen {
  @Injected var catalog: any Catalog
}

// MARK: Its tests

final class DITranquillityAfterTests: XCTestCase {
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
    // The last registration wins, so nothing has to be marked as a test's.
    container.register { gateway }
      .as(check: (any PaymentGateway).self, tag: Card.self) { $0 }
    container.register { mailer }
      .as(check: (any Mailer).self) { $0 }
  }

  override func tearDown() {
    Scope.session.reset()
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
    container.register(DecliningGateway.init)
      .as(check: (any PaymentGateway).self, tag: Card.self) { $0 }
    XCTAssertThrowsError(try checkout.buy("TEA-GREEN")) { XCTAssertTrue($0 is Declined) }
    XCTAssertEqual(mailer.sent, [])
  }

  func testTagsChooseAGateway() throws {
    container.register { StubClock() }
      .as(check: (any StoreClock).self) { $0 }
    let invoice: any PaymentGateway = container.resolve(tag: Invoice.self)
    XCTAssertEqual(try invoice.charge(6_50), "invoice-2026-01-15-650")
    let card: any PaymentGateway = container.resolve(tag: Card.self)
    XCTAssertEqual(try card.charge(6_50), "fake-650")
  }

  func testManyDiscountsApply() throws {
    try checkout.buy("MUG-BLUE")
    let discounts: [any Discount] = container.resolveMany()
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
    // It goes with the last container that holds its registration.
    container = DIContainer()
    container.append(framework: ShopFramework.self)
    XCTAssertFalse(catalog === container.resolve() as StoreCatalog)
  }

  func testACartIsKeptForASession() {
    let cart: Cart = container.resolve()
    XCTAssertTrue(cart === container.resolve() as Cart)
    Scope.session.reset()
    XCTAssertFalse(cart === container.resolve() as Cart)
  }

  func testAChildHasDoublesOfItsOwn() throws {
    let child = DIContainer(parent: container)
    child.register { StubCatalog(prices: ["MUG-BLUE": 2_00]) }
      .as(check: (any Catalog).self) { $0 }
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
    let lazy = Lazy<any Mailer>()
    lazy.wrappedValue = late
    let checkout = Checkout(catalog: StoreCatalog(), gateway: gateway, mailer: lazy)
    try checkout.buy("TEA-GREEN")
    XCTAssertEqual(late.sent, ["Receipt fake-650"])
  }

  func testAScreenIsGivenItsServices() {
    // The property finds its service by itself, in the root.
    let screen = withRoot(container) { OrderScreen() }
    XCTAssertEqual(screen.catalog.price(of: "TEA-GREEN"), 6_50)
  }

  func testTheGraphIsValid() {
    XCTAssertTrue(container.makeGraph().checkIsValid())
  }
}
