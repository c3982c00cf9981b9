/// An amount in euro, counted in whole cents.
public struct Money: Hashable, Sendable {
  /// No money.
  public static let zero: Money = Money(cents: 0)

  /// The amount in cents.
  public let cents: Int

  /// Creates an amount.
  public init(cents: Int) {
    self.cents = cents
  }

  /// Adds an amount.
  public func adding(_ other: Money) throws(AmountOverflow) -> Money {
    try checked(cents.addingReportingOverflow(other.cents))
  }

  /// Takes an amount away.
  public func subtracting(_ other: Money) throws(AmountOverflow) -> Money {
    try checked(cents.subtractingReportingOverflow(other.cents))
  }

  /// Takes the amount this many times.
  public func multiplied(by count: Int) throws(AmountOverflow) -> Money {
    try checked(cents.multipliedReportingOverflow(by: count))
  }

  /// Takes a share of the amount, rounded to the nearest cent, halves away from zero.
  public func percent(_ percent: Int) throws(AmountOverflow) -> Money {
    let hundredths = try multiplied(by: percent).cents
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    return Money(cents: whole + (rest.magnitude >= 50 ? rest.signum() : 0))
  }

  /// Turns the answer of an overflow-reporting operation into an amount.
  private func checked(
    _ result: (partialValue: Int, overflow: Bool)
  ) throws(AmountOverflow) -> Money {
    guard !result.overflow else { throw AmountOverflow() }
    return Money(cents: result.partialValue)
  }
}

extension Money: Comparable {
  /// Whether one amount is less than another.
  public static func < (left: Money, right: Money) -> Bool { left.cents < right.cents }
}

extension Money: CustomStringConvertible {
  /// The amount with two decimals and its currency, such as `12.05 EUR`.
  public var description: String {
    let (euros, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(cents < 0 ? "-" : "")\(euros).\(rest < 10 ? "0" : "")\(rest) EUR"
  }
}
