// How an order is paid: the `PaymentDesk` hands it to the `PaymentGateway` for its method, and gets
// a `Payment` or the reason why not. There are two gateways, told apart by name in the container,
// and both write into one `PaymentLedger`, which numbers payments and knows what customers owe. The
// gateways are simulated: they decide by their limits and charge nobody.

/// The gateway that charges cards.
public struct CardGateway: PaymentGateway {
  /// The most that one charge may be.
  private let limit: Money

  /// Where payments are kept.
  private let ledger: PaymentLedger

  /// Creates a gateway.
  public init(limit: Money, ledger: PaymentLedger) {
    self.limit = limit
    self.ledger = ledger
  }

  /// Charges a card, unless the amount is over the limit.
  public func charge(_ amount: Money, for order: Order) throws(PaymentError) -> Payment {
    guard amount <= limit else { throw .overLimit(limit) }
    return ledger.record(amount, by: .card, for: order)
  }
}
