/// The desk that takes each order to the gateway for its payment method.
public struct PaymentDesk {
  /// The gateway for cards.
  private let card: any PaymentGateway

  /// The gateway for invoices.
  private let invoice: any PaymentGateway

  /// Creates a desk with one gateway for each payment method.
  public init(card: any PaymentGateway, invoice: any PaymentGateway) {
    self.card = card
    self.invoice = invoice
  }

  /// Charges the total of an order, or throws when the gateway declines it.
  public func charge(_ priced: PricedOrder) throws(PaymentError) -> Payment {
    try gateway(for: priced.order.method).charge(priced.total, for: priced.order)
  }

  /// Picks the gateway for a payment method.
  private func gateway(for method: PaymentMethod) -> any PaymentGateway {
    switch method {
    case .card: card
    case .invoice: invoice
    }
  }
}
