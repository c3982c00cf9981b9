import DITesting
import StorefrontKit
import Testing

/// The whole shop, wired as the program wires it, with doubles for the outside world only.
@Suite(
  "The shop", .recorded, .boundaries,
  .sandbox { root in
    Resolver.wireStorefront()
    double(TerminalDouble())
    double(MailerDouble())
    root.register {
      StubClock(today: CalendarDate(year: 2026, month: 1, day: 15)) as any StoreClock
    }
  })
struct ShopTests {
  private var terminal: TerminalDouble { double(TerminalDouble.self) }
  private var mailer: MailerDouble { double(MailerDouble.self) }

  private func run(_ orders: StubOrders) throws -> RunReport {
    try Resolver.resolve(Shop.self).run(orders)
  }

  @Test("charges an order and mails the receipt")
  func receipt() throws {
    let report = try run(StubOrders("1001, ada@example.com, card, TEA-GREEN x 2; MUG-BLUE x 1"))
    #expect(report == RunReport(charged: 1))
    let receipt = try #require(mailer.send.calls.first)
    #expect(receipt.recipient == "ada@example.com")
    #expect(receipt.sender == "orders@storefront.example")
    #expect(receipt.body.first == "Order 1001 of 2026-01-15")
    #expect(receipt.body.last == "Paid by card, reference card-0001.")
    expectNotCalled(terminal.writeError)
    expectResolved((any Mailer).self, times: 1)
    expectResolved(inOrder: Shop.self, (any Pricer).self, PaymentDesk.self, (any Mailer).self)
    expectNotResolved((any OrderSource).self)
  }

  @Test("asks for the money of an invoice two weeks later")
  func invoice() throws {
    _ = try run(StubOrders("1002, orders@cafe.example, invoice, TEA-MINT x 12"))
    #expect(
      mailer.send.calls.map(\.body.last) == ["Please pay by 2026-01-29, reference invoice-0001."])
  }

  @Test("connects to no mail server before there is a receipt")
  func lazyMailer() throws {
    let report = try run(StubOrders("1001, ada@example.com, cash, TEA-GREEN x 2"))
    #expect(report == RunReport(malformed: 1))
    expectCalled(terminal.writeError, times: 1) { $0.hasPrefix("orders:1: ") }
    expectNotResolved((any Mailer).self)
  }

  @Test("declines what is over the limit, and goes on")
  func limit() throws {
    Resolver.register(name: .cardLimit) { Money(cents: 20_00) }
    let report = try run(
      StubOrders(
        "1001, ada@example.com, card, KETTLE x 1", "1002, ada@example.com, card, TEA-MINT x 1"))
    #expect(report == RunReport(charged: 1, declined: 1))
    #expect(mailer.send.calls.map(\.subject) == ["Your receipt for order 1002"])
    expectResolved(Money.self, name: .cardLimit, times: 1)
  }

  @Test("takes another catalog from a layer, asked by whatever container")
  func layer() throws {
    try withLayer {
      $0.register((any Pricer).self) { FreePricer() }
    } operation: {
      #expect(Resolver.core.resolve((any Pricer).self) is FreePricer)
      let report = try run(StubOrders("1001, ada@example.com, card, COFFEE x 1"))
      #expect(report == RunReport(charged: 1))
      expectResolved((any Pricer).self, times: 2)
    }
    #expect(Resolver.core.resolve((any Pricer).self) is OrderPricer)
  }

  @Test("charges through the live gateway, with a spy around it")
  func spy() throws {
    let gateway = PaymentGatewayDouble()
    try withLayer {
      $0.decorate((any PaymentGateway).self, name: .card) { live in
        gateway.charge.forwards(to: live.charge)
        return gateway
      }
    } operation: {
      _ = try run(StubOrders("1001, ada@example.com, card, TEA-GREEN x 2; MUG-BLUE x 1"))
    }
    expectCalled(gateway.charge, times: 1) { $0.amount == Money(cents: 30_97) }
    expectCalls(inOrder: gateway.charge, mailer.send)
  }

  @Test("goes on after a gateway that fails, and mails no receipt for it")
  func declined() throws {
    let gateway = double(PaymentGatewayDouble(), name: .card)
    gateway.charge.forwards(to: FakeGateway(method: .card).charge)
    gateway.charge.when(call: 2).throws(.overLimit(Money(cents: 1)))
    let report = try run(
      StubOrders(
        "1001, ada@example.com, card, MUG-BLUE x 1", "1002, ada@example.com, card, MUG-BLUE x 1",
        "1003, ada@example.com, card, MUG-BLUE x 1"))
    #expect(report == RunReport(charged: 2, declined: 1))
    #expect(gateway.charge.calls.map(\.order.id) == ["1001", "1002", "1003"])
    expectCalled(mailer.send, times: 2)
    expectNotCalled(mailer.send) { $0.subject.contains("1002") }
  }

  @Test("runs as a command, without the file system, the terminal or a clock")
  func command() {
    Resolver.register((any OrderSource).self) {
      StubOrders("1001, ada@example.com, card, TEA-GREEN x 2", "nonsense")
    }
    #expect(StorefrontCommand(arguments: []).run() == .incomplete)
    #expect(terminal.write.calls == ["Orders: 1 charged, 0 declined, 0 rejected, 1 malformed"])
    expectCalled(terminal.writeError, times: 1)
    expectCalled(mailer.send, times: 1)
    // What may be live computes, and touches nothing.
    expectOnlyDoublesResolved(
      except: OrderParser.self, (any Pricer).self, (any Catalog).self, (any DiscountPolicy).self,
      (any ShippingPolicy).self, PaymentDesk.self, (any PaymentGateway).self, PaymentLedger.self,
      Money.self, ReceiptWriter.self, EmailAddress.self)
  }

  @Test("runs with its own doubles on top: nothing is charged or mailed")
  func doublesOption() {
    Resolver.register((any OrderSource).self) {
      StubOrders("1001, ada@example.com, card, TEA-GREEN x 2")
    }
    #expect(StorefrontCommand(arguments: ["--doubles"]).run() == .success)
    expectNotCalled(mailer.send)
    #expect(terminal.write.calls.last == "Not sent to ada@example.com: Your receipt for order 1001")
    expectNotResolved(PaymentLedger.self)
    #expect(Resolver.root === Resolver.main)
  }
}

/// Sells everything for nothing.
private struct FreePricer: Pricer {
  func price(_ order: Order) throws(PricingError) -> PricedOrder {
    PricedOrder(order: order, items: [], shipping: .zero, vat: .zero, total: .zero)
  }
}
