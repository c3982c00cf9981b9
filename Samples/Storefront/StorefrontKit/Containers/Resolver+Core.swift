public import DIContainer

extension Resolver {
  /// The container of what the whole shop stands on: the outside world, orders and prices.
  ///
  /// The outside world is behind boundaries, which a test may refuse to reach.
  public static let core: Resolver = Resolver { r in
    r.register { StandardTerminal() as any Terminal }
      .scope(.application)
      .boundary("terminal")
    r.register { SystemClock() as any StoreClock }
      .scope(.application)
      .boundary("clock")
    r.register((any OrderSource).self) { _, args in FileOrderSource(path: args.optional()) }
      .scope(.unique)
      .boundary("files")
    r.register(OrderParser.init)
      .scope(.unique)

    r.register(StoreCatalog.init)
      .implements((any Catalog).self)
      .scope(.application)
    r.register { QuantityDiscounts() as any DiscountPolicy }
    r.register((any ShippingPolicy).self) {
      FlatRateShipping(rate: Money(cents: 4_90), freeFrom: Money(cents: 60_00))
    }
    r.register(OrderPricer.init)
      .implements((any Pricer).self)
      .scope(.cached)
  }
}
