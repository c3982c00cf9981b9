@testable import DITesting
import Testing

// What a sandbox says at its end about doubles that could not do their work.

private struct Refused: Error {}

@Suite("At the end of a sandbox")
struct FindingTests {
  @Test("a double that nobody asked for is a warning")
  func unused() {
    let line: UInt = #line + 2
    let issues = findings {
      _ = findingShop.register { FakePayments() as any Payments }
    }
    let text = """
      The double for `any Payments` was never resolved.

        registered:  DITestingTests/FindingTests.swift:\(line)

      To fix this:
        - Remove it, or check that the code under test resolves `any Payments`.
        - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
      `unusedDoubles: .off` for the sandbox.
      """
    #expect(issues.map(\.text) == [text])
    #expect(issues.map(\.severity) == [.warning])
    #expect(issues.map(\.location.line) == [line])
  }

  @Test("a line whose doubles were resolved takes no memory in the scope for containers that went")
  func containersGone() {
    let opener = ScopeOpener(.sandbox, name: "checkout", location: CodeLocation())
    opener.run {
      for _ in 0..<100 {
        let shop = Resolver()
        shop.register { Basket() }
        _ = shop.resolve(Basket.self)
      }
      // Work of other tests may be noted for it.
      #expect(opener.frame.notedFindings.isEmpty)
    }
  }

  @Test("a double that nobody asked for under its name says which was resolved live instead")
  func otherName() {
    let line: UInt = #line + 3
    let issues = findings {
      Resolver.root = findingShop
      findingShop.register(name: "card") { FakePayments() as any Payments }
      _ = findingShop.resolve((any Payments).self)
    }
    let text = """
      The double for `any Payments "card"` was never resolved.

        registered:  DITestingTests/FindingTests.swift:\(line)
        close:       `any Payments` was resolved live (DITestingTests/FindingTests.swift:\(line + 1))

      To fix this:
        - If it is for that, register it so: `register { … as any Payments }`.
        - Remove it, or check that the code under test resolves \
      `any Payments "card"`.
        - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
      `unusedDoubles: .off` for the sandbox.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test("no double counts as coming close, the unused one least of all")
  func closeDoubles() {
    let line: UInt = #line + 6
    let issues = findings {
      // The root is another than main, where the double is.
      Resolver.root = findingShop
      _ = findingShop.register(name: "stub") { FakePayments() as any Payments }
      _ = findingShop.resolve((any Payments).self, name: "stub")
      Resolver.main.register(name: "card") { FakePayments() }
        .implements((any Payments).self, name: "card")
    }
    let text = """
      The double for `FakePayments "card"` was never resolved.

        registered:  DITestingTests/FindingTests.swift:\(line)

      To fix this:
        - Remove it, or check that the code under test resolves \
      `FakePayments "card"`.
        - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
      `unusedDoubles: .off` for the sandbox.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test("a property that was loaded is no double that somebody has to ask for")
  func loadedProperties() {
    struct Limits: PropertyLoader {
      var source: String { "limits" }
      func load() -> [String: PropertyValue] { ["card": .int(500), "cash": .int(50)] }
    }
    let issues = findings {
      withLayer {
        try! $0.load(Limits())
        _ = $0.property("card", as: Int.self)
      } operation: {
      }
      try! findingShop.load(Limits())
      #expect(findingShop.property("card") == 500)
    }
    #expect(issues.map(\.text) == [])
  }

  @Test("nothing is said about unused doubles of a test that an error ended")
  func cutShort() async throws {
    let test = try #require(Test.current)
    try await CaseTrait.strict.provideScope(for: test, testCase: nil) {
      await #expect(throws: Refused.self) {
        try await SandboxTrait.sandbox.provideScope(for: test, testCase: nil) {
          findingShop.register { FakePayments() as any Payments }
          throw Refused()
        }
      }
      await #expect(throws: Refused.self) {
        try await CaseTrait.layer { $0.register { FakePayments() as any Payments } }
          .provideScope(for: test, testCase: nil) { throw Refused() }
      }
    }
  }

  @Test("a double that came too late is told of where an error ended the test: it may be the cause")
  func cutShortByLateDouble() async {
    let issues = Issues()
    let opener = ScopeOpener(
      .sandbox, name: "checkout", isTest: true, location: CodeLocation(), report: issues.handler)
    await #expect(throws: Refused.self) {
      try await opener.runCase {
        _ = findingShop.resolve((any Payments).self)
        findingShop.register(line: 900) { FakePayments() as any Payments }
        throw Refused()
      }
    }
    #expect(
      issues.all.map(\.headline) == [
        "The double for `any Payments` was registered too late: "
          + "the live service was resolved before."
      ])
    #expect(issues.all.map(\.location.line) == [900])
  }

  @Test("a function's error does not hide that its doubles were not used: a test may expect it")
  func expectedError() {
    let issues = Issues()
    #expect(throws: Refused.self) {
      try ScopeOpener(
        .sandbox, name: "checkout", location: CodeLocation(), report: issues.handler
      ).run { () throws -> Void in
        findingShop.register { FakePayments() as any Payments }
        throw Refused()
      }
    }
    #expect(issues.all.count == 1)
  }

  @Test("findings fail a strict test")
  func strict() {
    let issues = withStrictness(.fail) {
      findings { _ = findingShop.register { FakePayments() as any Payments } }
    }
    // Beside it may stand work of no test that another test leaves while this sandbox is the only
    // one.
    let unused = issues.filter { $0.text.hasPrefix("The double for `any Payments`") }
    #expect(unused.map(\.severity) == [.error])
  }

  @Test("a test that replaces its own double hears nothing")
  func replaced() {
    let issues = findings(recorded: true) {
      findingShop.register { FakePayments("first") as any Payments }.scope(.cached)
      let first = findingShop.resolve((any Payments).self)
      findingShop.register { FakePayments("second") as any Payments }.scope(.cached)
      #expect(findingShop.resolve((any Payments).self) !== first)
    }
    #expect(issues.isEmpty)
  }

  @Test("a double that was asked for once stays so, whatever is said about it afterwards")
  func changedAfterUse() {
    let depot = FindingDepot()
    let issues = findings {
      let double = findingShop.register { FakePayments() as any Payments }
      _ = findingShop.resolve((any Payments).self)
      double.scope(.cached).resolveProperties { _, _ in }

      depot.invoice.register { Basket() }
      _ = depot.invoice()
      depot.invoice.onArg("unset") { Basket() }
    }
    #expect(issues.isEmpty)
  }

  @Test("a double that was asked for between push and pop counts as asked for")
  func usedWhilePushed() {
    let depot = FindingDepot()
    let issues = findings {
      depot.invoice.register { Basket() }
      depot.manager.push()
      _ = depot.invoice()
      depot.manager.pop()
    }
    #expect(issues.isEmpty)
  }

  @Test("a layer's double that a sandbox changes counts as asked for")
  func changedInside() {
    let depot = FindingDepot()
    let issues = findings {
      depot.invoice.register { Basket() }
      withSandbox {
        _ = depot.invoice.cached
        _ = depot.invoice()
      }
    }
    #expect(issues.isEmpty)
  }

  @Test("a double that is resolved while kept instances are torn down counts as asked for")
  func usedInTearDown() {
    let issues = findings {
      findingShop.register { Basket() }.scope(.cached).onRelease { _ in
        _ = findingShop.resolve((any Payments).self)
      }
      findingShop.register { FakePayments() as any Payments }
      _ = findingShop.resolve(Basket.self)
    }
    #expect(issues.map(\.headline) == [])
  }
}
