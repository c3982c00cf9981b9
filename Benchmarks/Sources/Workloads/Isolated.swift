import DIContainer
import Foundation

extension Container {
  fileprivate var window: MainActorFactory<Catalog> { self { makeCatalog() } }
  fileprivate var basket: MainActorFactory<Settings> { self { Settings() }.cached }
  fileprivate var remote: AsyncFactory<Settings> { self { Settings() }.cached }
}

/// Runs a body in a task, and waits for it.
private func inTask(_ body: @escaping @Sendable () async -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    await body()
    isDone.signal()
  }
  isDone.wait()
}

@inline(never) private func makeLater() async -> Catalog { makeCatalog() }

/// What runs on the main actor, or is waited for.
func isolated() -> [Workload] {
  let container = Resolver()
  container.registerAsync { () async -> Settings in Settings() }.scope(.cached)
  container.registerAsync { () async -> Catalog in await makeLater() }.scope(.unique)
  return [
    Workload("main actor: unique by key path", floor: "direct init") { count in
      MainActor.assumeIsolated { for _ in 0..<count { use(Container.shared.window()) } }
    },
    Workload("main actor: kept by key path", floor: "dictionary + pthread lock") { count in
      MainActor.assumeIsolated { for _ in 0..<count { use(Container.shared.basket()) } }
    },
    Workload("async: a call", count: 20_000) { count in
      inTask { for _ in 0..<count { use(await makeLater()) } }
    },
    Workload("async: unique by type", floor: "async: a call", count: 20_000) { count in
      inTask { for _ in 0..<count { use(try! await container.requireAsync(Catalog.self)) } }
    },
    Workload("async: kept by type", floor: "dictionary + pthread lock", count: 100_000) { count in
      inTask { for _ in 0..<count { use(await container.resolveAsync(Settings.self)) } }
    },
    Workload(
      "async: kept by key path", floor: "dictionary + pthread lock", count: 100_000
    ) { count in
      inTask { for _ in 0..<count { use(await Container.shared.remote.resolve()) } }
    },
  ]
}
