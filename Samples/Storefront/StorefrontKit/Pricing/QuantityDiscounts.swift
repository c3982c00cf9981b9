/// A discount that grows with the quantity of one product.
public struct QuantityDiscounts: DiscountPolicy, Sendable {
  /// Creates the policy.
  public init() {}

  /// Answers 5 percent from 10 pieces on and 10 percent from 50 on.
  public func percent(forQuantity quantity: Int) -> Int {
    switch quantity {
    case 50...: 10
    case 10...: 5
    default: 0
    }
  }
}
