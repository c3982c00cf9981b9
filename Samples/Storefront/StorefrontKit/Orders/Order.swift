/// An order as the customer placed it.
public struct Order: Hashable, Sendable {
  /// The quantities that one item of an order may have.
  public static let quantities: ClosedRange<Int> = 1...10_000

  /// The identifier, unique within one source.
  public let id: String

  /// Who ordered, and who gets the receipt.
  public let customer: EmailAddress

  /// How the customer pays.
  public let method: PaymentMethod

  /// What was ordered, in the order given; no SKU stands here twice.
  public let items: [OrderItem]

  /// The line of the source on which the order stands, counted from 1.
  public let line: Int

  /// Creates an order.
  public init(
    id: String, customer: EmailAddress, method: PaymentMethod, items: [OrderItem], line: Int
  ) {
    self.id = id
    self.customer = customer
    self.method = method
    self.items = items
    self.line = line
  }
}
