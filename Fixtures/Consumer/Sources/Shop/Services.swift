// The services of a shop that takes orders, charges for them and mails receipts. The snippets of
// README, guides and doc comments are written for it, and import it without saying so.

// MARK: Payments

/// Takes customers' money.
public protocol PaymentGateway {
  /// Charges an amount in cents, and answers a reference.
  func charge(_ cents: Int) throws -> String
}

/// The live gateway for cards.
public final class CardGateway: PaymentGateway {
  public let limit: Int
  public init() { limit = 500_00 }
  public init(limit: Int) { self.limit = limit }
  public func charge(_ cents: Int) throws -> String { "card-\(cents)" }
}

/// The live gateway for invoices.
public final class InvoiceGateway: PaymentGateway {
  public let clock: any StoreClock
  public init(clock: any StoreClock) { self.clock = clock }
  public func charge(_ cents: Int) throws -> String { "invoice-\(cents)" }
}

/// A gateway that charges nobody.
public struct FakeGateway: PaymentGateway, Sendable {
  public init() {}
  public func charge(_ cents: Int) throws -> String { "fake-\(cents)" }
}

/// A gateway that declines every charge.
public struct DecliningGateway: PaymentGateway, Sendable {
  public struct Declined: Error {
    public init() {}
  }
  public init() {}
  public func charge(_ cents: Int) throws -> String { throw Declined() }
}

/// Everything about money, where one service does.
public protocol Payments {
  func charge(_ cents: Int) throws -> String
}

/// Charges for real.
public final class LivePayments: Payments {
  public init() {}
  public func charge(_ cents: Int) throws -> String { "live-\(cents)" }
}

/// Charges cards.
public final class CardPayments: Payments {
  public init() {}
  public func charge(_ cents: Int) throws -> String { "card-\(cents)" }
}

/// Charges nobody.
public final class FakePayments: Payments {
  public init() {}
  public func charge(_ cents: Int) throws -> String { "fake-\(cents)" }
}

// MARK: Mail

/// Sends messages.
public protocol Mailer {
  func send(_ message: String)
}

/// The live mailer.
public final class SMTPMailer: Mailer {
  public let host: String
  public init(host: String = "mail.storefront.example") { self.host = host }
  public func send(_ message: String) {}
}

/// A mailer that keeps what it should send.
public final class SpyMailer: Mailer {
  public private(set) var sent: [String] = []
  private let live: (any Mailer)?
  public init() { live = nil }
  /// A spy around another mailer.
  public init(_ live: any Mailer) { self.live = live }
  public func send(_ message: String) {
    sent.append(message)
    live?.send(message)
  }
}

// MARK: Catalog and clock

/// Knows what the shop sells.
public protocol Catalog: Sendable {
  func price(of sku: String) -> Int?
}

/// The live catalog.
public final class StoreCatalog: Catalog {
  public init() {}
  public func price(of sku: String) -> Int? { sku == "TEA-GREEN" ? 6_50 : nil }
}

/// A catalog with one product.
public struct StubCatalog: Catalog, Sendable {
  public let prices: [String: Int]
  public init(prices: [String: Int] = ["TEA-GREEN": 6_50]) { self.prices = prices }
  public func price(of sku: String) -> Int? { prices[sku] }
}

/// Knows the day.
public protocol StoreClock {
  var today: String { get }
}

/// The live clock.
public struct SystemClock: StoreClock, Sendable {
  public init() {}
  public var today: String { "2026-11-21" }
}

/// A clock that stands still.
public struct StubClock: StoreClock, Sendable {
  public let today: String
  public init(today: String = "2026-01-15") { self.today = today }
}

// MARK: Orders

/// What a customer has put together.
public final class Cart {
  public var skus: [String] = []
  public init() {}
}

/// A signed-in customer.
public final class Session {
  public let customer: String
  public init(customer: String = "ada@example.com") { self.customer = customer }
}

/// What a customer has ordered.
public struct Order: Sendable {
  public let id: Int
  public let title: String?
  public init(id: Int, title: String? = nil) {
    self.id = id
    self.title = title
  }
}

// MARK: Isolation

/// Keeps the orders of one store after another.
@globalActor public actor StoreActor {
  public static let shared = StoreActor()
}

/// The orders of a store.
@StoreActor public final class OrderStore {
  public init() {}
}

/// What a cart looks like.
@MainActor public final class CartModel {
  public init() {}
}

/// Where the customer looks.
@MainActor public final class ShopWindow {
  public init() {}
}

/// A catalog that is fetched.
public struct RemoteCatalog: Catalog {
  public let prices: [String: Int]
  public init(prices: [String: Int]) { self.prices = prices }
  public static func load() async throws -> RemoteCatalog { RemoteCatalog(prices: [:]) }
  public func price(of sku: String) -> Int? { prices[sku] }
}

/// A catalog that is at hand.
public struct LocalCatalog: Catalog {
  public init() {}
  public func price(of sku: String) -> Int? { nil }
}

// MARK: Layers of an app

/// What a customer sees.
public protocol Screen {}

/// What only services should touch.
public final class Database {
  public init() {}
}
