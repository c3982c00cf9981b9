/// An order with all that it costs.
public struct PricedOrder: Hashable, Sendable {
  /// The order.
  public let order: Order

  /// Its items with their prices, in the same order.
  public let items: [PricedItem]

  /// The price of shipping, without VAT.
  public let shipping: Money

  /// The VAT on the items and on shipping.
  public let vat: Money

  /// What the customer pays.
  public let total: Money

  /// Creates a priced order.
  public init(order: Order, items: [PricedItem], shipping: Money, vat: Money, total: Money) {
    self.order = order
    self.items = items
    self.shipping = shipping
    self.vat = vat
    self.total = total
  }
}
