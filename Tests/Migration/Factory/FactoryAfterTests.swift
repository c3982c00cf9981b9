import DICompatibility
import DITesting
import Testing

// MARK: The app

extension Container {
  fileprivate var catalog: Factory<any Catalog> { self { StoreCatalog() }.cached }
  fileprivate var gateway: Factory<any PaymentGateway> {
    self { CardGateway() }
      .onArg("fake-payments") { FakeGateway() }
  }
  fileprivate var mailer: Factory<any Mailer> { self { SMTPMailer() }.singleton }
  fileprivate var clock: Factory<any StoreClock> {
    self { SystemClock() }.onTest { StubClock() }
  }
  fileprivate var cart: Factory<Cart> { self { Cart() }.scope(.session) }
  fileprivate var order: ParameterFactory<Int, Order> {
    self { Order(id: $0, customer: "ada@example.com") }
  }
  fileprivate var voucher: Factory<Voucher?> { self { nil } }
  fileprivate var checkout: Factory<Checkout> { self { Checkout() } }
}

extension Scope {
  fileprivate static let session = Cached()
}

private final class Warehouse: SharedContainer {
  @TaskLocal static var shared = Warehouse()
  let manager = ContainerManager()
}

extension Warehouse {
  fileprivate var stock: Factory<[String: Int]> { self { ["TEA-GREEN": 40] } }
}

private final class Checkout {
  @Injected(\.catalog) private var catalog
  @Injected(\.gateway) private var gateway
  @LazyInjected(\.mailer) private var mailer
  @DynamicInjected(\.voucher) private var voucher
  @Injected(\Warehouse.stock) private var stock

  func buy(_ sku: String) throws {
    guard let price = catalog.price(of: sku), stock[sku, default: 0] > 0 else {
      throw UnknownProduct(sku: sku)
    }
    let reference = try gateway.charge(price - (voucher?.cents ?? 0))
    mailer.send("Receipt \(reference)")
  }
}

private final class InvoiceDesk {
  private let gateway: any PaymentGateway

  init(container: Container) { gateway = container.gateway() }

  func invoice(_ cents: Int) throws -> String { try gateway.charge(cents) }
}

// MARK: Its tests

// The trait for `Warehouse` is gone: a sandbox covers every container.
@Suite(.container) struct FactoryAfterTests {
  let gateway = FakeGateway()
  let mailer = SpyMailer()

  init() {
    Container.shared.gateway.register { [gateway] in gateway }
    Container.shared.mailer.register { [mailer] in mailer }
  }

  @Test func chargesAndMails() throws {
    try Checkout().buy("TEA-GREEN")
    #expect(gateway.charges == [6_50])
    #expect(mailer.sent == ["Receipt fake-650"])
  }

  @Test func aDeclinedChargeMailsNothing() {
    Container.shared.gateway.register { DecliningGateway() }
    #expect(throws: Declined.self) { try Checkout().buy("TEA-GREEN") }
    #expect(mailer.sent == [])
  }

  @Test func whatIsSoldOutIsNotCharged() {
    Warehouse.shared.stock.register { [:] }
    #expect(throws: UnknownProduct.self) { try Checkout().buy("TEA-GREEN") }
    #expect(gateway.charges == [])
  }

  @Test func aVoucherIsLookedUpAtEachPurchase() throws {
    let checkout = Container.shared.checkout()
    try checkout.buy("TEA-GREEN")
    Container.shared.voucher.register { Voucher(cents: 50) }
    try checkout.buy("TEA-GREEN")
    #expect(gateway.charges == [6_50, 6_00])
  }

  @Test(arguments: [1001, 1002]) func anOrderTakesItsNumber(id: Int) {
    #expect(Container.shared.order(id) == Order(id: id, customer: "ada@example.com"))
  }

  @Test func aCartIsKeptForASession() {
    let cart = Container.shared.cart()
    #expect(cart === Container.shared.cart())
    Container.shared.manager.reset(scope: .session)
    #expect(cart !== Container.shared.cart())
  }

  @Test func timeStandsStillInTests() {
    #expect(Container.shared.clock().today == "2026-01-15")
    // A test's double wins over every context.
    Container.shared.clock.register { StubClock(today: "2026-12-24") }
    #expect(Container.shared.clock().today == "2026-12-24")
  }

  @Test func aLaunchArgumentChoosesTheFakeGateway() throws {
    Container.shared.gateway.reset()
    #expect(try InvoiceDesk(container: .shared).invoice(6_50) == "card-650")
    // The argument is this test's own: it need not be taken back.
    FactoryContext.setArg("fake-payments", forKey: "payments")
    #expect(try InvoiceDesk(container: .shared).invoice(6_50) == "fake-650")
  }

  @Test func aPushIsUndoneByAPop() throws {
    Container.shared.manager.push()
    Container.shared.catalog.register { StubCatalog(prices: ["TEA-GREEN": 7_00]) }
    try Checkout().buy("TEA-GREEN")
    Container.shared.manager.pop()
    try Checkout().buy("TEA-GREEN")
    #expect(gateway.charges == [7_00, 6_50])
  }

  @Test func aContainerCanBePassed() throws {
    let container = Container()
    container.gateway.register { DecliningGateway() }
    #expect(throws: Declined.self) { try InvoiceDesk(container: container).invoice(6_50) }
  }

  @Test func aDecoratorSeesWhatIsHandedOut() throws {
    nonisolated(unsafe) var seen = 0
    Container.shared.decorator { if $0 is any Catalog { seen += 1 } }
    try Checkout().buy("TEA-GREEN")
    #expect(seen == 1)
  }
}

@Suite(.container { $0.mailer.register { SpyMailer() } }) struct FactoryAfterReceiptTests {
  @Test func theMailerIsASpy() {
    #expect(Container.shared.mailer() is SpyMailer)
  }

  // What the suite registered holds for this test too.
  @Test(.container { $0.gateway.register { FakeGateway() } })
  func soItIsForATestWithDoublesOfItsOwn() throws {
    try Checkout().buy("TEA-GREEN")
    let mailer = try #require(Container.shared.mailer() as? SpyMailer)
    #expect(mailer.sent == ["Receipt fake-650"])
  }
}
