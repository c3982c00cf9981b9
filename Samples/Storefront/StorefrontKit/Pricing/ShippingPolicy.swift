/// The rule for what shipping costs.
public protocol ShippingPolicy {
  /// Answers the price of shipping goods of this net value, without VAT.
  func price(forGoods goods: Money) -> Money
}
