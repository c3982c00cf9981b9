import DITesting
import Dispatch
import Foundation
import Testing

// MARK: The app

private struct CatalogClient: Sendable {
  var price: @Sendable (_ sku: String) -> Int?
}

private struct PaymentClient: Sendable {
  var charge: @Sendable (_ cents: Int) throws -> String
}

private struct MailClient: Sendable {
  var send: @Sendable (_ message: String) -> Void
}

extension Container {
  fileprivate var catalog: Factory<CatalogClient> {
    self { CatalogClient { StoreCatalog().price(of: $0) } }.cached
      .onTest { CatalogClient { _ in 6_50 } }
  }
  fileprivate var payments: Factory<PaymentClient> {
    self { PaymentClient { try CardGateway().charge($0) } }.cached
  }
  fileprivate var mail: Factory<MailClient> {
    self { MailClient { SMTPMailer().send($0) } }.cached
  }
  fileprivate var now: Factory<Date> { self { Date() } }
  fileprivate var uuid: Factory<UUID> { self { UUID() } }
  fileprivate var sleep: Factory<@Sendable (Duration) async throws -> Void> {
    self { { try await Task.sleep(for: $0) } }
  }
}

private struct Receipt: Equatable {
  let id: UUID
  let date: Date
  let reference: String
}

private final class Checkout {
  @LazyInjected(\.catalog) private var catalog
  // Resolved at each use, so that they follow what a test registers later.
  @DynamicInjected(\.payments) private var payments
  @DynamicInjected(\.mail) private var mail
  @DynamicInjected(\.now) private var now
  @DynamicInjected(\.uuid) private var uuid

  @discardableResult func buy(_ sku: String) throws -> Receipt {
    guard let price = catalog.price(sku) else { throw UnknownProduct(sku: sku) }
    let receipt = Receipt(id: uuid, date: now, reference: try payments.charge(price))
    mail.send("Receipt \(receipt.reference)")
    return receipt
  }
}

private final class Reminder {
  @DynamicInjected(\.sleep) private var sleep
  @DynamicInjected(\.mail) private var mail

  func remind() async throws {
    try await sleep(.seconds(3_600))
    mail.send("Your cart is waiting")
  }
}

private final class Shop {
  @LazyInjected(\.catalog) private var catalog

  func sells(_ sku: String) -> Bool { catalog.price(sku) != nil }

  func openCheckout() -> Checkout { Checkout() }

  func mailLater(_ message: String, on queue: DispatchQueue) {
    let context = ResolutionContext.current
    queue.async { context.run { Container.shared.mail().send(message) } }
  }
}

// MARK: What its doubles need

/// `UUID(n)`, as the other library has it.
private func number(_ byte: UInt8) -> UUID {
  UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
}

/// Keeps what was sent, from whatever thread.
private final class Mailbox: @unchecked Sendable {
  private let lock = NSLock()
  private var messages: [String] = []

  var sent: [String] { lock.withLock { messages } }

  func send(_ message: String) { lock.withLock { messages.append(message) } }
}

// MARK: Its tests

@Suite(
  .sandbox {
    $0.payments.register { PaymentClient { "fake-\($0)" } }
    $0.now.register { Date(timeIntervalSince1970: 0) }
    var next: UInt8 = 0
    $0.uuid.register {
      defer { next += 1 }
      return number(next)
    }
    $0.sleep.register { { _ in } }
  },
  // The catalog that `onTest` makes is production's, so a strict suite names it.
  .strict(except: CatalogClient.self)
) struct SwiftDependenciesAfterTests {
  private let mailbox = Mailbox()

  private func registerMailbox() {
    Container.shared.mail.register { [mailbox] in MailClient { mailbox.send($0) } }
  }

  @Test func chargesAndMails() throws {
    registerMailbox()
    try Checkout().buy("TEA-GREEN")
    #expect(mailbox.sent == ["Receipt fake-650"])
  }

  @Test(.sandbox { $0.payments.register { PaymentClient { _ in throw Declined() } } })
  func aDeclinedChargeMailsNothing() {
    // A mail would be an issue: nothing is registered for `mail`.
    #expect(throws: Declined.self) { try Checkout().buy("TEA-GREEN") }
  }

  @Test func aSecondAttemptSucceeds() throws {
    registerMailbox()
    Container.shared.payments.register { PaymentClient { _ in throw Declined() } }
    let checkout = Checkout()
    #expect(throws: Declined.self) { try checkout.buy("TEA-GREEN") }
    Container.shared.payments.register { PaymentClient { "fake-\($0)" } }
    #expect(try checkout.buy("TEA-GREEN").reference == "fake-650")
  }

  @Test(.sandbox { $0.mail.register { MailClient { _ in } } })
  func aReceiptHasADateAndANumber() throws {
    let checkout = Checkout()
    try checkout.buy("TEA-GREEN")
    #expect(
      try checkout.buy("TEA-GREEN")
        == Receipt(id: number(1), date: Date(timeIntervalSince1970: 0), reference: "fake-650"))
  }

  @Test func aReminderDoesNotWaitInTests() async throws {
    registerMailbox()
    try await Reminder().remind()
    #expect(mailbox.sent == ["Your cart is waiting"])
  }

  @Test func aCheckoutInheritsTheDoublesOfItsShop() throws {
    registerMailbox()
    let shop = Shop()
    #expect(shop.sells("TEA-GREEN"))
    try shop.openCheckout().buy("TEA-GREEN")
    #expect(mailbox.sent == ["Receipt fake-650"])
  }

  @Test func workOnAQueueKeepsTheDoubles() {
    registerMailbox()
    let queue = DispatchQueue(label: "mail")
    Shop().mailLater("Shipped", on: queue)
    queue.sync {}
    #expect(mailbox.sent == ["Shipped"])
  }

  // Every case has a sandbox of its own, so there is nothing to take back.
  @Test(arguments: ["TEA-GREEN", "MUG-BLUE"]) func eachArgumentStartsAfresh(sku: String) throws {
    registerMailbox()
    #expect(try Checkout().buy(sku).id == number(0))
  }

  @Test func whatHasNoOverrideFailsTheTest() {
    withKnownIssue {
      _ = try? Checkout().buy("TEA-GREEN")
    } matching: {
      $0.comments.first?.rawValue.contains("`mail: MailClient`") == true
    }
  }

  @Test func theLiveCatalogCanBeTested() {
    // For this test alone, as all that changes in a sandbox.
    FactoryContext.current.isTest = false
    #expect(Container.shared.catalog().price("MUG-BLUE") == 12_00)
  }
}
