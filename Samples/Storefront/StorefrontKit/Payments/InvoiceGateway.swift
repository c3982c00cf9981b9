/// The gateway that sends invoices.
public struct InvoiceGateway: PaymentGateway {
  /// The days that customers have to pay.
  public static let daysToPay: Int = 14

  /// The most that one customer may owe.
  private let limit: Money

  /// Where payments are kept.
  private let ledger: PaymentLedger

  /// What day it is.
  private let clock: any StoreClock

  /// Creates a gateway.
  public init(limit: Money, ledger: PaymentLedger, clock: any StoreClock) {
    self.limit = limit
    self.ledger = ledger
    self.clock = clock
  }

  /// Bills an amount, unless the customer would then owe more than the limit.
  public func charge(_ amount: Money, for order: Order) throws(PaymentError) -> Payment {
    guard let owed = try? ledger.owed(by: order.customer).adding(amount), owed <= limit else {
      throw .overCredit(limit)
    }
    let due = clock.today.adding(days: Self.daysToPay)
    return ledger.record(amount, by: .invoice, for: order, due: due)
  }
}
