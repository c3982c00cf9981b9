import DICompatibility
import DIContainer
import DITesting
import Foundation
import TestSupport
import Testing

private class Catalog {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Checkout {
  let catalog: Catalog
  init(catalog: Catalog) { self.catalog = catalog }
}

private final class PoppedDepot: SharedContainer {
  static let shared = PoppedDepot()
  let manager = ContainerManager()
  var catalog: Factory<Catalog> { self { Catalog(0) } }
}

private final class Probe: Sendable {
  let onDeinit: @Sendable () -> Void
  init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
  deinit { onDeinit() }
}

/// Everything at once, from everywhere: nothing crashes, nothing hangs.
@Suite("Concurrency: churn")
struct ChurnConcurrencyTests {
  @Test("A pop takes no registration away for a moment, by key path or by type")
  func popping() {
    let rounds: UInt = isUnderThreadSanitizer ? 500 : 3_000
    let depot = PoppedDepot()
    depot.catalog.register { Catalog(7) }
    depot.register { Catalog(8) }
    let pops = Atomic()
    let wrong = Counter()
    onOwnThreads(3) { thread in
      if thread == 0 {
        for _ in 0..<rounds {
          depot.manager.push()
          depot.manager.pop()
          pops.increment()
        }
        return
      }
      while pops.value < rounds {
        if depot.catalog().number != 7 { wrong.increment() }
        if depot.resolve(Catalog.self)?.number != 8 { wrong.increment() }
      }
    }
    #expect(wrong.value == 0)
  }

  @Test("A container returns nothing older than one nested in it has returned")
  func nestedLookUps() {
    let rounds = isUnderThreadSanitizer ? 5_000 : 100_000
    let child = Resolver()
    let parent = Resolver(child: child)
    let isOver = Atomic()
    let stale = Counter()
    child.register { 0 }
    onOwnThreads(3) { thread in
      if thread == 0 {
        for round in 1...rounds { child.register { round } }
        return isOver.set(true)
      }
      while !isOver.isSet {
        let seen = child.resolve(Int.self)
        if parent.resolve(Int.self) < seen { stale.increment() }
      }
    }
    #expect(stale.value == 0)
  }

  @Test("Launch arguments that threads set at once are all set")
  func arguments() {
    let lost = Counter()
    withSandbox {
      let context = ResolutionContext.current
      for _ in 0..<(isUnderThreadSanitizer ? 300 : 3_000) {
        onOwnThreads(2) { thread in
          context.run { FactoryContext.setArg("on", forKey: "\(thread)") }
        }
        if FactoryContext.current.runtimeArguments.count != 2 { lost.increment() }
        for thread in 0..<2 { FactoryContext.removeArg(forKey: "\(thread)") }
      }
    }
    #expect(lost.value == 0)
  }

  @Test("Registering, resetting, nesting and resolving at once neither crashes nor deadlocks")
  func everythingAtOnce() {
    let rounds = 1_500
    let root = Resolver()
    let session = Scope.cache("session")
    root.register { Catalog(-1) }.scope(session)
    root.register(Checkout.init).scope(.graph)
    let wrong = Counter()
    onOwnThreads(8) { thread in
      for round in 0..<rounds {
        let name = Resolver.Name("\(round % 50)")
        switch thread {
        case 0: root.register(name: name) { Catalog(round) }.scope(session)
        case 1: root.register { Catalog(round) }.scope(.cached).implements(AnyObject.self)
        case 2: session.reset()
        case 3: if round < 40 { root.add(child: Resolver { $0.register { round } }) }
        case 4: root.remove(Catalog.self, name: name)
        default: break
        }
        if root.resolve(Checkout.self).catalog.number < -1 { wrong.increment() }
        if let named = root.optional(Catalog.self, name: name), named.number % 50 != round % 50 {
          wrong.increment()
        }
        if round % 100 == 0 { _ = root.registrations }
      }
    }
    #expect(wrong.value == 0)
    #expect(root.resolve(Int.self) == 0 || root.resolve(Int.self) > 0)
  }

  @Test("Kept instances whose deinit resolves are replaced on all threads at once")
  func deinitResolves() {
    let resolver = Resolver()
    let ended = Counter()
    resolver.register(name: "log") { Catalog(0) }.scope(.cached)
    @Sendable func register() {
      resolver.register {
        Probe {
          _ = resolver.resolve(Catalog.self, name: "log")
          ended.increment()
        }
      }.scope(.cached)
    }
    register()
    onOwnThreads(8) { _ in
      for _ in 0..<300 {
        register()
        _ = resolver.resolve(Probe.self)
      }
    }
    let before = ended.value
    resolver.remove(Probe.self)
    #expect(ended.value <= before + 1)
    #expect(before > 0)
  }

  @Test("Containers are nested into each other from two threads: one of them is refused")
  func nestingBothWays() async {
    await #expect(processExitsWith: .failure) {
      let one = Resolver()
      let other = Resolver()
      onOwnThreads(2) { thread in
        if thread == 0 { one.add(child: other) } else { other.add(child: one) }
      }
    }
  }

  // In release builds the optimiser moves retains: past the end of a read section, if it is let.
  @Test("A factory is there as long as it runs, while others are registered in its place")
  func replacedFactories() {
    let resolver = Resolver()
    let registrations = isUnderThreadSanitizer ? 2_000 : 50_000
    let isOver = Atomic()
    let strange = Counter()
    resolver.register { Catalog(0) }.implements(AnyObject.self).scope(.unique)
    onOwnThreads(5) { thread in
      if thread == 0 {
        for number in 1...registrations {
          let catalog = Catalog(number)
          resolver.register { catalog }.scope(.unique)
        }
        isOver.set(true)
      } else {
        while !isOver.isSet {
          let number =
            thread.isMultiple(of: 2)
            ? resolver.resolve(Catalog.self).number
            : (resolver.resolve(AnyObject.self) as? Catalog)?.number ?? -1
          if !(0...registrations).contains(number) { strange.increment() }
        }
      }
    }
    #expect(strange.value == 0)
  }

  @Test("Threads come and go, and each starts with no resolution under way")
  func shortLivedThreads() {
    let resolver = Resolver()
    resolver.register { Catalog(1) }
    resolver.register { r in Checkout(catalog: r.resolve()) }
    let right = Counter()
    for _ in 0..<20 {
      onOwnThreads(8) { _ in
        if resolver.resolve(Checkout.self).catalog.number == 1 { right.increment() }
      }
    }
    #expect(right.value == 160)
  }

  @Test("The root is swapped and main is reset while others resolve")
  func rootSwaps() async {
    await #expect(processExitsWith: .success) {
      let mock = Resolver(child: .main) { $0.register(name: "who") { "mock" } }
      let strange = Counter()
      onOwnThreads(8) { thread in
        for round in 0..<1_000 {
          switch thread {
          case 0: Resolver.root = round.isMultiple(of: 2) ? mock : .main
          case 1: Resolver.register(name: "who") { "main" }
          case 2: if round.isMultiple(of: 50) { Resolver.reset() }
          case 3: Scope.cached.reset()
          default:
            let who = Resolver.optional(String.self, name: "who")
            if who != nil, who != "mock", who != "main" { strange.increment() }
          }
        }
      }
      #expect(strange.value == 0)
      Resolver.reset()
      #expect(Resolver.root === Resolver.main)
    }
  }

  @Test("Recorders hear each thread's requests while registrations change")
  func recording() {
    let resolver = Resolver()
    resolver.register { Catalog(1) }
    resolver.register { r in Checkout(catalog: r.resolve()) }
    let recorders = (0..<8).map { _ in ResolutionRecorder() }
    onOwnThreads(8) { thread in
      withRecorder(recorders[thread]) {
        for _ in 0..<100 { _ = resolver.resolve(Checkout.self) }
      }
    }
    for recorder in recorders {
      #expect(recorder.events.count == 200)
      #expect(recorder.resolutions(of: Catalog.self).allSatisfy { $0.depth == 1 })
    }
  }
}
