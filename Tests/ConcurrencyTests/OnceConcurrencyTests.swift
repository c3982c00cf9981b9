@testable import DIContainer
import Foundation
import TestSupport
import Testing

private final class Catalog: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private struct Unavailable: Error {}

/// A kept instance is built once, however many threads ask first.
@Suite("Concurrency: once")
struct OnceConcurrencyTests {
  @Test(
    "Eight threads that ask first for thousands of registrations build each exactly once",
    arguments: [Scope.cached, .application, .shared, .container])
  func firstResolutions(scope: Scope) {
    let rounds = isUnderThreadSanitizer ? 2_000 : 10_000
    let resolver = Resolver()
    let built = (0..<rounds).map { _ in Atomic() }
    for number in 0..<rounds {
      resolver.register(name: Resolver.Name("\(number)")) {
        built[number].increment()
        return Catalog(number)
      }.scope(scope)
    }
    let names = (0..<rounds).map { Resolver.Name("\($0)") }
    let seen = Lock([[Catalog]](repeating: [], count: 8))
    onOwnThreads(8) { thread in
      var mine: [Catalog] = []
      mine.reserveCapacity(rounds)
      for number in 0..<rounds {
        mine.append(resolver.resolve(Catalog.self, name: names[number]))
      }
      let all = mine
      seen.withLock { $0[thread] = all }
    }
    let all = seen.withLock { $0 }
    #expect(built.allSatisfy { $0.value == 1 })
    for thread in 1..<8 {
      #expect(zip(all[0], all[thread]).allSatisfy { $0 === $1 })
    }
    #expect(all[0].enumerated().allSatisfy { $0 == $1.number })
  }

  @Test("Where a factory throws, the next in line builds, and nothing is kept of the failure")
  func throwingFactory() {
    let resolver = Resolver()
    let runs = Counter()
    resolver.register {
      let run = runs.increment()
      if run <= 5 { throw Unavailable() }
      return Catalog(run)
    }.scope(.cached)
    let failures = Counter()
    let instances = Lock<[Catalog]>([])
    onOwnThreads(8) { _ in
      do {
        let catalog = try resolver.require(Catalog.self)
        instances.withLock { $0.append(catalog) }
      } catch {
        failures.increment()
      }
    }
    #expect(failures.value == 5)
    #expect(runs.value == 6)
    #expect(instances.withLock { $0.map(\.number) } == [6, 6, 6])
  }

  @Test("Where a factory answers nil, the next in line asks it again")
  func nilFactory() {
    let resolver = Resolver()
    let runs = Counter()
    resolver.register { () -> Catalog? in
      let run = runs.increment()
      return run <= 5 ? nil : Catalog(run)
    }.scope(.application)
    let answers = Lock<[Int?]>([])
    onOwnThreads(8) { _ in
      let number = resolver.optional(Catalog.self)?.number
      answers.withLock { $0.append(number) }
    }
    let all = answers.withLock { $0 }
    #expect(all.filter { $0 == nil }.count == 5)
    #expect(all.filter { $0 == 6 }.count == 3)
  }

  @Test("Threads that come while a factory runs wait for it and get its instance")
  func waiting() {
    let resolver = Resolver()
    let runs = Counter()
    let inside = Barrier(2)
    let asked = Counter()
    resolver.register {
      inside.wait()
      // Not before the others have at least set out to ask, which must not take a minute.
      let end = ContinuousClock.now + .seconds(60)
      while asked.value < 7, ContinuousClock.now < end {}
      #expect(asked.value == 7)
      return Catalog(runs.increment())
    }.scope(.cached)
    onOwnThreads(8) { thread in
      if thread > 0 {
        if thread == 1 { inside.wait() }
        asked.increment()
      }
      #expect(resolver.resolve(Catalog.self).number == 1)
    }
    #expect(runs.value == 1)
  }

  @Test("A reset while a factory runs: the request gets its instance, later ones another")
  func resetDuringBuild() {
    let resolver = Resolver()
    let session = Scope.cache("session")
    resolver.register {
      session.reset()
      return Catalog(1)
    }.scope(session)
    let first = resolver.resolve(Catalog.self)
    #expect(resolver.resolve(Catalog.self) !== first)
  }

  @Test(
    "A reset while others wait for a build: all of them get its instance, later ones another",
    arguments: [
      Scope.cached, .application, .singleton, .shared, .container, .perContainer(.strong),
    ])
  func resetWhileOthersWait(scope: Scope) throws {
    // Kept by the scope of this round only, which others do not ask.
    let resolver = Resolver()
    let runs = Counter()
    let keeper = Lock<Keeper?>(nil)
    resolver.register {
      if runs.increment() == 1, let keeper = keeper.withLock({ $0 }) {
        while keeper.waiterCount < 3 { sched_yield() }
        keeper.forget()
      }
      return Catalog(runs.value)
    }.scope(scope)
    let found = resolver.core.registry.find(ServiceKey(Catalog.self))
    keeper.withLock { $0 = found?.keeper }
    let seen = Lock<[Catalog]>([])
    onOwnThreads(4) { _ in
      let catalog = resolver.resolve(Catalog.self)
      seen.withLock { $0.append(catalog) }
    }
    let all = seen.withLock { $0 }
    #expect(runs.value == 1)
    #expect(all.allSatisfy { $0 === all[0] })
    #expect(resolver.resolve(Catalog.self) !== all[0])
  }

  @Test("Whoever asks after a reset does not get what was being built before it")
  func afterTheReset() throws {
    let resolver = Resolver()
    let runs = Counter()
    let keeper = Lock<Keeper?>(nil)
    let isReset = Barrier(2)
    resolver.register {
      let run = runs.increment()
      if run == 1, let keeper = keeper.withLock({ $0 }) {
        keeper.forget()
        isReset.wait()
        while keeper.waiterCount < 1 { sched_yield() }
      }
      return Catalog(run)
    }.scope(.cached)
    let found = resolver.core.registry.find(ServiceKey(Catalog.self))
    keeper.withLock { $0 = found?.keeper }
    let seen = Lock([Int](repeating: 0, count: 2))
    onOwnThreads(2) { thread in
      if thread == 1 { isReset.wait() }
      let number = resolver.resolve(Catalog.self).number
      seen.withLock { $0[thread] = number }
    }
    #expect(seen.withLock { $0 } == [1, 2])
  }

  @Test("A site's instance stays, where another thread releases the last link before")
  func siteReleasedMeanwhile() {
    @Sendable func shop() -> Resolver { Resolver { $0.register { Catalog(0) }.scope(.single) } }
    // Looking for links takes a while.
    let removed = (0..<200).map { _ in shop() }
    for shop in removed { shop.remove(Catalog.self) }
    onOwnThreads(4) { _ in
      for _ in 0..<(isUnderThreadSanitizer ? 20 : 100) {
        let own = shop()
        let first = own.resolve(Catalog.self)
        #expect(own.resolve(Catalog.self) === first)
      }
    }
    withExtendedLifetime(removed) {}
  }

  @Test("A lazy property shared by eight threads has one instance, which is made once")
  func lazyProperty() {
    for _ in 0..<100 {
      let resolver = Resolver()
      let built = Counter()
      resolver.register { Catalog(built.increment()) }.scope(.unique)
      let property = LazyInjected<Catalog>(container: resolver)
      let seen = Lock<Set<Int>>([])
      onOwnThreads(8) { _ in
        let number = property.wrappedValue.number
        seen.withLock { _ = $0.insert(number) }
      }
      #expect(seen.withLock { $0 } == [1])
      #expect(built.value == 1)
    }
  }

  @Test("A weak lazy property shared by eight threads has one instance, which is made once")
  func weakLazyProperty() {
    for _ in 0..<100 {
      let resolver = Resolver()
      let built = Counter()
      let made = Lock<[Catalog]>([])
      resolver.register {
        let catalog = Catalog(built.increment())
        made.withLock { $0.append(catalog) }
        return catalog
      }.scope(.unique)
      let property = WeakLazyInjected<Catalog>(container: resolver)
      let seen = Lock<Set<Int?>>([])
      onOwnThreads(8) { _ in
        let number = property.wrappedValue?.number
        seen.withLock { _ = $0.insert(number) }
      }
      #expect(seen.withLock { $0 } == [1])
      #expect(made.withLock { $0.count } == 1)
    }
  }

  @Test("A lazy property that is used while it resolves resolves what it asks for by then")
  func lazyInItsOwnFactory() {
    let resolver = Resolver()
    let property = LazyInjected<Catalog>(name: "outer", container: resolver)
    resolver.register(name: "inner") { Catalog(1) }
    resolver.register(name: "outer") {
      property.name = "inner"
      return Catalog(property.wrappedValue.number + 1)
    }
    #expect(property.wrappedValue.number == 1)
  }

  /// Uses a property that resolves a new catalog with the number of its build, and has another
  /// thread do something while the first one is built; returns the number at the first use.
  private func firstUse(
    _ resolver: Resolver, _ use: @escaping @Sendable () -> Int?,
    meanwhile: @escaping @Sendable () -> Void
  ) -> Int? {
    let (began, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let runs = Counter()
    for name in [nil, "other"] as [Resolver.Name?] {
      resolver.register(name: name) {
        let run = runs.increment()
        if run == 1 {
          began.signal()
          go.wait()
        }
        return Catalog(run)
      }.scope(.cached)
    }
    let number = Lock<Int?>(nil)
    onOwnThreads(2) { thread in
      if thread == 0 {
        let first = use()
        return number.withLock { $0 = first }
      }
      began.wait()
      meanwhile()
      go.signal()
    }
    return number.withLock { $0 }
  }

  @Test("A lazy property that is released during its first use resolves anew at the next")
  func lazyReleasedMeanwhile() {
    let resolver = Resolver()
    let property = LazyInjected<Catalog>(container: resolver)
    let first = firstUse(resolver) {
      property.wrappedValue.number
    } meanwhile: {
      property.release()
    }
    #expect(first == 1)
    #expect(property.isEmpty)
  }

  @Test("A weak lazy property that is released during its first use resolves anew at the next")
  func weakLazyReleasedMeanwhile() {
    let resolver = Resolver()
    let property = WeakLazyInjected<Catalog>(container: resolver)
    let first = firstUse(resolver) {
      property.wrappedValue?.number
    } meanwhile: {
      property.release()
    }
    #expect(first == 1)
    #expect(property.isEmpty)
  }

  @Test("A lazy property that gets another name during its first use resolves by that at the next")
  func lazyRenamedMeanwhile() {
    let resolver = Resolver()
    let property = LazyInjected<Catalog>(container: resolver)
    let first = firstUse(resolver) {
      property.wrappedValue.number
    } meanwhile: {
      property.name = "other"
    }
    #expect(first == 1)
    #expect(property.wrappedValue.number == 2)
  }

  @Test("A lazy property and an instance whose properties use it resolve on two threads")
  func lazyInACircle() {
    final class Shelf: @unchecked Sendable {
      var catalog: Catalog?
    }
    let resolver = Resolver()
    let property = LazyInjected<Catalog>(container: resolver)
    let isShelfMade = DispatchSemaphore(value: 0)
    let isCatalogBeingMade = DispatchSemaphore(value: 0)
    resolver.register { Shelf() }
      .resolveProperties { _, shelf in
        isShelfMade.signal()
        _ = isCatalogBeingMade.wait(timeout: .now() + 60)
        shelf.catalog = property.wrappedValue
      }
      .scope(.cached)
    resolver.register { r in
      isCatalogBeingMade.signal()
      return Catalog(r.resolve(Shelf.self).catalog == nil ? 1 : 2)
    }.scope(.unique)
    let seen = Lock([Int](repeating: 0, count: 2))
    onOwnThreads(2) { thread in
      if thread == 1 { _ = isShelfMade.wait(timeout: .now() + 60) }
      let number =
        thread == 0
        ? resolver.resolve(Shelf.self).catalog?.number : property.wrappedValue.number
      seen.withLock { $0[thread] = number ?? 0 }
    }
    #expect(seen.withLock { $0 } == [1, 1])
  }

  @Test("A double that a weak lazy property is given while it resolves stays")
  func weakLazyAssigned() {
    let resolver = Resolver()
    let double = Catalog(2)
    let property = WeakLazyInjected<Catalog>(container: resolver)
    resolver.register {
      property.wrappedValue = double
      return Catalog(1)
    }.scope(.cached)
    #expect(property.wrappedValue === double)
    #expect(property.wrappedValue === double)
  }

  @Test("A weakly kept instance is one for all who hold it, while others let go")
  func weaklyKept() {
    let resolver = Resolver()
    resolver.register { Catalog(1) }.scope(.shared)
    let different = Counter()
    onOwnThreads(8) { _ in
      for _ in 0..<2_000 {
        let one = resolver.resolve(Catalog.self)
        let other = resolver.resolve(Catalog.self)
        if one !== other { different.increment() }
      }
    }
    #expect(different.value == 0)
  }
}
