/// A service that takes customers' money.
public protocol PaymentGateway {
  /// Charges an amount for an order, or throws when it is declined.
  func charge(_ amount: Money, for order: Order) throws(PaymentError) -> Payment
}
