import DIContainer
import DITesting
import TestSupport
import Testing

private final class Parcel {}

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
  let isOutOfStock = Lock(true)
  /// What the first request waits for while it builds.
  let firstBuild = Lock<(@Sendable () -> Void)?>(nil)
  /// Has nothing for whoever builds first.
  var restocked: ParameterFactory<Int, Parcel?> {
    self { _ in
      let wasOut = self.isOutOfStock.withLock { isOut in
        defer { isOut = false }
        return isOut
      }
      return wasOut ? self.makeSlowly(nil) : self.make()
    }.scopeOnParameters.cached
  }
  var numbered: ParameterFactory<Int, Parcel> {
    self { _ in self.makeSlowly() }.scopeOnParameters.cached
  }
  var cachedSlowly: Factory<Parcel> { self { self.makeSlowly() }.cached }
  private func makeSlowly() -> Parcel { makeSlowly(make())! }
  private func makeSlowly(_ parcel: Parcel?) -> Parcel? {
    let wait = firstBuild.withLock { wait in
      defer { wait = nil }
      return wait
    }
    wait?()
    return parcel
  }
}

@Suite("Concurrency by key path", .serialized)
struct FactoryConcurrencyTests {
  private func identities(
    _ container: StressContainer, _ ask: @escaping @Sendable (StressContainer) -> Parcel
  ) -> Set<ObjectIdentifier> {
    let seen = Lock([Parcel]())
    onOwnThreads(8) { _ in
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

  @Test("Eight threads that ask first in a sandbox get one instance", arguments: [false, true])
  func cachedInSandbox(isReset: Bool) {
    for _ in 0..<50 {
      let container = StressContainer()
      if isReset { _ = container.cached() }
      let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
      func ask() -> ObjectIdentifier {
        ContextFrame.$bound.withValue(sandbox) { ObjectIdentifier(container.cached()) }
      }
      if isReset { ContextFrame.$bound.withValue(sandbox) { container.manager.reset() } }
      let seen = Lock<Set<ObjectIdentifier>>([])
      onOwnThreads(8) { _ in
        let parcel = ContextFrame.$bound.withValue(sandbox) { container.cached() }
        seen.withLock { _ = $0.insert(ObjectIdentifier(parcel)) }
      }
      seen.withLock { #expect($0 == [ask()]) }
    }
  }

  enum Meanwhile: CaseIterable {
    case asked, context, defaultScope, pushed, contextsReset, allContextsReset
  }

  @Test(
    "What is registered while another thread asks first, says more or less, is registered",
    arguments: Meanwhile.allCases)
  func registeredMeanwhile(_ meanwhile: Meanwhile) {
    for _ in 0..<(isUnderThreadSanitizer ? 200 : 1_000) {
      let container = StressContainer()
      let made = Counter()
      if meanwhile != .asked { _ = container.cached() }
      onOwnThreads(2) { thread in
        if thread == 0 {
          container.cached.register {
            made.increment()
            return Parcel()
          }
          return
        }
        switch meanwhile {
        case .asked: _ = container.cached()
        case .context: container.cached.onArg("unset") { Parcel() }
        case .defaultScope: container.manager.defaultScope = .shared
        case .pushed: container.manager.push()
        case .contextsReset: container.cached.reset(.context)
        case .allContextsReset: container.manager.reset(options: .context)
        }
      }
      container.cached.reset(.scope)
      let before = made.value
      _ = container.cached()
      #expect(made.value == before + 1)
    }
  }

  @Test("Threads that ask for a property and that say something of it, in a sandbox, share it")
  func saidInSandbox() {
    for _ in 0..<1_000 {
      let container = StressContainer()
      let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
      let seen = Lock<Set<ObjectIdentifier>>([])
      let kept = Lock<[Parcel]>([])
      @Sendable func ask() {
        let parcel = ContextFrame.$bound.withValue(sandbox) { container.cached() }
        kept.withLock { $0.append(parcel) }
        seen.withLock { _ = $0.insert(ObjectIdentifier(parcel)) }
      }
      onOwnThreads(2) { thread in
        if thread == 0 { return ask() }
        ContextFrame.$bound.withValue(sandbox) { _ = container.cached.onArg("unset") { Parcel() } }
      }
      ask()
      #expect(seen.withLock { $0.count } == 1)
    }
  }

  @Test("Who waited for a parameter's instance that came to nothing shares the next one")
  func nilByParameter() {
    for round in 0..<100 {
      let container = StressContainer()
      let isBuilding = Barrier(4)
      container.firstBuild.withLock {
        $0 = {
          isBuilding.wait()
          // So that the others come to wait for it, more often than not.
          for _ in 0..<round { _ = container.unique() }
        }
      }
      let seen = Lock([Parcel]())
      onOwnThreads(4) { thread in
        if thread > 0 { isBuilding.wait() }
        for _ in 0..<3 {
          if let parcel = container.restocked(7) { seen.withLock { $0.append(parcel) } }
        }
      }
      #expect(Set(seen.withLock { $0 }.map { ObjectIdentifier($0) }).count == 1)
      #expect(container.built.withLock { $0 } == 1)
    }
  }

  @Test("A reset while a parameter's instance is built makes one more, for all who ask on")
  func resetByParameter() {
    for round in 0..<100 {
      let container = StressContainer()
      let (isBuilding, isReset) = (Barrier(4), Barrier(2))
      container.firstBuild.withLock {
        $0 = {
          isBuilding.wait()
          isReset.wait()
        }
      }
      onOwnThreads(4) { thread in
        if thread > 0 { isBuilding.wait() }
        if thread == 1 {
          // So that the others come to wait for the first, more often than not.
          for _ in 0..<round { _ = container.unique() }
          container.numbered.reset(.scope)
          isReset.wait()
        }
        _ = container.numbered(7)
      }
      #expect(container.numbered(7) === container.numbered(7))
      #expect(container.built.withLock { $0 } == 2)
    }
  }

  @Test("So it is where an instance is kept for each container that is asked")
  func resetOfAsked() {
    for round in 0..<100 {
      let built = Counter()
      let (isBuilding, isReset) = (Barrier(4), Barrier(2))
      let shop = Resolver { r in
        r.register {
          let isFirst = built.increment() == 1
          if isFirst {
            isBuilding.wait()
            isReset.wait()
          }
          return Parcel()
        }.scope(.container)
      }
      let nest = Resolver(child: shop)
      onOwnThreads(4) { thread in
        if thread > 0 { isBuilding.wait() }
        if thread == 1 {
          for _ in 0..<round { _ = Resolver() }
          nest.cache.reset()
          isReset.wait()
        }
        _ = nest.resolve(Parcel.self)
      }
      #expect(nest.resolve(Parcel.self) === nest.resolve(Parcel.self))
      #expect(built.value == 2)
    }
  }

  @Test("A reset in a sandbox while an instance is built makes one more, for all who ask on")
  func resetInSandbox() {
    for round in 0..<100 {
      let container = StressContainer()
      let (isBuilding, isReset) = (Barrier(4), Barrier(2))
      container.firstBuild.withLock {
        $0 = {
          isBuilding.wait()
          isReset.wait()
        }
      }
      withSandbox {
        let context = ResolutionContext.current
        onOwnThreads(4) { thread in
          context.run {
            if thread > 0 { isBuilding.wait() }
            if thread == 1 {
              for _ in 0..<round { _ = container.unique() }
              container.cachedSlowly.reset(.scope)
              isReset.wait()
            }
            _ = container.cachedSlowly()
          }
        }
        #expect(container.cachedSlowly() === container.cachedSlowly())
        #expect(container.built.withLock { $0 } == 2)
      }
    }
  }

  @Test("Registering, resetting and asking at the same time crash nothing and lose nothing")
  func churn() {
    let container = StressContainer()
    onOwnThreads(8) { thread in
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
