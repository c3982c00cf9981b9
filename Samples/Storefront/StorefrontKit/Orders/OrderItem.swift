/// A quantity of one product within an order.
public struct OrderItem: Hashable, Sendable {
  /// The product.
  public let sku: SKU

  /// How many of it, within ``Order/quantities``.
  public let quantity: Int

  /// Creates an item.
  public init(sku: SKU, quantity: Int) {
    self.sku = sku
    self.quantity = quantity
  }
}
