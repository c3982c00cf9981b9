@testable import DITesting
import Testing

// Each in a process of its own: see ProcessWorld.swift.

/// What a test of Swift Testing hears of a change.
private func text(_ headline: String, _ facts: String, test: String = "refund") -> String {
  """
  \(headline)

  \(facts.replacing("{test}", with: test))

  To fix this:
    - Add the `.sandbox` trait to the test or its suite: what it changes is then its own.
    - If the process is to keep it, mark it: `Resolver.production { … }`, or `.processChanges(.off)`.
  """
}

private let file = "DITestingTests/ForgottenSandboxTests.swift"

private let registered =
  "`Basket` was registered outside every sandbox: it stays in the process."

@Suite("A test that forgot its sandbox hears once a place")
struct ForgottenSandboxTests {
  @Test("what it registers in a container that another test made, though both have one name")
  func registersInAnothers() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = MadeUpTest("pays", line: 7) }
        let shop = Resolver()
        shop.register { Basket() }
        #expect(issues.all.isEmpty)
        test.withLock { $0 = MadeUpTest("pays", line: 19) }
        let line: UInt = #line
        shop.register { Basket() }
        #expect(
          issues.all.map(\.text) == [
            text(
              registered,
              """
                registered:  \(file):\(line), in \(shop.core.label)
                test:        {test}
              """, test: "pays")
          ])
      }
    }
  }

  @Test("what it registers")
  func registers() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        let line: UInt = #line
        for name in ["refund", "checkout"] {
          test.withLock { $0 = MadeUpTest(name) }
          Resolver.register { Basket() }
        }
        #expect(
          issues.all.map(\.text) == [
            text(
              registered,
              """
                registered:  \(file):\(line), in main
                test:        {test}
              """)
          ])
        #expect(issues.all.map(\.severity) == [.warning])
        #expect(issues.all.map(\.location.line) == [line])
        #expect(Resolver.optional(Basket.self) != nil)
      }
    }
  }

  @Test("what it registers by key path")
  func registersByKeyPath() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        let line: UInt = #line
        test.withLock { $0 = "refund" }
        ChangedDepot.shared.basket.register { Basket() }
        #expect(
          issues.all.map(\.text) == [
            text(
              "`basket: Basket` was registered outside every sandbox: it stays in the process.",
              """
                registered:  \(file):\(line), in ChangedDepot
                test:        {test}
              """)
          ])
      }
    }
  }

  @Test("what it removes")
  func removes() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        let line: UInt = #line
        Resolver.register { Basket() }
        test.withLock { $0 = "refund" }
        Resolver.main.remove(Basket.self)
        #expect(
          issues.all.map(\.text) == [
            text(
              "`Basket` was removed outside every sandbox: the process is without it.",
              """
                removed:  \(file):\(line), in main
                test:     {test}
              """)
          ])
      }
    }
  }

  @Test("that it resets what is registered")
  func resets() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        let line: UInt = #line
        Resolver.register { Basket() }
        test.withLock { $0 = "refund" }
        Resolver.reset()
        #expect(
          issues.all.map(\.text) == [
            text(
              "main was reset outside every sandbox: the process is without what was registered "
                + "there.",
              """
                reset:  \(file):\(line)
                test:   {test}
              """)
          ])
      }
    }
  }

  @Test("that it resets what a container of its own declares")
  func resetsByKeyPath() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        ChangedDepot.shared.basket.register { Basket() }
        test.withLock { $0 = "refund" }
        ChangedDepot.shared.reset()
        #expect(
          issues.all.map(\.headline) == [
            "ChangedDepot was reset outside every sandbox: the process is without what was "
              + "registered there."
          ])
      }
    }
  }

  @Test("that it takes back what one property was registered for")
  func resetsOneProperty() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        ChangedDepot.shared.basket.register { Basket() }
        test.withLock { $0 = "refund" }
        ChangedDepot.shared.basket.reset()
        #expect(issues.all.count == 1)
      }
    }
  }

  @Test("that it puts another root or another `shared` in the process's place")
  func swaps() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        Container.shared = Resolver()
        ChangedDepot.shared = ChangedDepot()
        #expect(
          issues.all.map(\.text)
            == ["Resolver.root", "ChangedDepot.shared"].map { name in
              text(
                "`\(name)` was replaced outside every sandbox: the process keeps the new one.",
                """
                  replaced:  `\(name) = …`
                  test:      {test}
                """)
            })
        #expect(issues.all.allSatisfy { $0.location.description == "Shop/Tests.swift:7" })
      }
    }
  }

  @Test("that it adds a container")
  func adds() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        let line: UInt = #line
        test.withLock { $0 = "refund" }
        Resolver.main.add(child: Resolver())
        #expect(
          issues.all.map(\.text) == [
            text(
              "container made at \(file):\(line) was added to main outside every sandbox: "
                + "it stays there.",
              """
                added:  \(file):\(line)
                test:   {test}
              """)
          ])
      }
    }
  }

  @Test("that a recorder, strictness, a layer or a scoped root is no sandbox")
  func noSandbox() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        withRecorder(ResolutionRecorder()) { _ = Resolver.register { Basket() } }
        #expect(issues.all.map(\.headline) == [registered])
        #expect(Resolver.optional(Basket.self) != nil)
      }
    }
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        withStrictness(.fail) { _ = Resolver.register { Basket() } }
        #expect(issues.all.map(\.headline) == [registered])
      }
    }
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        withLayer { _ in
        } operation: {
          _ = Resolver.register { Basket() }
        }
        #expect(issues.all.map(\.headline) == [registered])
      }
    }
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        withRoot(Resolver()) { _ = Resolver.register { Basket() } }
        #expect(issues.all.map(\.headline) == [registered])
      }
    }
  }

  @Test("what it does to a static container that another test made")
  func anotherTestsContainer() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        let depot = HandWrittenDepot.shared
        let shop = Resolver()
        depot.basket.register { Basket() }
        shop.register { Basket() }
        #expect(issues.all.isEmpty)
        test.withLock { $0 = "checkout" }
        depot.basket.register { Basket() }
        #expect(issues.all.count == 1)
      }
    }
  }
}

@Suite("A test with no sandbox hears nothing of")
struct OwnContainerTests {
  @Test("its own containers, whatever it does to them")
  func own() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        let shop = Resolver(child: .main)
        shop.register { Basket() }
        shop.add(child: Resolver())
        shop.remove(Basket.self)
        let depot = ChangedDepot()
        depot.basket.register { Basket() }
        depot.reset()
        let other = HandWrittenDepot()
        other.basket.register { Basket() }
        withRoot(shop) {
          Resolver.root.register { Basket() }
          Resolver.root = Resolver()
        }
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("what it does in a sandbox, and what set-up code registers")
  func sandboxed() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        withSandbox {
          Resolver.register { Basket() }
          Resolver.register { FakePayments() as any Payments }
          _ = (Resolver.optional(Basket.self), currentLabel())
          Resolver.root = Resolver()
          Resolver.reset()
          ChangedDepot.shared = ChangedDepot()
        }
        _ = Resolver { $0.register { Basket() } }
        _ = Assembler([LateAssembly()], container: .main)
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("what production's own code registers late, and of work that belongs to no test")
  func production() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        Resolver.register { Basket() }
        test.withLock { $0 = "refund" }
        LateWiring.register()
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("what it registers as production does, and where it says that it means it")
  func meant() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        Resolver.production {
          Resolver.register { Basket() }
          Resolver.root = Resolver(child: .main)
          Resolver.reset()
        }
        var policy = FramePolicy()
        policy.processChanges = .off
        let opener = ScopeOpener(
          .plain, caches: .none, policy: policy, name: "", location: CodeLocation())
        opener.run { _ = Resolver.register { Basket() } }
        Sandbox.processChanges = .off
        Resolver.register { Basket() }
        #expect(issues.all.isEmpty)
        Sandbox.processChanges = .fail
        Resolver.main.remove(Basket.self)
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }
}

private final class LateAssembly: Assembly {
  func assemble(container: Container) { container.register { Basket() } }
}

private final class PreparedDepot: SharedContainer, AutoRegistering {
  static let shared = PreparedDepot()
  let manager = ContainerManager()
  var basket: Factory<Basket> { self { Basket() } }

  func autoRegister() { basket.register { Basket() } }
}

private let fixesOfXCTest = """
  To fix this:
    - Do it in a test or the `setUp` of a `SandboxTestCase`, or open a `Sandbox` in `setUp`.
    - If the process is to keep it, mark it: `Resolver.production { … }`, or \
  `Sandbox.processChanges = .off`.
  """

@Suite("Where one test runs at a time, it hears at once")
struct ForgottenInXCTests {
  @Test("what it changes in the process, and which class to inherit from")
  func changes() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, issues in
        let line: UInt = #line
        for name in ["CheckoutTests.testA", "CheckoutTests.testB"] {
          test.withLock { $0 = MadeUpTest(name) }
          Resolver.register { Basket() }
          Resolver.root = Resolver(child: .main)
          Resolver.root = .main
        }
        let replaced = { (test: String) in
          """
          `Resolver.root` was replaced outside every sandbox: the process keeps the new one.

            replaced:  `Resolver.root = …`
            test:      \(test)

          \(fixesOfXCTest)
          """
        }
        #expect(
          issues.all.map(\.text) == [
            """
            \(registered)

              registered:  \(file):\(line), in main
              test:        CheckoutTests.testA

            \(fixesOfXCTest)
            """, replaced("CheckoutTests.testA"), replaced("CheckoutTests.testB"),
          ])
      }
    }
  }

  @Test("that its class's `setUp` did it")
  func classSetUp() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { _, issues in
        let line: UInt = #line
        Resolver.register { Basket() }
        #expect(
          issues.all.map(\.text) == [
            """
            \(registered)

              registered:  \(file):\(line), in main

            \(fixesOfXCTest)
            """
          ])
      }
    }
  }

  @Test("nothing of a reset whose registrations set-up code makes again")
  func repeated() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, issues in
        // Made before the tests, and not by the listing of them.
        PlannedWork.end()
        let cellar = PreparedDepot.shared
        _ = cellar.basket()
        test.withLock { $0 = "CheckoutTests.testA" }
        cellar.reset()
        #expect(issues.all.isEmpty)
        _ = cellar.basket()
        cellar.basket.reset()
        #expect(
          issues.all.map(\.headline) == [
            "PreparedDepot was reset outside every sandbox: the process is without what was "
              + "registered there."
          ])
      }
    }
  }

  @Test("nothing of its own containers, which outlive it as properties of the test case")
  func ownContainers() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, issues in
        PlannedWork.begin()
        let own = (Resolver(), HandWrittenDepot(), ChangedDepot())
        PlannedWork.end()
        test.withLock { $0 = "CheckoutTests.testA" }
        own.0.register { Basket() }
        own.1.basket.register { Basket() }
        own.2.basket.register { Basket() }
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("of a swapped root, which is no other test's once it is over")
  func swapsInTurn() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, issues in
        for name in ["CheckoutTests.testA", "RefundTests.testB"] {
          test.withLock { $0 = MadeUpTest(name) }
          Resolver.root = Resolver(child: .main)
          RootSwap.forget(by: name)
        }
        #expect(issues.all.map(\.severity) == [.warning, .warning])
      }
    }
  }
}
