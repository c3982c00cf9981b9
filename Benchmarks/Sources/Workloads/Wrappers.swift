import DIContainer

// An object whose one property asks for a service that is kept: made, and where the wrapper is
// lazy, used once.

private final class Plain {
  let settings: Settings = Resolver.resolve()

  @inline(never) static func make() -> Plain { Plain() }
}

private final class Eager {
  @Injected var settings: Settings

  @inline(never) static func make() -> Eager { Eager() }
}

private final class EagerByKeyPath {
  @Injected(\.wrapped) var settings: Settings

  @inline(never) static func make() -> EagerByKeyPath { EagerByKeyPath() }
}

private final class Lazy {
  @LazyInjected var settings: Settings

  @inline(never) static func make() -> Lazy { Lazy() }
}

private final class LazyByKeyPath {
  @LazyInjected(\.wrapped) var settings: Settings

  @inline(never) static func make() -> LazyByKeyPath { LazyByKeyPath() }
}

private final class WeakLazy {
  @WeakLazyInjected var settings: Settings?

  @inline(never) static func make() -> WeakLazy { WeakLazy() }
}

extension Container {
  fileprivate var wrapped: Factory<Settings> { self { Settings() }.cached }
}

func wrappers() -> [Workload] {
  Resolver.register { Settings() }.scope(.cached)
  let used = Lazy()
  return [
    Workload("object with a let", count: 1_000) { count in
      for _ in 0..<count { use(Plain.make().settings) }
    },
    Workload("object with @Injected", floor: "object with a let", count: 1_000) { count in
      for _ in 0..<count { use(Eager.make().settings) }
    },
    Workload(
      "object with @Injected, by key path", floor: "object with a let", count: 1_000
    ) { count in
      for _ in 0..<count { use(EagerByKeyPath.make().settings) }
    },
    Workload("object with @LazyInjected", floor: "object with a let", count: 1_000) { count in
      for _ in 0..<count { use(Lazy.make().settings) }
    },
    Workload(
      "object with @LazyInjected, by key path", floor: "object with a let", count: 1_000
    ) { count in
      for _ in 0..<count { use(LazyByKeyPath.make().settings) }
    },
    Workload("object with @WeakLazyInjected", floor: "object with a let", count: 1_000) { count in
      for _ in 0..<count { use(WeakLazy.make().settings) }
    },
    Workload("@LazyInjected, used again", floor: "dictionary + pthread lock") { count in
      for _ in 0..<count { use(used.settings) }
    },
  ]
}
