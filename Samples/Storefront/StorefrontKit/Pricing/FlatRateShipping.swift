/// Shipping at one price, and free for large orders.
public struct FlatRateShipping: ShippingPolicy, Sendable {
  /// The price of a parcel, without VAT.
  public let rate: Money

  /// The net value of goods from which shipping is free.
  public let freeFrom: Money

  /// Creates the policy.
  public init(rate: Money, freeFrom: Money) {
    self.rate = rate
    self.freeFrom = freeFrom
  }

  /// Answers the rate, or nothing for goods of enough value.
  public func price(forGoods goods: Money) -> Money { goods >= freeFrom ? .zero : rate }
}
