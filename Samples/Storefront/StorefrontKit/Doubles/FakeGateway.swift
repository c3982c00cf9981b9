/// A payment gateway that agrees to every charge and makes none.
public struct FakeGateway: PaymentGateway, Sendable {
  /// The method of the gateway that it stands in for.
  private let method: PaymentMethod

  /// Creates a fake for the gateway of a payment method.
  public init(method: PaymentMethod) {
    self.method = method
  }

  /// Answers a payment that was never made.
  public func charge(_ amount: Money, for order: Order) -> Payment {
    Payment(
      method: method, amount: amount, customer: order.customer,
      reference: "fake-\(method.rawValue)-\(order.id)")
  }
}
