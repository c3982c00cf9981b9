import StorefrontKit
import Testing

/// What the gateways charge, and what they decline.
@Suite struct PaymentTests {
  /// The ledger that the gateways under test share.
  private let ledger: PaymentLedger = PaymentLedger()

  /// An order of a customer.
  private func order(by customer: EmailAddress = "ada@example.com") -> Order {
    Order(
      id: "1001", customer: customer, method: .invoice,
      items: [OrderItem(sku: "KETTLE", quantity: 1)], line: 1)
  }

  /// A gateway for invoices with a limit of 100 euro, on the last day of January.
  private var invoices: InvoiceGateway {
    InvoiceGateway(
      limit: Money(cents: 100_00), ledger: ledger,
      clock: StubClock(today: CalendarDate(year: 2026, month: 1, day: 31)))
  }

  @Test("A card is charged up to its limit")
  func cardLimit() throws {
    let gateway = CardGateway(limit: Money(cents: 500_00), ledger: ledger)
    let payment = try gateway.charge(Money(cents: 500_00), for: order())
    #expect(payment.method == .card)
    #expect(payment.amount == Money(cents: 500_00))
    #expect(payment.due == nil)
    #expect(throws: PaymentError.overLimit(Money(cents: 500_00))) {
      try gateway.charge(Money(cents: 500_01), for: order())
    }
    #expect(ledger.payments == [payment])
  }

  @Test("An invoice is due two weeks later")
  func due() throws {
    let payment = try invoices.charge(Money(cents: 1), for: order())
    #expect(payment.due?.description == "2026-02-14")
  }

  @Test("The limit of invoices is for all that one customer owes")
  func credit() throws {
    _ = try invoices.charge(Money(cents: 60_00), for: order())
    #expect(throws: PaymentError.overCredit(Money(cents: 100_00))) {
      try invoices.charge(Money(cents: 40_01), for: order())
    }
    _ = try invoices.charge(Money(cents: 40_00), for: order())
    _ = try invoices.charge(Money(cents: 60_00), for: order(by: "linus@example.org"))
    #expect(try ledger.owed(by: "ada@example.com") == Money(cents: 100_00))
  }

  @Test("What was paid by card is not owed")
  func cardIsNoDebt() throws {
    let cards = CardGateway(limit: Money(cents: 500_00), ledger: ledger)
    _ = try cards.charge(Money(cents: 90_00), for: order())
    #expect(try ledger.owed(by: "ada@example.com") == .zero)
    #expect(throws: Never.self) { try invoices.charge(Money(cents: 100_00), for: order()) }
  }

  @Test("A debt that cannot be counted is declined")
  func overflow() {
    _ = ledger.record(
      Money(cents: .max), by: .invoice, for: order(), due: CalendarDate(dayNumber: 0))
    #expect(throws: PaymentError.overCredit(Money(cents: 100_00))) {
      try invoices.charge(Money(cents: 1), for: order())
    }
  }

  @Test("Payments are numbered over both gateways")
  func references() throws {
    let cards = CardGateway(limit: Money(cents: 500_00), ledger: ledger)
    let first = try cards.charge(Money(cents: 1), for: order())
    let second = try invoices.charge(Money(cents: 1), for: order())
    #expect([first, second].map(\.reference) == ["card-0001", "invoice-0002"])
    for _ in 3...9_999 { _ = ledger.record(.zero, by: .card, for: order()) }
    #expect(ledger.record(.zero, by: .card, for: order()).reference == "card-10000")
  }
}
