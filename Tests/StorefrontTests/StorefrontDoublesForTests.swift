import StorefrontKit

// What the shop's tests put in place of the outside world: no file, no terminal, no clock.

/// Orders that stand in the test.
struct StubOrders: OrderSource {
  let label: String = "orders"
  let lines: [String]

  init(_ lines: String...) { self.lines = lines }

  func text() throws(OrderSourceError) -> String { lines.joined(separator: "\n") }
}

/// Keeps what users would read.
final class SpyTerminal: Terminal {
  private(set) var output: [String] = []
  private(set) var errors: [String] = []

  func write(_ line: String) { output.append(line) }
  func writeError(_ line: String) { errors.append(line) }
}

/// Lets a gateway work, and remembers what it was asked for.
final class SpyGateway: PaymentGateway {
  private let gateway: any PaymentGateway
  private(set) var amounts: [Money] = []

  init(_ gateway: any PaymentGateway) { self.gateway = gateway }

  func charge(_ amount: Money, for order: Order) throws(PaymentError) -> Payment {
    amounts.append(amount)
    return try gateway.charge(amount, for: order)
  }
}
