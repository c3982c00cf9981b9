import DIContainer
import DITesting

extension Container {
  fileprivate var leaf: Factory<Catalog> { self { makeCatalog() } }
  fileprivate var settings: Factory<Settings> { self { Settings() }.cached }
  fileprivate var prices: Factory<Prices> { self { makePrices(self.leaf()) } }
  fileprivate var basket: Factory<Basket> { self { makeBasket(self.prices()) } }
  fileprivate var payments: Factory<Payments> { self { makePayments(self.basket()) } }
  fileprivate var checkout: Factory<Checkout> { self { makeCheckout(self.payments()) } }
}

func byKeyPath() -> [Workload] {
  let container = Container()
  return [
    Workload("unique by key path", floor: "direct init", goal: 3.5, allocations: 1) { count in
      for _ in 0..<count { use(Container.shared.leaf()) }
    },
    Workload("unique by key path, container in a let", floor: "direct init") { count in
      for _ in 0..<count { use(container.leaf()) }
    },
    Workload(
      "kept by key path", floor: "dictionary + pthread lock", goal: 1.6, allocations: 0
    ) { count in
      for _ in 0..<count { use(Container.shared.settings()) }
    },
    Workload(
      "depth 5 by key path", floor: "five direct inits", goal: 5, count: 1_000, allocations: 5
    ) { count in
      for _ in 0..<count { use(Container.shared.checkout()) }
    },
  ]
}

/// Opens a sandbox, registers a double for a property in it, resolves it, and closes the sandbox.
private func sandboxRoundByKeyPath(_ container: Container) {
  withSandbox {
    container.leaf.register { makeCatalog() }
    use(container.leaf())
  }
}

func byKeyPathInScopes() -> [Workload] {
  let container = Container()
  let recorder = ResolutionRecorder()
  return [
    Workload(
      "sandbox by key path: open, double, resolve, close",
      floor: "TaskLocal.withValue + one-entry layer + resolve", goal: 12, count: 200
    ) { count in
      for _ in 0..<count { sandboxRoundByKeyPath(container) }
    },
    Workload("in a sandbox by key path: read through", floor: "direct init", goal: 30) { count in
      withSandbox { for _ in 0..<count { use(container.leaf()) } }
    },
    Workload("in a sandbox by key path: double", floor: "direct init", goal: 30) { count in
      withSandbox {
        container.leaf.register { makeCatalog() }
        for _ in 0..<count { use(container.leaf()) }
      }
    },
    Workload("in a sandbox by key path: kept", floor: "direct init", goal: 30) { count in
      withSandbox { for _ in 0..<count { use(container.settings()) } }
    },
    Workload("recorder off, by key path", count: 1_000) { count in
      withSandbox { for _ in 0..<count { use(container.leaf()) } }
    },
    Workload(
      "recorder on, by key path", floor: "recorder off, by key path", goal: 5, count: 1_000
    ) { count in
      withSandbox {
        withRecorder(recorder) { for _ in 0..<count { use(container.leaf()) } }
      }
      recorder.clear()
    },
  ]
}
