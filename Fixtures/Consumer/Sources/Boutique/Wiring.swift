public import DIContainer

extension Resolver: @retroactive ResolverRegistering {
  public static func registerAllServices() {
    registerMain { LiveMailer() as any Mailer }.scope(.application)
    register { StorePrices() as any PriceList }
    registerAsync { await Forecast.load() }
  }
}

// Asked for on the main actor only.
@MainActor extension Container {
  public var till: Factory<Till> { self { Till() }.cached }
}

// Asked for from anywhere, with `await` off the main actor.
extension Container {
  public var window: MainActorFactory<ShopWindow> { self { ShopWindow() }.cached }
  public var prices: Factory<any PriceList> { self { StorePrices() } }
  public var forecast: AsyncFactory<Forecast> { self { await Forecast.load() } }
}
