public import DIContainer

/// Sells what is in a cart; it finds its services by itself.
public final class Checkout {
  @Injected private var catalog: any Catalog
  @Injected private var gateway: any PaymentGateway
  @LazyInjected private var mailer: any Mailer

  public struct UnknownProduct: Error {}

  public init() {}

  /// Charges for one product and mails a receipt.
  public func buy(_ sku: String) throws {
    guard let price = catalog.price(of: sku) else { throw UnknownProduct() }
    let reference = try gateway.charge(price)
    mailer.send("Receipt \(reference)")
  }
}

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
