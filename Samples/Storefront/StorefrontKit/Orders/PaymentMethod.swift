/// A way to pay for an order.
public enum PaymentMethod: String, CaseIterable, Hashable, Sendable {
  /// Charged at once to the customer's card.
  case card

  /// Billed, and due some days later.
  case invoice
}
