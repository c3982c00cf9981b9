/// The reason why a charge was declined.
public enum PaymentError: Error, Hashable, Sendable {
  /// The amount is over what one charge may be.
  case overLimit(Money)

  /// The customer would owe more than this.
  case overCredit(Money)
}

extension PaymentError: CustomStringConvertible {
  /// The reason as a sentence for the user, without a full stop.
  public var description: String {
    switch self {
    case .overLimit(let limit): "declined, the limit is \(limit) a charge"
    case .overCredit(let limit): "declined, the customer's credit is \(limit)"
    }
  }
}
