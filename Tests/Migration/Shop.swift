// The services of the shop that the five suites test, as an app has them before it chooses a
// container: `Before.swift` and its counterpart both stand on them.

struct UnknownProduct: Error, Equatable {
  let sku: String
}

struct Declined: Error, Equatable {}

protocol Catalog {
  func price(of sku: String) -> Int?
}

final class StoreCatalog: Catalog {
  func price(of sku: String) -> Int? { ["TEA-GREEN": 6_50, "MUG-BLUE": 12_00][sku] }
}

protocol PaymentGateway {
  func charge(_ cents: Int) throws -> String
}

final class CardGateway: PaymentGateway {
  let limit: Int
  init(limit: Int = 500_00) { self.limit = limit }
  func charge(_ cents: Int) throws -> String {
    if cents > limit { throw Declined() }
    return "card-\(cents)"
  }
}

final class InvoiceGateway: PaymentGateway {
  private let clock: any StoreClock
  init(clock: any StoreClock) { self.clock = clock }
  func charge(_ cents: Int) throws -> String { "invoice-\(clock.today)-\(cents)" }
}

protocol Mailer {
  func send(_ message: String)
}

final class SMTPMailer: Mailer {
  func send(_ message: String) {}
}

protocol StoreClock {
  var today: String { get }
}

struct SystemClock: StoreClock {
  var today: String { "2026-11-24" }
}

final class Cart {
  var skus: [String] = []
}

struct Order: Equatable {
  let id: Int
  let customer: String
}

struct Voucher {
  let cents: Int
}

// MARK: Doubles

final class FakeGateway: PaymentGateway {
  private(set) var charges: [Int] = []
  func charge(_ cents: Int) throws -> String {
    charges.append(cents)
    return "fake-\(cents)"
  }
}

struct DecliningGateway: PaymentGateway {
  func charge(_ cents: Int) throws -> String { throw Declined() }
}

final class SpyMailer: Mailer {
  private(set) var sent: [String] = []
  func send(_ message: String) { sent.append(message) }
}

struct StubCatalog: Catalog {
  let prices: [String: Int]
  func price(of sku: String) -> Int? { prices[sku] }
}

struct StubClock: StoreClock {
  var today = "2026-01-15"
}
