import StorefrontKit
import Testing

/// The arithmetic of cents.
@Suite struct MoneyTests {
  @Test(arguments: [
    (0, "0.00 EUR"), (5, "0.05 EUR"), (1205, "12.05 EUR"), (-50, "-0.50 EUR"),
    (1_000_000_00, "1000000.00 EUR"), (Int.min, "-92233720368547758.08 EUR"),
  ])
  func description(cents: Int, text: String) {
    #expect(Money(cents: cents).description == text)
  }

  @Test("A share is rounded to the nearest cent, halves away from zero")
  func percent() throws {
    #expect(try Money(cents: 899).percent(20) == Money(cents: 180), "179.8")
    #expect(try Money(cents: 10).percent(5) == Money(cents: 1), "0.5")
    #expect(try Money(cents: 9).percent(5) == .zero, "0.45")
    #expect(try Money(cents: -10).percent(5) == Money(cents: -1), "-0.5")
    #expect(try Money(cents: 899).percent(0) == .zero)
    #expect(try Money(cents: 899).percent(100) == Money(cents: 899))
  }

  @Test("An amount that cannot be counted is an error, not a trap")
  func overflow() {
    let most = Money(cents: .max)
    #expect(throws: AmountOverflow()) { try most.adding(Money(cents: 1)) }
    #expect(throws: AmountOverflow()) { try Money(cents: .min).subtracting(Money(cents: 1)) }
    #expect(throws: AmountOverflow()) { try most.multiplied(by: 2) }
    #expect(throws: AmountOverflow()) { try most.percent(20) }
  }
}
