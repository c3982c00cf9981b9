import DIContainer
import DITesting

/// Opens a sandbox, registers a double in it, resolves it, and closes the sandbox.
public func sandboxRound(_ container: Resolver) {
  withSandbox {
    container.register { makeCatalog() }
    use(container.resolve(Catalog.self))
  }
}

/// The same with something said about the double, which puts a changed one in its place; one with a
/// scope that keeps it is kept by the sandbox.
public func sandboxRound(_ container: Resolver, _ scope: Scope) {
  withSandbox {
    container.register { makeCatalog() }.scope(scope)
    use(container.resolve(Catalog.self))
  }
}

/// Puts layers on the root, one upon the other, and resolves below all of them.
public func inLayers(_ depth: Int, _ operation: () -> Void) {
  if depth == 0 { return operation() }
  let name = Resolver.Name("layer \(depth)")
  withLayer {
    $0.register(name: name) { Settings() }
  } operation: {
    use(Resolver.resolve(Settings.self, name: name))
    inLayers(depth - 1, operation)
  }
}

/// Opens a layer, registers a double in it, resolves it, and closes the layer.
public func layerRound() {
  withLayer {
    $0.register { makeCatalog() }
  } operation: {
    use(Resolver.resolve(Catalog.self))
  }
}

/// Resolves from the root what the shop has there.
public func resolveFromRoot(_ count: Int) {
  for _ in 0..<count { use(Resolver.resolve(Catalog.self)) }
}

/// Registers so many named services in a container.
public func fill(_ container: Resolver, _ count: Int) {
  for number in 0..<count {
    container.register(name: .init("service \(number)")) { Settings() }
  }
}

func inScopes() -> [Workload] {
  let container = shop(.unique)
  container.register { Settings() }.scope(.cached)
  let recorder = ResolutionRecorder()
  return [
    Workload(
      "sandbox: open, double, resolve, close",
      floor: "TaskLocal.withValue + one-entry layer + resolve", goal: 12,
      count: 200
    ) { count in
      for _ in 0..<count { sandboxRound(container) }
    },
    Workload(
      "sandbox: open, double with a scope, resolve, close",
      floor: "TaskLocal.withValue + one-entry layer + resolve", count: 200
    ) { count in
      for _ in 0..<count { sandboxRound(container, .unique) }
    },
    Workload(
      "sandbox: open, kept double, resolve, close",
      floor: "TaskLocal.withValue + one-entry layer + resolve", count: 200
    ) { count in
      for _ in 0..<count { sandboxRound(container, .cached) }
    },
    Workload("in a sandbox: read through", floor: "direct init", goal: 30) {
      count in
      withSandbox { for _ in 0..<count { use(container.resolve(Catalog.self)) } }
    },
    Workload("in a sandbox: double", floor: "direct init", goal: 30) { count in
      withSandbox {
        container.register { makeCatalog() }.scope(.unique)
        for _ in 0..<count { use(container.resolve(Catalog.self)) }
      }
    },
    Workload("in a sandbox: kept", floor: "direct init", goal: 30) { count in
      withSandbox { for _ in 0..<count { use(container.resolve(Settings.self)) } }
    },
    Workload("in a sandbox, static", floor: "direct init") { count in
      withSandbox { for _ in 0..<count { use(Resolver.resolve(Catalog.self)) } }
    },
    Workload("in a layer", floor: "direct init", count: 1_000) { count in
      inLayers(1) { resolveFromRoot(count) }
    },
    Workload("in 50 layers", floor: "in a layer", count: 1_000) { count in
      inLayers(50) { resolveFromRoot(count) }
    },
    Workload(
      "layer: open, double, resolve, close",
      floor: "TaskLocal.withValue + one-entry layer + resolve", count: 200
    ) { count in
      for _ in 0..<count { layerRound() }
    },
    Workload(
      "scoped root: open, resolve, close", floor: "TaskLocal.withValue + resolve", count: 200
    ) { count in
      for _ in 0..<count { withRoot(container) { use(Resolver.resolve(Catalog.self)) } }
    },
    Workload(
      "recorder scope: open, resolve, close", floor: "TaskLocal.withValue + resolve", count: 200
    ) { count in
      for _ in 0..<count { withRecorder(recorder) { use(container.resolve(Catalog.self)) } }
      recorder.clear()
    },
    Workload("recorder off, in a sandbox", count: 1_000) { count in
      withSandbox { for _ in 0..<count { use(container.resolve(Catalog.self)) } }
    },
    Workload(
      "recorder on", floor: "recorder off, in a sandbox", goal: 5, count: 1_000
    ) { count in
      withSandbox {
        withRecorder(recorder) { for _ in 0..<count { use(container.resolve(Catalog.self)) } }
      }
      recorder.clear()
    },
  ]
}

/// The same where a container is large: nothing may depend on how much is registered.
func large() -> [Workload] {
  let container = shop(.unique)
  fill(container, 100_000)
  return [
    Workload(
      "sandbox, as above, at 100,000 registrations",
      floor: "TaskLocal.withValue + one-entry layer + resolve",
      goal: 12, count: 200
    ) { count in
      for _ in 0..<count { sandboxRound(container) }
    },
    Workload("unique by type, at 100,000 registrations", floor: "direct init", goal: 2.2) {
      count in
      for _ in 0..<count { use(container.resolve(Catalog.self)) }
    },
  ]
}

/// Resolves the shop's catalog from a container.
public func resolve(_ container: Resolver, _ count: Int) {
  for _ in 0..<count { use(container.resolve(Catalog.self)) }
}

/// Registers the catalog in the main container.
public func fillRoot() {
  Resolver.main.register { makeCatalog() }.scope(.unique)
}
