/// The rule for who pays less.
public protocol DiscountPolicy {
  /// Answers the percentage to take off the price of this many of one product, 0 to 100.
  func percent(forQuantity quantity: Int) -> Int
}
