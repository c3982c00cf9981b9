import DITesting

// The world that this target's tests live in: a small shop.

protocol Payments: AnyObject {
  var label: String { get }
}

final class LivePayments: Payments {
  let label = "live"
}

final class FakePayments: Payments {
  let label: String
  init(_ label: String = "fake") { self.label = label }
}

protocol Mailer: AnyObject {
  var payments: any Payments { get }
}

final class LiveMailer: Mailer {
  let payments: any Payments
  init(payments: any Payments) { self.payments = payments }
}

final class Basket: Sendable {}

/// What tests throw to see it come through.
struct OutOfStock: Error, Equatable {}

/// A double that is not Sendable, as most are.
final class SpyMailer: Mailer {
  let payments: any Payments
  private(set) var sent: [String] = []
  init(payments: any Payments = FakePayments()) { self.payments = payments }
  func send(_ text: String) { sent.append(text) }
}

/// Asks the current root, as production code does.
func currentLabel() -> String { Resolver.resolve((any Payments).self).label }
