import DIContainer

/// What a view looks at.
public final class CartModel {
  @Injected private var prices: any PriceList
  @LazyInjected private var mailer: any Mailer
  @Injected(\.till) private var till
  @LazyInjected(\.window) private var window
  public private(set) var notice = ""

  public init() {}

  public func buy(_ sku: String) -> Int? {
    guard let price = prices.price(of: sku) else { return nil }
    till.take(price)
    mailer.send("Receipt \(price)")
    notice = window.sign
    return till.cents
  }

  public func look() async throws {
    let forecast = try await Resolver.root.requireAsync(Forecast.self)
    notice = "\(forecast.text), \(try await Container.shared.forecast().text)"
  }
}
