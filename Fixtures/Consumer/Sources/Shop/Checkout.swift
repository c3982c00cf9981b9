import DIContainer

/// Sells what the catalog has; it finds its services by itself.
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
