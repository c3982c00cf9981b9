@testable import DITesting
import Testing

// What somebody reads who makes one of the usual mistakes: what is wrong, where, and how to mend
// it, and nothing else. That of a stale double is in `StaleDoubleTests`.

@Suite("A usual mistake")
struct UsualMistakeTests {
  private static let file = "DITestingTests/UsualMistakeTests.swift"

  /// What a sandbox reports in which production has registered its services.
  private func reports(_ body: () throws -> Void) rethrows -> [String] {
    let issues = Issues()
    try ScopeOpener(
      .sandbox, name: "buys()", isTest: true, location: .test(1), report: issues.handler
    ).run {
      Resolver.production { register(in: .main) }
      try body()
    }
    return issues.all.map(\.text)
  }

  private static let wiring = #line + 2
  private func register(in container: Resolver) {
    container.register { LiveGateway() as any Gateway }
    container.register { LivePostbox() as any Postbox }
    container.register(Cashier.init)
    container.registerAsync { LivePriceList() as any PriceList }
  }

  /// The diagnosis of a request that fails.
  private func diagnosis(_ body: () throws -> Any) -> String? {
    #expect(throws: ResolutionError.self) { _ = try body() }?.description
  }

  @Test("is to forget the trait")
  func trait() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "buys()" }
        Resolver.register { LivePostbox() as any Postbox }
        #expect(
          issues.all.map(\.text) == [
            """
            `any Postbox` was registered outside every sandbox: it stays in the process.

              registered:  DITestingTests/UsualMistakeTests.swift:\(#line), in main
              test:        buys()

            To fix this:
              - Add the `.sandbox` trait to the test or its suite: what it changes is then its own.
              - If the process is to keep it, mark it: `Resolver.production { … }`, or \
            `.processChanges(.off)`.
            """
          ])
      }
    }
  }

  @Test("is to register the class for its protocol")
  func concrete() {
    let line: UInt = #line + 2
    let reports = reports {
      Resolver.register { PostboxDouble() }
      _ = Resolver.resolve((any Postbox).self)
    }
    #expect(
      reports == [
        """
        The double for `PostboxDouble` was never resolved.

          registered:  \(Self.file):\(line)
          close:       `any Postbox` was resolved live (\(Self.file):\(line + 1))

        To fix this:
          - If it is for that, register it so: `register { … as any Postbox }`.
          - Remove it, or check that the code under test resolves `PostboxDouble`.
          - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
        `unusedDoubles: .off` for the sandbox.
        """
      ])
  }

  @Test("is to forget `await`")
  func await() {
    let line: UInt = #line + 2
    let reports = reports {
      let text = diagnosis { try Resolver.root.require((any PriceList).self) }
      #expect(
        text == """
          The factory of `any PriceList` is async, and was requested without `await`.

            requested:   \(Self.file):\(line)
            registered:  \(Self.file):\(Self.wiring + 3)

          To fix this:
            - Request it with `await`: `try await Resolver.root.requireAsync((any PriceList).self)`.
          """)
    }
    #expect(reports == [])
  }

  @Test("is to misspell a name")
  func name() {
    let line: UInt = #line + 3
    let reports = reports {
      Resolver.production { Resolver.register(name: "hall") { LivePostbox() as any Postbox } }
      let text = diagnosis { try Resolver.root.require((any Postbox).self, name: "hal") }
      #expect(
        text == """
          Nothing is registered for `any Postbox "hal"`.

            requested:  \(Self.file):\(line)
            asked:      main
            close:      `any Postbox "hall"` is registered (\(Self.file):\(line - 1))
            close:      `any Postbox` is registered (\(Self.file):\(Self.wiring + 1))
            note:       the test: buys(), at DITestingTests/Test.swift:1

          To fix this:
            - It is registered under "hall", and was requested under "hal": use one.
            - It is registered under no name, and was requested under "hal": use one.
            - Register it: `register(name: "hal") { … as any Postbox }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as \
          `(any Postbox)?`.
          """)
    }
    #expect(reports == [])
  }

  @Test("is a double that nothing resolves")
  func unused() {
    let line: UInt = #line + 1
    let reports = reports { Resolver.register { PostboxDouble() as any Postbox } }
    #expect(
      reports == [
        """
        The double for `any Postbox` was never resolved.

          registered:  \(Self.file):\(line)

        To fix this:
          - Remove it, or check that the code under test resolves `any Postbox`.
          - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
        `unusedDoubles: .off` for the sandbox.
        """
      ])
  }

  @Test("is to register two doubles, and to tell the first one")
  func twoDoubles() {
    let line: UInt = #line + 2
    let reports = reports {
      let mine = double(GatewayDouble())
      double(GatewayDouble()).lenient()
      mine.charge.returns("ref")
      _ = try? Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
    }
    #expect(
      reports == [
        """
        `any Gateway` has two doubles here: this one replaces another that nothing resolved.

          first:   \(Self.file):\(line)
          second:  \(Self.file):\(line + 1)

        To fix this:
          - Register one of them, and use what `double(…)` returns.
        """,
        """
        `Gateway.charge(_:for:)` was stubbed and never called.

          stubbed:   \(Self.file):\(line + 2)
          called:    another double, registered at \(Self.file):\(line + 1)
          this one:  registered at \(Self.file):\(line), and replaced at \(Self.file):\(line + 1)

        To fix this:
          - Register one double, and expect calls of what `double(…)` returned.
          - Remove it, or check that the code under test makes the call.
          - If it serves several tests, mark it: `.lenient()` on the stub, or the `.lenient` trait.
        """,
      ])
  }

  @Test("is a double that is registered nowhere")
  func unregistered() {
    let line: UInt = #line + 2
    let reports = reports {
      let gateway = GatewayDouble()
      gateway.charge.returns("ref")
      _ = try? Resolver.resolve((any Gateway).self).charge(1, for: "Ann")
    }
    #expect(
      reports == [
        """
        `Gateway.charge(_:for:)` was stubbed and never called.

          stubbed:   \(Self.file):\(line + 1)
          this one:  not known to be registered

        To fix this:
          - If the code under test resolves it, register it: `double(…)`.
          - Remove it, or check that the code under test makes the call.
          - If it serves several tests, mark it: `.lenient()` on the stub, or the `.lenient` trait.
        """
      ])
  }

  @Test("is a stub that was told nothing")
  func untold() {
    let line: UInt = #line + 2
    let reports = reports {
      double(GatewayDouble())
      _ = try? Resolver.resolve((any Gateway).self).charge(650, for: "Ann")
    }
    #expect(
      reports == [
        """
        `Gateway.charge(_:for:)` was called, but nothing is stubbed for this call.

          called:      (cents: 650, customer: "Ann")
          registered:  \(Self.file):\(line)
          test:        buys(), at DITestingTests/Test.swift:1

        To fix this:
          - Stub it before the call: `.returns(…)`, `.throws(…)` or `.runs { … }`.
          - If it does not matter here, mark it: `.lenient()` on the stub, or the `.lenient` trait.
        """
      ])
  }

  @Test("is to expect another argument", .sandbox)
  func argument() throws {
    Resolver.production { register(in: .main) }
    let gateway = double(GatewayDouble())
    gateway.charge.returns("ref")
    _ = try Resolver.resolve((any Gateway).self).charge(650, for: "Ann")
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` to be called with such arguments, but it was called 1 time \
      with others.

      Called:
        Gateway.charge(cents: 650, customer: "Ann")  — returned "ref"
      """, atLine: #line + 1
    ) { expectCalled(gateway.charge) { $0.cents == 6_50_00 } }
  }

  @Test("is a circle")
  func circle() {
    let line: UInt = #line + 2
    let shop = Resolver()
    shop.register(Chicken.init)
    shop.register(Egg.init)
    let text = diagnosis { try shop.require(Chicken.self) }
    #expect(
      text == """
        `Chicken` needs itself.

          chain:      Chicken → Egg → Chicken
          from:       \(Self.file):\(line + 2)
          requested:  \(Self.file):\(line + 1)

        To fix this:
          - Let one of them resolve later: make the dependency `@LazyInjected` or \
        `@WeakLazyInjected`.
          - Or set it once both exist: `.resolveProperties { r, service in … }` with a shared scope, \
        for the one that is requested first.
        """)
  }

  @Test("is a detached task")
  func detached() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let opened = CodeLocation()
        await sandbox("buys()", at: opened) {
          shop.register { FakePayments() as any Payments }.mayBeUnused()
          _ = await Task.detached { shop.resolve((any Payments).self).label }.value
        }
        #expect(
          issues.all.map(\.text) == [
            """
            `any Payments` was resolved by work that belongs to no test, while this sandbox was \
            open: it got the live service.

              requested:  DITestingTests/UsualMistakeTests.swift:\(#line)
              thread:     another than main
              open:       buys(), at \(opened)

            To fix this:
            \(carryingAdvice)
            """
          ])
      }
    }
  }

  @Test("is to swap what the process has in a plain XCTest")
  func swap() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, issues in
        test.withLock { $0 = "CheckoutTests.testBuys" }
        Resolver.root = Resolver()
        #expect(
          issues.all.map(\.text) == [
            """
            `Resolver.root` was replaced outside every sandbox: the process keeps the new one.

              replaced:  `Resolver.root = …`
              test:      CheckoutTests.testBuys

            To fix this:
              - Do it in a test or the `setUp` of a `SandboxTestCase`, or open a `Sandbox` in `setUp`.
              - If the process is to keep it, mark it: `Resolver.production { … }`, or \
            `Sandbox.processChanges = .off`.
            """
          ])
      }
    }
  }

  @Test("is to register a service twice")
  func twice() throws {
    let line: UInt = #line + 2
    let shop = Resolver { r in
      r.register { LivePostbox() as any Postbox }
      r.register { LivePostbox() as any Postbox }
    }
    let report = try shop.validate(dryRun: true)
    #expect(
      report.warnings.map(\.description) == [
        """
        `any Postbox` is registered twice in container made at \(Self.file):\(line - 1): the later \
        registration counts.

          first:  \(Self.file):\(line)
          later:  \(Self.file):\(line + 1)

        To fix this:
          - Remove one of them, or give one a name.
        """
      ])
  }

  @Test("is to register nothing")
  func missing() {
    let line: UInt = #line + 2
    let shop = Resolver { r in
      r.register(Cashier.init)
      r.register { LiveGateway() as any Gateway }
    }
    let text = diagnosis { try shop.require(Cashier.self) }
    #expect(
      text == """
        Nothing is registered for `any Postbox`.

          chain:      Cashier → any Postbox
          from:       \(Self.file):\(line + 3)
          requested:  \(Self.file):\(line)
          asked:      container made at \(Self.file):\(line - 1)

        To fix this:
          - Register it: `register { … as any Postbox }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as \
        `(any Postbox)?`.
        """)
  }
}

private final class Chicken {
  init(egg: Egg) {}
}

private final class Egg {
  init(chicken: Chicken) {}
}
