public import DIContainer

/// Writes receipts; it is given its services.
public final class ReceiptWriter {
  public let clock: any StoreClock
  public let mailer: any Mailer

  public init(clock: any StoreClock, mailer: any Mailer) {
    self.clock = clock
    self.mailer = mailer
  }
}

/// Registers the live services.
public func wireShop() {
  Resolver.register { CardGateway() as any PaymentGateway }.scope(.cached)
  Resolver.register { SMTPMailer() as any Mailer }
  Resolver.register(StoreCatalog.init).implements((any Catalog).self)
  Resolver.register { SystemClock() as any StoreClock }
  Resolver.register(ReceiptWriter.init)
  Resolver.register { Checkout() }
}

extension Resolver.Name {
  /// The gateway for cards.
  public static let card = Self("card")
  /// The gateway for invoices.
  public static let invoice = Self("invoice")
}

/// What is in the store.
public protocol Stock {}

/// The live stock.
public final class StoreStock: Stock {
  public init() {}
}

/// A stock with nothing in it.
public final class FakeStock: Stock {
  public init() {}
}

/// A container of its own for what is in the store.
public final class Warehouse: DefaultSharedContainer {
  public let manager = ContainerManager()
  public init() {}
}

extension Warehouse {
  /// What is in the store.
  public var stock: Factory<any Stock> { self { StoreStock() } }
}
