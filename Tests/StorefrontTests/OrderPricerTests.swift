import StorefrontKit
import Testing

/// What orders cost.
@Suite struct OrderPricerTests {
  /// A pricer over a catalog of three products, with the discounts of the shop.
  private let pricer: OrderPricer = OrderPricer(
    catalog: StubCatalog([
      Product("TEA", "Tea", Money(cents: 6_50), vat: .reduced),
      Product("MUG", "Mug", Money(cents: 8_99)),
      Product("GOLD", "Gold", Money(cents: .max / 5_000)),
    ]),
    discounts: QuantityDiscounts(),
    shipping: FlatRateShipping(rate: Money(cents: 4_90), freeFrom: Money(cents: 60_00)))

  /// An order of some items.
  private func order(_ items: (SKU, Int)...) -> Order {
    Order(
      id: "1001", customer: "ada@example.com", method: .card,
      items: items.map { OrderItem(sku: $0.0, quantity: $0.1) }, line: 1)
  }

  @Test("Each item is taxed at its own rate, and shipping at the standard rate")
  func addsUp() throws {
    let priced = try pricer.price(order(("TEA", 2), ("MUG", 1)))
    #expect(priced.items.map(\.net) == [Money(cents: 13_00), Money(cents: 8_99)])
    #expect(priced.items.map(\.vat) == [Money(cents: 1_30), Money(cents: 1_80)])
    #expect(priced.shipping == Money(cents: 4_90))
    #expect(priced.vat == Money(cents: 1_30 + 1_80 + 98))
    #expect(priced.total == Money(cents: 30_97))
  }

  @Test(arguments: [(1, 0), (9, 0), (10, 5), (49, 5), (50, 10), (10_000, 10)])
  func discountGrowsWithQuantity(quantity: Int, percent: Int) throws {
    let item = try #require(try pricer.price(order(("TEA", quantity))).items.first)
    #expect(item.discountPercent == percent)
    #expect(item.net.cents == 650 * quantity * (100 - percent) / 100)
  }

  @Test("The discount counts the pieces of one product, not those of the order")
  func discountIsPerProduct() throws {
    let priced = try pricer.price(order(("TEA", 9), ("MUG", 9)))
    #expect(priced.items.map(\.discountPercent) == [0, 0])
  }

  @Test(
    "Shipping is free from 60 euro on, after the discount", arguments: [(9, true), (10, false)])
  func freeShipping(teas: Int, isCharged: Bool) throws {
    #expect(try pricer.price(order(("TEA", teas))).shipping.cents == (isCharged ? 4_90 : 0))
    let justEnough = FlatRateShipping(rate: Money(cents: 1), freeFrom: Money(cents: 60_00))
      .price(forGoods: Money(cents: 60_00))
    #expect(justEnough == .zero)
  }

  @Test func unknownSKU() {
    #expect(throws: PricingError.unknownSKU("COFFEE")) {
      try pricer.price(order(("TEA", 1), ("COFFEE", 1)))
    }
    #expect(PricingError.unknownSKU("COFFEE").description == "the shop does not sell COFFEE")
  }

  @Test("A total that cannot be counted is an error, not a trap", arguments: [1_000, 10_000])
  func tooLarge(quantity: Int) throws {
    #expect(throws: PricingError.amountTooLarge) {
      try pricer.price(order(("GOLD", quantity)))
    }
  }

  @Test("The shop sells tea, and no coffee")
  func storeCatalog() {
    let catalog = StoreCatalog()
    for sku: SKU in ["TEA-GREEN", "TEA-BLACK", "TEA-MINT", "BOOK-TEA", "MUG-BLUE", "KETTLE"] {
      #expect(catalog.product(for: sku)?.sku == sku)
    }
    #expect(catalog.product(for: "COFFEE") == nil)
  }
}

/// A catalog of a few products.
private struct StubCatalog: Catalog {
  /// The products.
  private let products: [Product]

  /// Creates a catalog.
  init(_ products: [Product]) {
    self.products = products
  }

  /// Finds a product.
  func product(for sku: SKU) -> Product? { products.first { $0.sku == sku } }
}
