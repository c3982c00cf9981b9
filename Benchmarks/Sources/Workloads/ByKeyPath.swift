import DIContainer

extension Container {
  fileprivate var leaf: Factory<Catalog> { self { makeCatalog() } }
  fileprivate var settings: Factory<Settings> { self { Settings() }.cached }
}

func byKeyPath() -> [Workload] {
  let container = Container()
  return [
    Workload("unique by key path", floor: "direct init", goal: 1.6, allocations: 1) { count in
      for _ in 0..<count { use(Container.shared.leaf()) }
    },
    Workload("unique by key path, container in a let", floor: "direct init") { count in
      for _ in 0..<count { use(container.leaf()) }
    },
    Workload(
      "kept by key path", floor: "dictionary + pthread lock", goal: 1.0, allocations: 0
    ) { count in
      for _ in 0..<count { use(Container.shared.settings()) }
    },
  ]
}
