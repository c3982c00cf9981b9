// How an order gets its price: `OrderPricer` looks each item up in the `Catalog`, takes off what
// the `DiscountPolicy` grants for its quantity, adds VAT at the product's rate, and adds what the
// `ShippingPolicy` asks for the goods. All prices are net; all amounts are `Money`, whole cents,
// whose arithmetic throws this error where `Int` would trap. Percentages round once per item.

/// The error of an amount that is too large to be counted in cents.
public struct AmountOverflow: Error, Hashable, Sendable {
  /// Creates the error.
  public init() {}
}
