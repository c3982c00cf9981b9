import Clocks
import ConcurrencyExtras
import Dependencies
import DependenciesMacros
import DependenciesTestSupport
import Dispatch
import Foundation
import Testing

// MARK: The app

@DependencyClient
struct CatalogClient: Sendable {
  var price: @Sendable (_ sku: String) -> Int?
}

@DependencyClient
struct PaymentClient: Sendable {
  var charge: @Sendable (_ cents: Int) throws -> String
}

@DependencyClient
struct MailClient: Sendable {
  var send: @Sendable (_ message: String) -> Void
}

extension CatalogClient: DependencyKey {
  static let liveValue = CatalogClient { StoreCatalog().price(of: $0) }
  static let testValue = CatalogClient { _ in 6_50 }
}

extension PaymentClient: DependencyKey {
  static let liveValue = PaymentClient { try CardGateway().charge($0) }
  static let testValue = PaymentClient()
}

extension MailClient: DependencyKey {
  static let liveValue = MailClient { SMTPMailer().send($0) }
  static let testValue = MailClient()
}

extension DependencyValues {
  var catalog: CatalogClient {
    get { self[CatalogClient.self] }
    set { self[CatalogClient.self] = newValue }
  }
  var payments: PaymentClient {
    get { self[PaymentClient.self] }
    set { self[PaymentClient.self] = newValue }
  }
  var mail: MailClient {
    get { self[MailClient.self] }
    set { self[MailClient.self] = newValue }
  }
}

struct Receipt: Equatable {
  let id: UUID
  let date: Date
  let reference: String
}

final class Checkout {
  @Dependency(\.catalog) private var catalog
  @Dependency(\.payments) private var payments
  @Dependency(\.mail) private var mail
  @Dependency(\.date.now) private var now
  @Dependency(\.uuid) private var uuid

  @discardableResult func buy(_ sku: String) throws -> Receipt {
    guard let price = catalog.price(sku) else { throw UnknownProduct(sku: sku) }
    let receipt = Receipt(id: uuid(), date: now, reference: try payments.charge(price))
    mail.send("Receipt \(receipt.reference)")
    return receipt
  }
}

final class Reminder {
  @Dependency(\.continuousClock) private var clock
  @Dependency(\.mail) private var mail

  func remind() async throws {
    try await clock.sleep(for: .seconds(3_600))
    mail.send("Your cart is waiting")
  }
}

final class Shop {
  @Dependency(\.catalog) private var catalog

  func sells(_ sku: String) -> Bool { catalog.price(sku) != nil }

  func openCheckout() -> Checkout { withDependencies(from: self) { Checkout() } }

  func mailLater(_ message: String, on queue: DispatchQueue) {
    withEscapedDependencies { dependencies in
      queue.async {
        dependencies.yield {
          @Dependency(\.mail) var mail
          mail.send(message)
        }
      }
    }
  }
}

// MARK: Its tests

@Suite(
  .dependencies {
    $0.payments.charge = { "fake-\($0)" }
    $0.date.now = Date(timeIntervalSince1970: 0)
    $0.uuid = .incrementing
    $0.continuousClock = ImmediateClock()
  }
) struct CheckoutTests {
  let sent = LockIsolated<[String]>([])

  @Test func chargesAndMails() throws {
    let checkout = withDependencies {
      $0.mail.send = { [sent] message in sent.withValue { $0.append(message) } }
    } operation: {
      Checkout()
    }
    try checkout.buy("TEA-GREEN")
    #expect(sent.value == ["Receipt fake-650"])
  }

  @Test(.dependency(\.payments.charge, { _ in throw Declined() }))
  func aDeclinedChargeMailsNothing() {
    // A mail would be an issue: nothing is said of `mail`.
    #expect(throws: Declined.self) { try Checkout().buy("TEA-GREEN") }
  }

  @Test func aSecondAttemptSucceeds() throws {
    let checkout = withDependencies {
      $0.payments.charge = { _ in throw Declined() }
      $0.mail.send = { _ in }
    } operation: {
      Checkout()
    }
    #expect(throws: Declined.self) { try checkout.buy("TEA-GREEN") }
    try withDependencies {
      $0.payments.charge = { "fake-\($0)" }
    } operation: {
      #expect(try checkout.buy("TEA-GREEN").reference == "fake-650")
    }
  }

  @Test(.dependency(\.mail.send, { _ in })) func aReceiptHasADateAndANumber() throws {
    let checkout = Checkout()
    try checkout.buy("TEA-GREEN")
    #expect(
      try checkout.buy("TEA-GREEN")
        == Receipt(id: UUID(1), date: Date(timeIntervalSince1970: 0), reference: "fake-650"))
  }

  @Test func aReminderDoesNotWaitInTests() async throws {
    let reminder = withDependencies {
      $0.mail.send = { [sent] message in sent.withValue { $0.append(message) } }
    } operation: {
      Reminder()
    }
    try await reminder.remind()
    #expect(sent.value == ["Your cart is waiting"])
  }

  @Test func aCheckoutInheritsTheDoublesOfItsShop() throws {
    let shop = withDependencies {
      $0.mail.send = { [sent] message in sent.withValue { $0.append(message) } }
    } operation: {
      Shop()
    }
    #expect(shop.sells("TEA-GREEN"))
    try shop.openCheckout().buy("TEA-GREEN")
    #expect(sent.value == ["Receipt fake-650"])
  }

  @Test func workOnAQueueKeepsTheDoubles() {
    let queue = DispatchQueue(label: "mail")
    withDependencies {
      $0.mail.send = { [sent] message in sent.withValue { $0.append(message) } }
    } operation: {
      Shop().mailLater("Shipped", on: queue)
    }
    queue.sync {}
    #expect(sent.value == ["Shipped"])
  }

  @Test(arguments: ["TEA-GREEN", "MUG-BLUE"]) func eachArgumentStartsAfresh(sku: String) throws {
    try withDependencies {
      $0 = DependencyValues()
      $0.payments.charge = { "fake-\($0)" }
      $0.date.now = Date(timeIntervalSince1970: 0)
      $0.uuid = .incrementing
      $0.mail.send = { _ in }
    } operation: {
      #expect(try Checkout().buy(sku).id == UUID(0))
    }
  }

  @Test func whatHasNoOverrideFailsTheTest() {
    withKnownIssue {
      _ = try? Checkout().buy("TEA-GREEN")
    } matching: {
      $0.description.contains("MailClient.send")
    }
  }

  @Test func theLiveCatalogCanBeTested() {
    withDependencies {
      $0.context = .live
    } operation: {
      @Dependency(\.catalog) var catalog
      #expect(catalog.price("MUG-BLUE") == 12_00)
    }
  }
}
