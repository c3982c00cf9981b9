import DITesting
import StorefrontKit
import Testing

/// Single services of the shop, with everything around them doubled.
@Suite(
  .sandbox { _ in Resolver.production { Resolver.wireStorefront() } }, .boundaries,
  .solitary(Doubles.all))
struct SolitaryShopTests {
  private let order: Order = Order(
    id: "1001", customer: "ada@example.com", method: .card,
    items: [OrderItem(sku: "MUG", quantity: 3)], line: 1)

  @Test(
    "The pricer asks for each price and discount, and for shipping once",
    .sociable(real: (any Pricer).self))
  func pricer() throws {
    double(CatalogDouble.self).product.returns(Product("MUG", "Mug", Money(cents: 10_00)))
    double(DiscountPolicyDouble.self).percent.returns(50)
    double(ShippingPolicyDouble.self).price.returns(Money(cents: 5_00))

    let priced = try Resolver.resolve((any Pricer).self).price(order)

    #expect(priced.total == Money(cents: 15_00 + 3_00 + 5_00 + 1_00))
    expectCalled(double(DiscountPolicyDouble.self).percent, times: 1) { $0 == 3 }
    expectCalled(double(ShippingPolicyDouble.self).price, times: 1) { $0 == Money(cents: 15_00) }
  }

  @Test("The desk takes an order to the gateway of its method", .sociable(real: PaymentDesk.self))
  func desk() throws {
    let cards = double(PaymentGatewayDouble.self, name: .card)
    cards.charge.throws(.overLimit(.zero))
    let priced = PricedOrder(
      order: order, items: [], shipping: .zero, vat: .zero, total: Money(cents: 7_00))

    #expect(throws: PaymentError.overLimit(.zero)) {
      try Resolver.resolve(PaymentDesk.self).charge(priced)
    }

    expectCalled(cards.charge, times: 1) { $0.amount == Money(cents: 7_00) }
    expectNotCalled(double(PaymentGatewayDouble.self, name: .invoice).charge)
  }
}
