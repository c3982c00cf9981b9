import DIContainer

/// The shop's services, in one scope.
func shop(_ scope: Scope) -> Resolver {
  let container = Resolver()
  container.register { makeCatalog() }.scope(scope)
  container.register { r in makePrices(r.resolve()) }.scope(scope)
  container.register { r in makeBasket(r.resolve()) }.scope(scope)
  container.register { r in makePayments(r.resolve()) }.scope(scope)
  container.register { r in makeCheckout(r.resolve()) }.scope(scope)
  return container
}

func byType() -> [Workload] {
  let unique = shop(.unique)
  let graph = shop(.graph)
  let byInitialiser = Resolver()
  byInitialiser.register(Catalog.init)
  byInitialiser.register(Prices.init)
  byInitialiser.register(Basket.init)
  byInitialiser.register(Payments.init)
  byInitialiser.register(Checkout.init)
  let other = Resolver()
  other.register { makeCatalog() as any Pricing }.scope(.unique)
  other.register { ShopClock() as any Clock }.scope(.cached)
  other.register { makeCatalog() }.scope(.unique).implements((any Pricing).self, name: "alias")
  other.register(name: "named") { makeCatalog() }.scope(.unique)
  let kept = Resolver()
  kept.register { Settings() }.scope(.cached)
  kept.register { Session() }.scope(.shared)
  kept.register { Token() }.scope(.container)
  kept.register { ShopClock() }.scope(.application)
  let session = kept.resolve(Session.self)
  Resolver.main.register { makeCatalog() }.scope(.unique)
  return [
    Workload("unique by type", floor: "direct init", goal: 2.2, allocations: 1) { count in
      for _ in 0..<count { use(unique.resolve(Catalog.self)) }
    },
    Workload("graph by type", floor: "direct init") { count in
      for _ in 0..<count { use(graph.resolve(Catalog.self)) }
    },
    Workload("unique as a protocol", floor: "direct init") { count in
      for _ in 0..<count { use(other.resolve((any Pricing).self)) }
    },
    Workload("unique by name", floor: "direct init") { count in
      for _ in 0..<count { use(other.resolve(Catalog.self, name: "named")) }
    },
    Workload("unique by implements", floor: "direct init") { count in
      for _ in 0..<count { use(other.resolve((any Pricing).self, name: "alias")) }
    },
    Workload("unique by require", floor: "direct init") { count in
      for _ in 0..<count { use(try! unique.require(Catalog.self)) }
    },
    Workload("unique, static", floor: "direct init") { count in
      for _ in 0..<count { use(Resolver.resolve(Catalog.self)) }
    },
    Workload(
      "kept: cached", floor: "dictionary + pthread lock", goal: 1.0, allocations: 0
    ) { count in
      for _ in 0..<count { use(kept.resolve(Settings.self)) }
    },
    Workload(
      "kept: application", floor: "dictionary + pthread lock", goal: 1.0, allocations: 0
    ) { count in
      for _ in 0..<count { use(kept.resolve(ShopClock.self)) }
    },
    Workload(
      "kept: container", floor: "dictionary + pthread lock", goal: 1.0, allocations: 0
    ) { count in
      for _ in 0..<count { use(kept.resolve(Token.self)) }
    },
    Workload("kept: cached, as a protocol", floor: "dictionary + pthread lock") { count in
      for _ in 0..<count { use(other.resolve((any Clock).self)) }
    },
    Workload(
      "kept: shared", floor: "dictionary + pthread lock", goal: 1.0, allocations: 0
    ) { count in
      for _ in 0..<count { use(kept.resolve(Session.self)) }
      use(session)
    },
    Workload(
      "depth 5, unique", floor: "five direct inits", goal: 2.5, count: 1_000, allocations: 5
    ) { count in
      for _ in 0..<count { use(unique.resolve(Checkout.self)) }
    },
    Workload(
      "depth 5, graph", floor: "five direct inits", goal: 4, count: 1_000, allocations: 5
    ) { count in
      for _ in 0..<count { use(graph.resolve(Checkout.self)) }
    },
    Workload("depth 5, register(A.init)", floor: "five direct inits", count: 1_000) { count in
      for _ in 0..<count { use(byInitialiser.resolve(Checkout.self)) }
    },
  ]
}
