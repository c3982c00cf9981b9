/// An item of an order with its price.
public struct PricedItem: Hashable, Sendable {
  /// What was ordered.
  public let product: Product

  /// How many of it.
  public let quantity: Int

  /// The discount in percent that was taken off.
  public let discountPercent: Int

  /// The price of all pieces after the discount, without VAT.
  public let net: Money

  /// The VAT on the net price.
  public let vat: Money

  /// Creates a priced item.
  public init(product: Product, quantity: Int, discountPercent: Int, net: Money, vat: Money) {
    self.product = product
    self.quantity = quantity
    self.discountPercent = discountPercent
    self.net = net
    self.vat = vat
  }
}
