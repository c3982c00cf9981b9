/// The catalog of this shop, which sells tea and what goes with it.
public final class StoreCatalog: Catalog {
  /// The products by code.
  private let products: [SKU: Product]

  /// Creates the catalog.
  public init() {
    let range = [
      Product("TEA-GREEN", "Green tea, 100 g", Money(cents: 6_50), vat: .reduced),
      Product("TEA-BLACK", "Black tea, 100 g", Money(cents: 5_80), vat: .reduced),
      Product("TEA-MINT", "Mint tea, 50 g", Money(cents: 3_95), vat: .reduced),
      Product("BOOK-TEA", "The Book of Tea", Money(cents: 12_90), vat: .reduced),
      Product("MUG-BLUE", "Mug, blue", Money(cents: 8_99)),
      Product("POT-1L", "Teapot, 1 l", Money(cents: 34_50)),
      Product("KETTLE", "Kettle", Money(cents: 59_99)),
    ]
    products = Dictionary(range.map { ($0.sku, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Finds a product, or returns nil when the shop does not sell it.
  public func product(for sku: SKU) -> Product? { products[sku] }
}
