/// The list of what the shop sells.
public protocol Catalog {
  /// Finds a product, or returns nil when the shop does not sell it.
  func product(for sku: SKU) -> Product?
}
