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

final class Basket {}
