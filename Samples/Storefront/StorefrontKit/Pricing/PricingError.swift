/// The reason why an order has no price.
public enum PricingError: Error, Hashable, Sendable {
  /// The shop does not sell this product.
  case unknownSKU(SKU)

  /// The order costs more than can be counted.
  case amountTooLarge
}

extension PricingError: CustomStringConvertible {
  /// The reason as a sentence for the user, without a full stop.
  public var description: String {
    switch self {
    case .unknownSKU(let sku): "the shop does not sell \(sku)"
    case .amountTooLarge: "the amount is too large"
    }
  }
}
