import DIContainer
import DITesting
import Foundation
import TestSupport
import Testing

private final class Catalog: Sendable {}
private final class Checkout: Sendable {}

/// What other threads do while `registerAllServices` runs; each test in a process of its own.
@Suite("registerAllServices, while other threads ask and reset,")
struct StartupRaceTests {
  @Test("runs once, whichever scopes are reset meanwhile, and sandboxes stay apart afterwards")
  func scopeResets() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock(0)
      let round = Lock(0)
      let asking = DispatchSemaphore(value: 0)
      Resolver.wiring = {
        let runs = runs.withLock { runs in
          runs += 1
          return runs
        }
        Resolver.register { Catalog() }.scope(.application)
        guard runs == round.withLock({ $0 }) else { return }
        for _ in 0..<4 { asking.wait() }
        for scope in [Scope.application, .cached, .singleton, .shared, .container] {
          scope.reset()
        }
      }
      for number in 1...50 {
        round.withLock { $0 = number }
        onThreads(4) { _ in
          asking.signal()
          #expect(Resolver.optional(Catalog.self) != nil)
        }
        #expect(runs.withLock { $0 } == number)
        Resolver.reset()
      }
      round.withLock { $0 = 0 }
      let live = Resolver.resolve(Catalog.self)
      withSandbox {
        let double = Catalog()
        Resolver.register { double }
        #expect(Resolver.resolve(Catalog.self) === double)
      }
      #expect(Resolver.resolve(Catalog.self) === live)
    }
  }

  @Test("runs once more where `main` is emptied in the middle of it")
  func resetMeanwhile() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock(0)
      Resolver.wiring = {
        Resolver.register { Catalog() }
        let isFirst = runs.withLock { runs in
          runs += 1
          return runs == 1
        }
        if isFirst { onThreads(1) { _ in Resolver.reset() } }
        Resolver.register { Checkout() }
      }
      #expect(Resolver.optional(Checkout.self) != nil)
      #expect(Resolver.optional(Catalog.self) != nil)
      #expect(Resolver.optional(Checkout.self) != nil)
      #expect(runs.withLock { $0 } == 2)
    }
  }

  @Test("has run again by the next request, whoever asked while `main` was reset")
  func resetWhileOthersAsk() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.register { Catalog() } }
      for _ in 0..<200 {
        let isReset = Lock(false)
        let asking = DispatchSemaphore(value: 0)
        let resetter = Thread {
          asking.wait()
          Resolver.reset()
          isReset.withLock { $0 = true }
        }
        resetter.start()
        onThreads(2) { _ in
          asking.signal()
          while !isReset.withLock({ $0 }) { _ = Resolver.optional(Catalog.self) }
        }
        #expect(Resolver.optional(Catalog.self) != nil)
      }
    }
  }

  @Test("may itself begin with a reset, and runs once")
  func resetsItself() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock(0)
      Resolver.wiring = {
        runs.withLock { $0 += 1 }
        Resolver.reset()
        Resolver.register { Catalog() }
        #expect(Resolver.optional(Catalog.self) != nil)
      }
      #expect(Resolver.optional(Catalog.self) != nil)
      #expect(Resolver.optional(Catalog.self) != nil)
      #expect(runs.withLock { $0 } == 1)
      withSandbox {
        Resolver.reset()
        #expect(Resolver.optional(Catalog.self) != nil)
        #expect(Resolver.optional(Catalog.self) != nil)
        #expect(runs.withLock { $0 } == 2)
      }
    }
  }

  @Test("is waited for by all work of the sandbox that was reset")
  func sandbox() async {
    await #expect(processExitsWith: .success) {
      let asking = DispatchSemaphore(value: 0)
      let isInside = Lock(false)
      let runs = Lock(0)
      Resolver.wiring = {
        if isInside.withLock({ $0 }) {
          runs.withLock { $0 += 1 }
          for _ in 0..<4 { asking.wait() }
        }
        Resolver.register { Catalog() }
      }
      Resolver.main.registerServices()
      isInside.withLock { $0 = true }
      for number in 1...20 {
        withSandbox {
          Resolver.reset()
          let context = ResolutionContext.current
          let missed = Lock(0)
          onThreads(4) { _ in
            context.run {
              asking.signal()
              if Resolver.optional(Catalog.self) == nil { missed.withLock { $0 += 1 } }
            }
          }
          #expect(missed.withLock { $0 } == 0)
          #expect(runs.withLock { $0 } == number)
        }
      }
    }
  }
}

/// What a dry run leaves behind; in a process of its own, for requests of others would show too.
@Suite("A dry run that met a trap")
struct DryRunRemainsTests {
  @Test("does not slow the process's requests down afterwards")
  func attention() async {
    await #expect(processExitsWith: .success) {
      let shop = Resolver { r in
        r.register { r in
          let _: Catalog = r.resolve()
          return Checkout()
        }
      }
      #expect(throws: (any Error).self) { try shop.validate(dryRun: true) }
      #expect(!ContextFrame.needsAttention)
    }
  }
}
