import DITesting
import Testing

// Traits are applied to a test case, so most of these tests only look at what they find.

extension Resolver {
  static let traitShop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }
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
