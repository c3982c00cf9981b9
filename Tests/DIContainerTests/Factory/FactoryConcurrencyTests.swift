import DIContainer
import Testing

private final class StressContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  let built = Lock(0)
  init() {}
  private func make() -> Parcel {
    built.withLock { $0 += 1 }
    return Parcel()
  }
  var single: Factory<Parcel> { self { self.make() }.singleton }
  var cached: Factory<Parcel> { self { self.make() }.cached }
  var nested: Factory<[Parcel]> { self { [self.cached(), self.cached()] }.cached }
  var unique: Factory<Parcel> { self { Parcel() } }
}

@Suite("Concurrency by key path", .serialized)
struct FactoryConcurrencyTests {
  private func identities(
    _ container: StressContainer, _ ask: @escaping @Sendable (StressContainer) -> Parcel
  ) -> Set<ObjectIdentifier> {
    let seen = Lock([Parcel]())
    onThreads(8) { _ in
      let parcel = ask(container)
      seen.withLock { $0.append(parcel) }
    }
    return Set(seen.withLock { $0 }.map { ObjectIdentifier($0) })
  }

  @Test("Eight threads that ask first for a singleton get one instance")
  func singleton() {
    for _ in 0..<30 {
      let container = StressContainer()
      container.single.reset(.scope)
      #expect(identities(container) { $0.single() }.count == 1)
      #expect(container.built.withLock { $0 } == 1)
    }
  }

  @Test("Eight threads that ask first for a cached service get one instance")
  func cached() {
    for _ in 0..<50 {
      let container = StressContainer()
      #expect(identities(container) { $0.cached() }.count == 1)
      #expect(identities(container) { $0.nested()[0] }.count == 1)
      #expect(container.built.withLock { $0 } == 1)
    }
  }

  @Test("Registering, resetting and asking at the same time crash nothing and lose nothing")
  func churn() {
    let container = StressContainer()
    onThreads(8) { thread in
      for _ in 0..<200 {
        switch thread % 4 {
        case 0: container.cached.register { Parcel() }
        case 1: container.cached.reset()
        case 2: container.manager.reset(options: .scope)
        default: break
        }
        _ = container.cached()
        _ = container.unique()
      }
    }
    container.reset()
    #expect(container.cached() === container.cached())
  }
}
