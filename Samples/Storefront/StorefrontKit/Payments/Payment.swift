/// A charge that went through.
public struct Payment: Hashable, Sendable {
  /// How it was made.
  public let method: PaymentMethod

  /// What was charged.
  public let amount: Money

  /// Who pays.
  public let customer: EmailAddress

  /// The number to ask the gateway about it by.
  public let reference: String

  /// The day by which an invoice is to be paid, or nil when it is paid already.
  public let due: CalendarDate?

  /// Creates a payment.
  public init(
    method: PaymentMethod, amount: Money, customer: EmailAddress, reference: String,
    due: CalendarDate? = nil
  ) {
    self.method = method
    self.amount = amount
    self.customer = customer
    self.reference = reference
    self.due = due
  }
}
