/// A service that finds out what orders cost.
public protocol Pricer {
  /// Prices an order, or throws when the shop cannot deliver it.
  func price(_ order: Order) throws(PricingError) -> PricedOrder
}
