/// The book of payments that both gateways write into.
public final class PaymentLedger {
  /// All payments, oldest first.
  public private(set) var payments: [Payment] = []

  /// Creates an empty ledger.
  public init() {}

  /// Enters a payment, and numbers it.
  public func record(
    _ amount: Money, by method: PaymentMethod, for order: Order, due: CalendarDate? = nil
  ) -> Payment {
    let digits = String(payments.count + 1)
    let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let payment = Payment(
      method: method, amount: amount, customer: order.customer,
      reference: "\(method.rawValue)-\(number)", due: due)
    payments.append(payment)
    return payment
  }

  /// Adds up the open invoices of a customer.
  public func owed(by customer: EmailAddress) throws(AmountOverflow) -> Money {
    var sum = Money.zero
    for payment in payments where payment.customer == customer && payment.due != nil {
      sum = try sum.adding(payment.amount)
    }
    return sum
  }
}
