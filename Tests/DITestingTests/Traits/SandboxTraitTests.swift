import DITesting
import Testing

// Traits are applied to a test case, so most of these tests only look at what they find. What they
// share is counted in one place, a run of the whole suite.

/// Counts how often trait closures run, and remembers the doubles that test cases got.
final class Counter: Sendable {
  private let state = Lock<[String: Int]>([:])
  private let labels = Lock<[String: [String]]>([:])

  static let shared = Counter()

  func count(_ name: String) -> Int {
    state.withLock {
      $0[name, default: 0] += 1
      return $0[name]!
    }
  }

  /// Remembers a label, and answers all that were noted under the name so far.
  func note(_ label: String, under name: String) -> [String] {
    labels.withLock {
      $0[name, default: []].append(label)
      return $0[name]!
    }
  }
}

extension Resolver {
  fileprivate static let traitShop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }
}

private func numbered(_ name: String) -> any Payments {
  FakePayments("\(name) \(Counter.shared.count(name))")
}

@Suite(".sandbox", .sandbox { $0.register { FakePayments("suite") as any Payments } })
struct SandboxTraitTests {
  // The suite's own value is made inside the sandbox too.
  let made = Resolver.resolve((any Payments).self).label

  @Test("on a suite sets up every test of it")
  func suite() {
    #expect(made == "suite")
    #expect(currentLabel() == "suite")
  }

  @Test("lets the test body win over suite and test", .sandbox)
  func body() {
    #expect(currentLabel() == "suite")
    withSandbox {
      Resolver.main.register { FakePayments("body") as any Payments }
      #expect(currentLabel() == "body")
    }
  }

  @Test(
    "on a test wins over the one on its suite",
    .sandbox { $0.register { FakePayments("test") as any Payments } })
  func test() {
    #expect(made == "test")
    #expect(currentLabel() == "test")
  }

  @Test(
    "twice on a test: the later one is inside", .withoutWarnings,
    .sandbox { $0.register { FakePayments("first") as any Payments } },
    .sandbox { $0.register { FakePayments("second") as any Payments } })
  func twice() {
    #expect(currentLabel() == "second")
  }

  @Suite(
    "nested", .sandbox { $0.register(name: "card") { FakePayments("nested") as any Payments } })
  struct Nested {
    @Test("inherits from the suite outside, and adds to it")
    func inherits() {
      #expect(currentLabel() == "suite")
      #expect(Resolver.resolve((any Payments).self, name: "card").label == "nested")
    }

    @Suite(.sandbox { $0.register { FakePayments("innermost") as any Payments } })
    struct Innermost {
      @Test("lets the innermost win")
      func wins() {
        #expect(currentLabel() == "innermost")
        #expect(Resolver.resolve((any Payments).self, name: "card").label == "nested")
      }
    }
  }

  @Test(
    "takes closures that wait",
    .sandbox { root in
      await Task.yield()
      root.register { FakePayments("async") as any Payments }
    })
  func asyncClosure() { #expect(currentLabel() == "async") }

  @Test(
    "takes closures that are isolated to the main actor",
    .sandbox { @MainActor root in
      MainActor.assertIsolated()
      root.register { FakePayments("main actor") as any Payments }
    })
  func isolatedClosure() { #expect(currentLabel() == "main actor") }

  @MainActor @Test("sets up tests on the main actor")
  func mainActor() async {
    #expect(currentLabel() == "suite")
    await Task.yield()
    #expect(currentLabel() == "suite")
  }

  @Test(
    "throws what its closure throws, and does not run the test",
    arguments: [
      SandboxTrait.sandbox { _ in throw OutOfStock() },
      SandboxTrait.sandbox { _ in
        await Task.yield()
        throw OutOfStock()
      },
    ])
  func throwingClosure(trait: SandboxTrait) async throws {
    let test = try #require(Test.current)
    await #expect(throws: OutOfStock.self) {
      try await trait.provideScope(for: test, testCase: nil) { Issue.record("the body ran") }
    }
    #expect(currentLabel() == "suite")
  }
}

@Suite("Trait closures run afresh for each case")
struct TraitFreshnessTests {
  /// Sees to it that no two of four cases got the same double; the last one to come sees them all.
  private func expectFresh(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let labels = Counter.shared.note(currentLabel(), under: name)
    #expect(Set(labels).count == labels.count, sourceLocation: sourceLocation)
    if labels.count == 4 {
      let all = Set((1...4).map { "\(name) \($0)" })
      #expect(Set(labels) == all, sourceLocation: sourceLocation)
    }
  }

  @Test(
    "a sandbox's",
    .sandbox { root in
      let double = numbered("sandbox")
      root.register { double }
    }, arguments: 1...4)
  func sandbox(number: Int) {
    expectFresh("sandbox")
  }

  @Test(
    "a layer's", .root(.traitShop),
    .layer { layer in
      let double = numbered("layer")
      layer.register { double }
    }, arguments: 1...4)
  func layer(number: Int) {
    expectFresh("layer")
  }

  @Test(
    "a root",
    .root(
      {
        let root = Resolver()
        let double = numbered("root")
        root.register { double }
        return root
      }()), arguments: 1...4)
  func root(number: Int) {
    expectFresh("root")
  }

  @Test("a recorder", .recorded, .root(.traitShop), arguments: 1...4)
  func recorder(number: Int) {
    #expect(ResolutionRecorder.current?.events.isEmpty == true)
    _ = currentLabel()
    expectResolved((any Payments).self, times: 1, built: 1)
  }
}

private struct FakePaymentsAssembly: Assembly {
  func assemble(container: Container) {
    container.register { FakePayments("assembly") as any Payments }
  }
}

/// Once all are assembled, registers what it finds of another's.
private struct AskingAssembly: Assembly {
  func assemble(container: Container) {}
  func loaded(resolver: Resolver) {
    let label = resolver.resolve((any Payments).self).label
    resolver.register(name: "loaded") { label }
  }
}

@Suite("Traits that are no sandbox")
struct OtherTraitTests {
  @Test(".root replaces the root", .root(.traitShop))
  func root() {
    #expect(Resolver.root === Resolver.traitShop)
    #expect(currentLabel() == "live")
  }

  @Test(
    ".layer stands on top of the root", .root(.traitShop),
    .layer { $0.register { FakePayments("layer") as any Payments } })
  func layer() {
    #expect(Resolver.root === Resolver.traitShop)
    #expect(Resolver.resolve((any Mailer).self).payments.label == "layer")
    #expect(Resolver.traitShop.resolve((any Payments).self).label == "layer")
  }

  @Test(
    ".assemblies registers doubles on top of the root, all of them before the first is told",
    .root(.traitShop), .assemblies([AskingAssembly(), FakePaymentsAssembly()]))
  func assemblies() {
    #expect(Resolver.root === Resolver.traitShop)
    #expect(currentLabel() == "assembly")
    #expect(Resolver.resolve((any Mailer).self).payments.label == "assembly")
    #expect(Resolver.resolve(String.self, name: "loaded") == "assembly")
  }

  @Test(
    "compose in the order they are written, the innermost last", .withoutWarnings,
    .root(.traitShop),
    .layer { $0.register { FakePayments("layer") as any Payments } },
    .sandbox { $0.register { FakePayments("sandbox") as any Payments } })
  func sandboxInside() {
    #expect(currentLabel() == "sandbox")
  }

  @Test(
    "compose in the other order as well", .withoutWarnings,
    .sandbox { root in
      Resolver.root = .traitShop
      Resolver.root.register { FakePayments("sandbox") as any Payments }
    }, .layer { $0.register { FakePayments("layer") as any Payments } })
  func layerInside() {
    #expect(currentLabel() == "layer")
  }

  @Test(
    "compose with a root inside", .withoutWarnings, .sandbox, .recorded,
    .layer { $0.register { FakePayments("layer") as any Payments } }, .root(.traitShop))
  func rootInside() {
    // The innermost scope is asked first, with what it holds itself.
    #expect(currentLabel() == "live")
    #expect(Resolver.resolve((any Mailer).self).payments.label == "live")
    expectResolved((any Payments).self, times: 2)
  }

  @Test(".recorded inside or outside hears the same", .recorded, .root(.traitShop), .recorded)
  func recorders() {
    _ = currentLabel()
    expectResolved((any Payments).self, times: 1)
  }
}

@Suite(".resetCaches")
struct CacheTraitTests {
  static let shop = Resolver { r in
    r.register { Basket() }.scope(.cached)
    r.register(name: "application") { Basket() }.scope(.application)
  }
  static let kept: Basket = shop.resolve()
  static let keptByApplication: Basket = shop.resolve(name: "application")

  private var baskets: (Basket, Basket) {
    (Self.shop.resolve(), Self.shop.resolve(name: "application"))
  }

  init() {
    // Built outside of every scope, before the tests.
    ContextFrame.$bound.withValue(nil) { _ = (Self.kept, Self.keptByApplication) }
  }

  @Test("brings empty caches of all scopes", .resetCaches)
  func all() {
    let (cached, application) = baskets
    #expect(cached !== Self.kept && application !== Self.keptByApplication)
    #expect(baskets.0 === cached && baskets.1 === application)
  }

  @Test("brings empty caches of the scopes that are named, and of no other", .resetCaches(.cached))
  func named() {
    let (cached, application) = baskets
    #expect(cached !== Self.kept && application === Self.keptByApplication)
    #expect(baskets.0 === cached)
  }

  @Test("takes several scopes", .resetCaches(.cached, .application))
  func several() {
    let (cached, application) = baskets
    #expect(cached !== Self.kept && application !== Self.keptByApplication)
  }

  @Test("resets nothing outside: without it, what was kept is there")
  func outside() {
    #expect(baskets.0 === Self.kept && baskets.1 === Self.keptByApplication)
  }

  @Test("takes a reset in the test, so that it stays in the test", .resetCaches)
  func resetInside() {
    let before = baskets
    Scope.cached.reset()
    #expect(baskets.0 !== before.0 && baskets.1 === before.1)
    ContextFrame.$bound.withValue(nil) {
      #expect(Self.shop.resolve(Basket.self) === Self.kept)
    }
  }

  @Test("gives each case its own", .resetCaches, arguments: 1...4)
  func cases(number: Int) {
    Fresh.shared.note(baskets.0)
  }

  @Test("inside a sandbox leaves the sandbox's other caches alone", .sandbox, .resetCaches(.cached))
  func inSandbox() {
    let before = baskets
    Scope.cached.reset()
    #expect(baskets.0 !== before.0 && baskets.1 === before.1)
  }
}

/// Sees to it that no two cases have the same instance.
private final class Fresh: Sendable {
  static let shared = Fresh()
  private let seen = Lock<[Basket]>([])

  func note(_ basket: Basket) {
    let isNew = seen.withLock { seen in
      defer { seen.append(basket) }
      return !seen.contains { $0 === basket }
    }
    #expect(isNew)
  }
}

extension Container {
  fileprivate var till: Factory<String> { self { "live" } }
}

@Suite(
  "FactoryTesting's names", .container { $0.register { FakePayments("suite") as any Payments } })
struct ContainerTraitTests {
  @Test("open a sandbox with the suite's doubles", .container, arguments: 1...2)
  func inherits(number: Int) {
    #expect(Resolver.resolve((any Payments).self).label == "suite")
    #expect(Resolver.optional(Int.self) == nil)
    Resolver.register { number }
    #expect(Resolver.resolve(Int.self) == number)
  }

  @Test("open a sandbox with doubles by key path", .container { $0.till.register { "fake" } })
  func doubles() {
    #expect(Container.shared.till() == "fake")
  }
}
