import DIContainer

/// A container that finds the shop through `depth` containers below it.
public func nest(_ depth: Int) -> Resolver {
  var container = shop(.unique)
  for _ in 0..<depth { container = Resolver(child: container) }
  return container
}

func nested() -> [Workload] {
  let five = nest(5)
  return [
    Workload(
      "through five nested containers", floor: "unique by type", goal: 1.5, allocations: 1
    ) { count in
      for _ in 0..<count { use(five.resolve(Catalog.self)) }
    }
  ]
}
