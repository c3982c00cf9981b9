import Swinject
import SwinjectAutoregistration
import XCTest

// MARK: The app

final class PaymentAssembly: Assembly {
  func assemble(container: Container) {
    container.register(CardGateway.self) { _ in CardGateway() }
      .implements(PaymentGateway.self)
    container.register(PaymentGateway.self, name: "invoice") { r in
      InvoiceGateway(clock: r.resolve(StoreClock.self)!)
    }
    container.autoregister(StoreClock.self, initializer: SystemClock.init)
  }
}

final class ShopAssembly: Assembly {
  private(set) var isLoaded = false

  func assemble(container: Container) {
    container.register(Catalog.self) { _ in StoreCatalog() }.inObjectScope(.container)
    container.register(Mailer.self) { _ in SMTPMailer() }
    container.register(Cart.self) { _ in Cart() }.inObjectScope(.session)
    container.register(Order.self) { (_, id: Int, customer: String) in
      Order(id: id, customer: customer)
    }
    container.autoregister(Checkout.self, initializer: Checkout.init)
    container.register(Desk.self) { _ in Desk() }
      .initCompleted { r, desk in desk.office = r.resolve(Office.self)! }
    container.register(Office.self) { r in Office(desk: r.resolve(Desk.self)!) }
  }

  func loaded(resolver: Resolver) {
    isLoaded = resolver.resolve(PaymentGateway.self) != nil
  }
}

extension ObjectScope {
  static let session = ObjectScope(
    storageFactory: PermanentStorage.init, description: "session")
}

final class Checkout {
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
    let reference = try gateway.charge(price)
    mailer.instance.send("Receipt \(reference)")
  }
}

final class Desk {
  weak var office: Office?
}

final class Office {
  let desk: Desk
  init(desk: Desk) { self.desk = desk }
}

// MARK: Its tests

final class DoublesAssembly: Assembly {
  let gateway = FakeGateway()
  let mailer = SpyMailer()

  func assemble(container: Container) {
    container.register(PaymentGateway.self) { _ in self.gateway }
    container.register(Mailer.self) { _ in self.mailer }
  }
}

final class CheckoutTests: XCTestCase {
  private var container: Container!
  private var assembler: Assembler!
  private var doubles: DoublesAssembly!
  private let shop = ShopAssembly()

  override func setUp() {
    super.setUp()
    container = Container()
    doubles = DoublesAssembly()
    assembler = Assembler([PaymentAssembly(), shop, doubles], container: container)
  }

  override func tearDown() {
    assembler = nil
    container = nil
    super.tearDown()
  }

  private var checkout: Checkout { assembler.resolver.resolve(Checkout.self)! }

  func testChargesAndMails() throws {
    try checkout.buy("TEA-GREEN")
    XCTAssertEqual(doubles.gateway.charges, [6_50])
    XCTAssertEqual(doubles.mailer.sent, ["Receipt fake-650"])
  }

  func testADeclinedChargeMailsNothing() {
    container.register(PaymentGateway.self) { _ in DecliningGateway() }
    XCTAssertThrowsError(try checkout.buy("TEA-GREEN")) { XCTAssertTrue($0 is Declined) }
    XCTAssertEqual(doubles.mailer.sent, [])
  }

  func testADoubleOfTheConcreteTypeStandsForItsProtocol() throws {
    let container = Container()
    PaymentAssembly().assemble(container: container)
    // The protocol keeps the entry that it was forwarded to, so it is registered again, too.
    container.register(CardGateway.self) { _ in CardGateway(limit: 1_00) }
      .implements(PaymentGateway.self)
    XCTAssertThrowsError(try container.resolve(PaymentGateway.self)!.charge(6_50))
  }

  func testInvoicesHaveAGatewayOfTheirOwn() throws {
    container.register(StoreClock.self) { _ in StubClock() }
    let gateway = container.resolve(PaymentGateway.self, name: "invoice")
    XCTAssertEqual(try gateway?.charge(6_50), "invoice-2026-01-15-650")
  }

  func testAnOrderIsMadeFromArguments() {
    let order = container.resolve(Order.self, arguments: 1001, "ada@example.com")
    XCTAssertEqual(order, Order(id: 1001, customer: "ada@example.com"))
  }

  func testTheCatalogIsKeptUntilItsScopeIsReset() {
    let catalog = container.resolve(Catalog.self) as! StoreCatalog
    XCTAssertTrue(catalog === container.resolve(Catalog.self) as! StoreCatalog)
    container.resetObjectScope(.container)
    XCTAssertFalse(catalog === container.resolve(Catalog.self) as! StoreCatalog)
  }

  func testACartIsKeptForASession() {
    let cart = container.resolve(Cart.self)!
    XCTAssertTrue(cart === container.resolve(Cart.self))
    container.resetObjectScope(.session)
    XCTAssertFalse(cart === container.resolve(Cart.self))
  }

  func testAChildHasDoublesOfItsOwn() throws {
    let child = Container(parent: container)
    child.register(Catalog.self) { _ in StubCatalog(prices: ["MUG-BLUE": 1_00]) }
    try child.resolve(Checkout.self)!.buy("MUG-BLUE")
    try checkout.buy("MUG-BLUE")
    XCTAssertEqual(doubles.gateway.charges, [1_00, 12_00])
  }

  func testAKeptServiceHasNoDoubleOfAChild() throws {
    container.register(InvoiceGateway.self) { r in
      InvoiceGateway(clock: r.resolve(StoreClock.self)!)
    }.inObjectScope(.container)
    let child = Container(parent: container)
    child.register(StoreClock.self) { _ in StubClock() }
    // The parent first: whoever asks first builds it for both.
    for container in [container!, child] {
      let gateway = container.resolve(InvoiceGateway.self)!
      XCTAssertEqual(try gateway.charge(6_50), "invoice-2026-11-24-650")
    }
  }

  func testTheDeskAndItsOfficeKnowEachOther() {
    let office = container.resolve(Office.self)!
    XCTAssertTrue(office.desk.office === office)
  }

  func testWhatIsNotRegisteredIsNil() {
    XCTAssertNil(container.resolve(Voucher.self))
    XCTAssertNil(container.resolve(PaymentGateway.self, name: "voucher"))
    XCTAssertFalse(container.hasAnyRegistration(of: Voucher.self))
  }

  func testAProviderMakesACartAtEachUse() {
    container.register(Cart.self) { _ in Cart() }.inObjectScope(.transient)
    let provider = container.resolve(Provider<Cart>.self)!
    XCTAssertFalse(provider.instance === provider.instance)
  }

  func testTheWiringIsComplete() {
    XCTAssertTrue(shop.isLoaded)
    XCTAssertNotNil(container.resolve(PaymentGateway.self))
    XCTAssertNotNil(container.resolve(PaymentGateway.self, name: "invoice"))
    XCTAssertNotNil(container.resolve(Checkout.self))
    XCTAssertNotNil(container.resolve(Desk.self))
  }
}
