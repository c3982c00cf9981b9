/// A rate of value-added tax.
public enum VATRate: Hashable, Sendable {
  /// The rate for most goods and for shipping.
  case standard

  /// The rate for food and books.
  case reduced

  /// The rate in percent.
  public var percent: Int {
    switch self {
    case .standard: 20
    case .reduced: 10
    }
  }
}
