import DICompatibility
import DIContainer
import XCTest

// MARK: The app

private final class PaymentAssembly: Assembly {
  func assemble(container: Container) {
    container.register(CardGateway.self) { _ in CardGateway() }
      .implements((any PaymentGateway).self)
    container.register((any PaymentGateway).self, name: "invoice") { r in
      InvoiceGateway(clock: r.resolve((any StoreClock).self)!)
    }
    container.register(SystemClock.init).implements((any StoreClock).self)
  }
}

private final class ShopAssembly: Assembly {
  private(set) var isLoaded = false

  func assemble(container: Container) {
    container.register((any Catalog).self) { _ in StoreCatalog() }.inObjectScope(.container)
    container.register((any Mailer).self) { _ in SMTPMailer() }
    container.register(Cart.self) { _ in Cart() }.inObjectScope(.session)
    container.register(Order.self) { (_, id: Int, customer: String) in
      Order(id: id, customer: customer)
    }
    container.register(Checkout.init)
    container.register(Desk.self) { _ in Desk() }
      .initCompleted { r, desk in desk.office = r.resolve(Office.self)! }
    container.register(Office.self) { r in Office(desk: r.resolve(Desk.self)!) }
  }

  func loaded(resolver: Resolver) {
    isLoaded = resolver.resolve((any PaymentGateway).self) != nil
  }
}

extension ObjectScope {
  fileprivate static let session = ObjectScope(Scope.cache("session"))
}

private final class Checkout {
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
    let reference = try gateway.charge(price)
    mailer.instance.send("Receipt \(reference)")
  }
}

private final class Desk {
  weak var office: Office?
}

private final class Office {
  let desk: Desk
  init(desk: Desk) { self.desk = desk }
}

// MARK: Its tests

private final class DoublesAssembly: Assembly {
  let gateway = FakeGateway()
  let mailer = SpyMailer()

  func assemble(container: Container) {
    container.register((any PaymentGateway).self) { _ in self.gateway }
    container.register((any Mailer).self) { _ in self.mailer }
  }
}

// A container that `setUp` makes is the test's own, so no sandbox is needed.
final class SwinjectAfterTests: XCTestCase {
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
    container.register((any PaymentGateway).self) { _ in DecliningGateway() }
    XCTAssertThrowsError(try checkout.buy("TEA-GREEN")) { XCTAssertTrue($0 is Declined) }
    XCTAssertEqual(doubles.mailer.sent, [])
  }

  func testADoubleOfTheConcreteTypeStandsForItsProtocol() throws {
    let container = Container()
    PaymentAssembly().assemble(container: container)
    // The protocol follows whatever is registered for the type.
    container.register(CardGateway.self) { _ in CardGateway(limit: 1_00) }
    XCTAssertThrowsError(try container.resolve((any PaymentGateway).self)!.charge(6_50))
  }

  func testInvoicesHaveAGatewayOfTheirOwn() throws {
    container.register((any StoreClock).self) { _ in StubClock() }
    let gateway = container.resolve((any PaymentGateway).self, name: "invoice")
    XCTAssertEqual(try gateway.charge(6_50), "invoice-2026-01-15-650")
  }

  func testAnOrderIsMadeFromArguments() {
    let order = container.resolve(Order.self, arguments: 1001, "ada@example.com")
    XCTAssertEqual(order, Order(id: 1001, customer: "ada@example.com"))
  }

  func testTheCatalogIsKeptUntilItsScopeIsReset() {
    let catalog = container.resolve((any Catalog).self) as! StoreCatalog
    XCTAssertTrue(catalog === container.resolve((any Catalog).self) as! StoreCatalog)
    container.resetObjectScope(.container)
    XCTAssertFalse(catalog === container.resolve((any Catalog).self) as! StoreCatalog)
  }

  func testACartIsKeptForASession() {
    let cart = container.resolve(Cart.self)!
    XCTAssertTrue(cart === container.resolve(Cart.self))
    container.resetObjectScope(.session)
    XCTAssertFalse(cart === container.resolve(Cart.self))
  }

  func testAChildHasDoublesOfItsOwn() throws {
    let child = Container(parent: container)
    child.register((any Catalog).self) { _ in StubCatalog(prices: ["MUG-BLUE": 1_00]) }
    try child.resolve(Checkout.self)!.buy("MUG-BLUE")
    try checkout.buy("MUG-BLUE")
    XCTAssertEqual(doubles.gateway.charges, [1_00, 12_00])
  }

  func testAKeptServiceHasNoDoubleOfAChild() throws {
    container.register(InvoiceGateway.self) { r in
      InvoiceGateway(clock: r.resolve((any StoreClock).self)!)
    }.inObjectScope(.container)
    let child = Container(parent: container)
    child.register((any StoreClock).self) { _ in StubClock() }
    // In any order: the container that owns it builds it.
    for container in [child, container!] {
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
    XCTAssertNil(container.resolve((any PaymentGateway).self, name: "voucher"))
    XCTAssertFalse(container.hasAnyRegistration(of: Voucher.self))
  }

  func testAProviderMakesACartAtEachUse() {
    container.register(Cart.self) { _ in Cart() }.inObjectScope(.transient)
    let provider = container.resolve(Provider<Cart>.self)!
    XCTAssertFalse(provider.instance === provider.instance)
  }

  func testTheWiringIsComplete() throws {
    XCTAssertTrue(shop.isLoaded)
    // One line for all services; those that take arguments are made by their own tests.
    try assembler.validate(dryRun: true)
  }
}
