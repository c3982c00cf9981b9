public import DIContainer

/// Sells what is in a cart; it finds its services by itself.
public final class Checkout {
  @Injected var catalog: any Catalog
  @Injected var gateway: any PaymentGateway
  @LazyInjected var mailer: any Mailer

  public init() {}

  /// Charges for one product and mails a receipt.
  public func buy(_ sku: String) throws {
    let reference = try gateway.charge(catalog.price(of: sku) ?? 0)
    mailer.send("Your receipt: \(reference)")
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

extension Resolver {
  /// The container of what takes money.
  public static let payments = Resolver { r in
    r.register { CardGateway() as any PaymentGateway }.scope(.cached)
  }
}

extension Resolver.Name {
  /// The gateway for cards.
  public static let card = Self("card")
  /// The gateway for invoices.
  public static let invoice = Self("invoice")
}
