import DIContainer
import DITesting
import Foundation
import Testing

private final class Catalog {}
private final class Checkout {
  let catalog: Catalog
  init(catalog: Catalog) { self.catalog = catalog }
}

/// When `registerAllServices` runs, how often, and what it may overwrite.
@Suite("registerAllServices")
struct StartupTests {
  @Test("It runs once, whichever of eight threads asks first, and all wait for it")
  func eightThreads() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock(0)
      let answers = Lock(0)
      let asking = DispatchSemaphore(value: 0)
      Resolver.wiring = {
        runs.withLock { $0 += 1 }
        Resolver.register { Catalog() }.scope(.application)
        // Half of the set-up is done. It goes on once all eight, this one among them, are asking.
        for _ in 0..<8 { asking.wait() }
        #expect(answers.withLock { $0 } == 0)
        Resolver.register { Checkout(catalog: Resolver.resolve()) }
      }
      let done = DispatchSemaphore(value: 0)
      for number in 0..<8 {
        Thread {
          asking.signal()
          let resolver = number.isMultiple(of: 2) ? Resolver.main : Resolver.root
          if (resolver.optional(Checkout.self)) != nil { answers.withLock { $0 += 1 } }
          done.signal()
        }.start()
      }
      for _ in 0..<8 { done.wait() }
      #expect(runs.withLock { $0 } == 1)
      #expect(answers.withLock { $0 } == 8)
    }
  }

  @Test("What it resolves itself is answered, and does not start it again")
  func reentrant() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock(0)
      Resolver.wiring = {
        runs.withLock { $0 += 1 }
        Resolver.register { Catalog() }.scope(.application)
        let catalog: Catalog = Resolver.resolve()
        Resolver.main.registerServices()
        Resolver.register { Checkout(catalog: catalog) }
      }
      let checkout: Checkout = Resolver.resolve()
      #expect(checkout.catalog === Resolver.resolve(Catalog.self))
      #expect(runs.withLock { $0 } == 1)
    }
  }

  @Test("It never overwrites what was registered before it ran")
  func registeredBefore() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = {
        Resolver.register(name: "mail") { "live" }
        Resolver.register(name: "mail") { "live, again" }.scope(.cached)
        Resolver.register(name: "other") { "first" }
        Resolver.register(name: "other") { "second" }
      }
      Resolver.register(name: "mail") { "fake" }
      #expect(Resolver.resolve(String.self, name: "mail") == "fake")
      #expect(Resolver.resolve(String.self, name: "other") == "second")
      Resolver.register(name: "mail") { "later" }
      #expect(Resolver.resolve(String.self, name: "mail") == "later")
    }
  }

  @Test("Options that it gives to what it could not overwrite change nothing")
  func optionsOfTheLoser() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = {
        Resolver.register { Catalog() }.scope(.cached).resolveProperties { _, _ in
          Issue.record("the live catalog was made")
        }
      }
      Resolver.register { Catalog() }.scope(.unique)
      #expect(Resolver.resolve(Catalog.self) !== Resolver.resolve(Catalog.self))
    }
  }

  @Test("A root that it assigns answers the request that started it")
  func assignsTheRoot() async {
    await #expect(processExitsWith: .success) {
      let shop = Resolver { $0.register(name: "shop") { "open" } }
      Resolver.wiring = { Resolver.root = shop }
      #expect(Resolver.resolve(String.self, name: "shop") == "open")
      #expect(Resolver.root === shop)
    }
  }

  @Test("A property wrapper starts it too")
  func startedByWrapper() async {
    await #expect(processExitsWith: .success) {
      try startsOnce {
        struct Client { @Injected var catalog: Catalog }
        _ = Client()
      }
    }
  }

  @Test("A list of registrations starts it too")
  func startedByList() async {
    await #expect(processExitsWith: .success) {
      try startsOnce {
        #expect(Resolver.main.registrations.count == 1)
      }
    }
  }

  @Test("An instance's request starts it too")
  func startedByInstance() async {
    await #expect(processExitsWith: .success) {
      try startsOnce {
        _ = Resolver().optional(Catalog.self)
      }
    }
  }

  @Test("A request that throws starts it too")
  func startedByRequire() async {
    await #expect(processExitsWith: .success) {
      try startsOnce {
        _ = try Resolver.require(Catalog.self)
      }
    }
  }

  @Test("The closure that registers services starts it too")
  func startedByClosure() async {
    await #expect(processExitsWith: .success) {
      try startsOnce {
        Resolver.registerServices?()
      }
    }
  }

  @Test("The method that registers services starts it too")
  func startedByMethod() async {
    await #expect(processExitsWith: .success) {
      try startsOnce {
        Resolver().registerServices()
      }
    }
  }

  @Test("After reset() it runs again, before the next request and not sooner")
  func reset() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock(0)
      Resolver.wiring = {
        runs.withLock { $0 += 1 }
        Resolver.register { Catalog() }.scope(.application)
      }
      let first: Catalog = Resolver.resolve()
      Resolver.reset()
      #expect(runs.withLock { $0 } == 1)
      #expect(Resolver.resolve(Catalog.self) !== first)
      #expect(runs.withLock { $0 } == 2)
      Resolver.reset()
      Resolver.reset()
      Resolver.registerServices()
      Resolver.registerServices()
      #expect(runs.withLock { $0 } == 3)
    }
  }
}

/// An instance that resolves when it is released.
private final class Session {
  let farewell: () -> Void
  init(_ farewell: @escaping () -> Void) { self.farewell = farewell }
  deinit { farewell() }
}

@Suite("An instance that resolves when a reset releases it")
struct ResolvingReleaseTests {
  @Test("gets what registerAllServices registers, in the process and in a sandbox")
  func reset() async {
    await #expect(processExitsWith: .success) {
      let resolved = Lock<[Bool]>([])
      Resolver.wiring = {
        Resolver.register { Catalog() }
        Resolver.register {
          Session { [resolved] in
            let catalog = Resolver.optional(Catalog.self)
            resolved.withLock { $0.append(catalog != nil) }
          }
        }.scope(.cached)
      }
      _ = Resolver.resolve(Session.self)
      Resolver.reset()
      #expect(resolved.withLock { $0 } == [true])
      withSandbox {
        _ = Resolver.resolve(Session.self)
        Resolver.reset()
        #expect(resolved.withLock { $0 } == [true, true])
      }
      #expect(Resolver.optional(Catalog.self) != nil)
    }
  }

  @Test("gets what autoRegister registers, after a reset of its container's manager")
  func manager() {
    let desk = Desk()
    _ = desk.session()
    desk.manager.reset()
    #expect(desk.resolved.withLock { $0 } == [true])
  }
}

private final class Desk: SharedContainer, AutoRegistering {
  static let shared = Desk()
  let manager = ContainerManager()
  let resolved = Lock<[Bool]>([])
  var catalog: Factory<Catalog?> { self { nil } }
  var session: Factory<Session> {
    self {
      Session {
        let catalog = self.catalog()
        self.resolved.withLock { $0.append(catalog != nil) }
      }
    }.cached
  }
  func autoRegister() { catalog.register { Catalog() } }
}

/// Expects `registerAllServices` to have run once after an entry, and not again with the next
/// request.
private func startsOnce(_ enter: () throws -> Void) throws {
  let runs = Lock(0)
  Resolver.wiring = {
    runs.withLock { $0 += 1 }
    Resolver.register { Catalog() }
  }
  try enter()
  #expect(runs.withLock { $0 } == 1)
  _ = Resolver.resolve(Catalog.self)
  #expect(runs.withLock { $0 } == 1)
}
