@testable import DIContainer
@testable import DITesting
import Foundation
import Testing

private final class Catalog {}
private final class Clerk {
  @Injected var catalog: Catalog
}

private struct Planning {
  let issues = Issues()
  let test = Lock<String?>(nil)

  /// A process that plans tests until one has a name.
  init(isAlone: Bool) {
    ProcessHooks.bind(
      ProcessHooks(
        currentTest: { [test] in test.withLock { $0 } },
        mayBePlanning: { [test] in test.withLock { $0 } == nil },
        isInTest: { [test] in test.withLock { $0 } != nil },
        runsOneTestAtATime: { isAlone }, report: issues.handler))
    PlannedWork.begin()
  }

  func sandbox(
    _ name: String, _ strictness: Strictness = .off, _ exceptions: [LiveException] = [],
    _ body: () -> Void = {}
  ) {
    test.withLock { $0 = name }
    ScopeOpener(
      .sandbox, policy: .strict(strictness, exceptions), name: name, isTest: true,
      location: CodeLocation(), report: issues.handler
    ).run(body)
  }
}

// Of stored properties of XCTest's test cases, and of what Swift Testing evaluates to plan a run.
// Each in a process of its own.
@Suite("A request before any test began")
struct PlannedWorkTests {
  @Test("is reported by the first sandbox, once a place")
  func first() async {
    await #expect(processExitsWith: .success) {
      let planning = Planning(isAlone: false)
      let shop = Resolver { $0.register { LivePayments() as any Payments } }
      let line: UInt = #line
      for _ in 0..<2 { _ = shop.resolve((any Payments).self) }
      planning.sandbox("pays")
      planning.sandbox("pays again")
      #expect(
        planning.issues.all.map(\.text) == [
          """
          `any Payments` was resolved before any test began: it is the live service.

            requested:  DITestingTests/PlannedWorkTests.swift:\(line)

          To fix this:
            - Resolve it in the test: `@Test(arguments:)`, `.enabled(if:)`, and what they use, are \
          evaluated before the first test runs, outside every sandbox.
          """
        ])
      #expect(planning.issues.all.map(\.severity) == [.warning])
      #expect(planning.issues.all.map(\.location.line) == [line])
    }
  }

  @Test("fails the first strict sandbox, unless that allows the service")
  func strict() async {
    await #expect(processExitsWith: .success) {
      let planning = Planning(isAlone: false)
      let shop = Resolver { $0.register { LivePayments() as any Payments } }
      _ = shop.resolve((any Payments).self)
      planning.sandbox("pays", .fail, [.type((any Payments).self)])
      planning.sandbox("refunds", .fail)
      planning.sandbox("charges", .fail)
      #expect(planning.issues.all.map(\.severity) == [.warning, .error])
    }
  }

  @Test("keeps no container alive, and is reported after its end")
  func release() async {
    await #expect(processExitsWith: .success) {
      let planning = Planning(isAlone: false)
      weak var core: ContainerCore?
      func plan() {
        let shop = Resolver { $0.register { LivePayments() as any Payments } }
        core = shop.core
        _ = shop.resolve((any Payments).self)
      }
      plan()
      #expect(core == nil)
      planning.sandbox("pays", .fail, [.type((any Payments).self)])
      planning.sandbox("refunds", .fail, [.container(Resolver())])
      #expect(planning.issues.all.map(\.severity) == [.warning, .error])
    }
  }

  @Test("explains no unused double of a test that it is not reported to")
  func unusedLater() async {
    await #expect(processExitsWith: .success) {
      let planning = Planning(isAlone: false)
      let shop = Resolver { $0.register { LivePayments() as any Payments } }
      _ = shop.resolve((any Payments).self)
      for name in ["pays", "refunds"] {
        planning.sandbox(name) { shop.register { FakePayments() as any Payments } }
      }
      #expect(
        planning.issues.all.map(\.headline) == [
          "`any Payments` was resolved before any test began: it is the live service.",
          "The double for `any Payments` was never resolved.",
        ])
    }
  }

  @Test("is advised to be one of `setUp` where XCTest makes its test cases")
  func xctest() async {
    await #expect(processExitsWith: .success) {
      let planning = Planning(isAlone: true)
      let shop = Resolver { $0.register { LivePayments() as any Payments } }
      let line: UInt = #line
      _ = shop.resolve((any Payments).self)
      PlannedWork.end()
      planning.sandbox("CheckoutTests.testPays")
      #expect(
        planning.issues.all.map(\.text) == [
          """
          `any Payments` was resolved before any test began: it is the live service.

            requested:  DITestingTests/PlannedWorkTests.swift:\(line)

          To fix this:
            - Set the stored property that resolves it in `setUp`, or make it `lazy`: XCTest makes \
          every test case before the first test runs.
            - Or declare the dependency as `@LazyInjected` or `@DynamicInjected`: they resolve when \
          they are used.
          """
        ])
    }
  }

  @Test("that ends the planning says when its code runs")
  func missing() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Planning(isAlone: false)
      _ = Clerk()
    }
    try expectFix(
      "If `@Test(arguments:)` or `.enabled(if:)` resolves it: they are evaluated before the first "
        + "test runs. Resolve it in the test.", in: result?.standardErrorContent)
  }

  @Test("that ends the listing of test cases says when they are made")
  func missingInXCTest() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Planning(isAlone: true)
      _ = Clerk()
    }
    try expectFix(
      "If a stored property of a test case resolves it: XCTest makes every test case before the "
        + "first test runs. Set the property in `setUp`, make it `lazy`, or declare it "
        + "`@LazyInjected`.", in: result?.standardErrorContent)
  }

  private func expectFix(_ fix: String, in output: [UInt8]?) throws {
    let text = String(decoding: try #require(output), as: UTF8.self)
    #expect(text.contains("To fix this:\n  - \(fix)\n"), "\(text)")
  }

  @Test("is none once tests run, nor of set-up code or a nested request")
  func none() async {
    await #expect(processExitsWith: .success) {
      let planning = Planning(isAlone: false)
      let shop = Resolver { r in
        r.register { Catalog() }
        _ = r.resolve(Catalog.self)
        r.register(name: "outer") { r -> Catalog in r.resolve() }
      }
      _ = shop.resolve(Catalog.self, name: "outer")
      planning.sandbox("buys")
      Resolver.production { _ = Resolver.register { Catalog() } }
      _ = Clerk()
      planning.sandbox("buys again")
      #expect(
        planning.issues.all.map(\.headline) == [
          "`Catalog \"outer\"` was resolved before any test began: it is the live service."
        ])
    }
  }
}
