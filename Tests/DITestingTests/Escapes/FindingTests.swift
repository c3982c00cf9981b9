@testable import DITesting
import Testing

// What a sandbox says at its end about doubles that could not do their work.

private let shop = Resolver { r in
  r.register { LivePayments() as any Payments }
  r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  r.register { Basket() }.scope(.cached)
}

private final class FindingDepot: SharedContainer {
  static let shared = FindingDepot()
  let manager = ContainerManager()
  var basket: Factory<Basket> { self { Basket() }.cached }
  var invoice: Factory<Basket> { self { Basket() } }
  var numbered: ParameterFactory<Int, Basket> {
    self { _ in Basket() }.scopeOnParameters.cached
  }
  var expiring: Factory<Basket> { self { Basket() }.cached }
}

private struct Refused: Error {}

@Suite("At the end of a sandbox")
struct FindingTests {
  private func findings(recorded: Bool = false, _ body: () -> Void) -> [DiagnosticIssue] {
    let issues = Issues()
    ScopeOpener(
      .sandbox, recorder: recorded ? ResolutionRecorder() : nil, name: "checkout",
      location: CodeLocation(), report: issues.handler
    ).run(body)
    return issues.all
  }

  @Test("a double that nobody asked for is a warning")
  func unused() {
    let line: UInt = #line + 2
    let issues = findings {
      _ = shop.register { FakePayments() as any Payments }
    }
    let text = """
      The double for `any Payments` was never resolved.

        registered:  DITestingTests/FindingTests.swift:\(line)

      To fix this:
        - Take it away, or check that the code under test asks the container for `any Payments`.
      """
    #expect(issues.map(\.text) == [text])
    #expect(issues.map(\.severity) == [.warning])
    #expect(issues.map(\.location.line) == [line])
  }

  @Test("a double that replaces nothing says so, and what comes close")
  func replacesNothing() {
    let line: UInt = #line + 4
    let issues = findings {
      Resolver.root = shop
      shop.register(name: "card") {
        FakePayments() as any Payments
      }
    }
    let text = """
      The double for `any Payments "card"` was never resolved.

        registered:  DITestingTests/FindingTests.swift:\(line - 1)
        replaces:    nothing: production registers no `any Payments "card"`
        close:       `any Payments` is registered (DITestingTests/FindingTests.swift:7)

      To fix this:
        - If you meant `any Payments`, register the double for that.
        - Take it away, or check that the code under test asks the container for \
      `any Payments "card"`.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test("no double counts as coming close, the unused one least of all")
  func closeDoubles() {
    let line: UInt = #line + 6
    let issues = findings {
      // The root is another than main, where the double is.
      Resolver.root = shop
      _ = shop.register(name: "stub") { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self, name: "stub")
      Resolver.main.register(name: "card") { FakePayments() }
        .implements((any Payments).self, name: "card")
    }
    let text = """
      The double for `FakePayments "card"` was never resolved.

        registered:  DITestingTests/FindingTests.swift:\(line)
        replaces:    nothing: production registers no `FakePayments "card"`

      To fix this:
        - Take it away, or check that the code under test asks the container for \
      `FakePayments "card"`.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test("nothing is said about unused doubles of a test that an error ended")
  func cutShort() async throws {
    let test = try #require(Test.current)
    try await StrictTrait(.fail, except: []).provideScope(for: test, testCase: nil) {
      await #expect(throws: Refused.self) {
        try await SandboxTrait.sandbox.provideScope(for: test, testCase: nil) {
          shop.register { FakePayments() as any Payments }
          throw Refused()
        }
      }
      await #expect(throws: Refused.self) {
        try await LayerTrait.layer { $0.register { FakePayments() as any Payments } }
          .provideScope(for: test, testCase: nil) { throw Refused() }
      }
    }
  }

  @Test("a function's error does not hide that its doubles were not used: a test may expect it")
  func expectedError() {
    let issues = Issues()
    #expect(throws: Refused.self) {
      try ScopeOpener(
        .sandbox, name: "checkout", location: CodeLocation(), report: issues.handler
      ).run { () throws -> Void in
        shop.register { FakePayments() as any Payments }
        throw Refused()
      }
    }
    #expect(issues.all.count == 1)
  }

  @Test("findings fail a strict test")
  func strict() {
    let issues = Issues()
    withStrictness(.fail) {
      ScopeOpener(
        .sandbox, name: "checkout", location: CodeLocation(), report: issues.handler
      ).run {
        _ = shop.register { FakePayments() as any Payments }
      }
    }
    #expect(issues.all.map(\.severity) == [.error])
  }

  @Test("a double that came after somebody got the live service is named where it is recorded")
  func lateForHolder() {
    let line: UInt = #line + 3
    let issues = findings(recorded: true) {
      let mailer = shop.resolve((any Mailer).self)
      shop.register { FakePayments() as any Payments }
      #expect(mailer.payments.label == "live")
      #expect(shop.resolve((any Payments).self).label == "fake")
    }
    let text = """
      The double for `any Payments` came too late: an instance that was resolved before is still \
      in use.

        registered:  DITestingTests/FindingTests.swift:\(line)
        resolved:    DITestingTests/FindingTests.swift:8, for `any Mailer`
        before:      `any Payments` (graph), registered at DITestingTests/FindingTests.swift:7

      To fix this:
        - Register the double before anything asks for the service.
      """
    #expect(issues.map(\.text) == [text])
    #expect(issues.map(\.location.line) == [line])
  }

  @Test(
    "a double that came after the live service was kept is a warning", arguments: [true, false])
  func lateForCache(isRecorded: Bool) {
    let line: UInt = #line + 3
    let issues = findings(recorded: isRecorded) {
      _ = shop.resolve(Basket.self)
      shop.register { Basket() }.scope(.cached)
      _ = shop.resolve(Basket.self)
    }
    let isStill = isRecorded ? "still in use" : "kept"
    let resolved =
      isRecorded ? "\n  resolved:    DITestingTests/FindingTests.swift:\(line - 1)" : ""
    let text = """
      The double for `Basket` came too late: an instance that was resolved before is \(isStill).

        registered:  DITestingTests/FindingTests.swift:\(line)\(resolved)
        before:      `Basket` (cached), registered at DITestingTests/FindingTests.swift:9

      To fix this:
        - Register the double before anything asks for the service.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test(
    "a property's double that came after the live service was kept is a warning",
    arguments: [true, false])
  func lateForProperty(isRecorded: Bool) {
    let line: UInt = #line + 4
    let depot = FindingDepot()
    let issues = findings(recorded: isRecorded) {
      _ = depot.basket()
      depot.basket.register { Basket() }
      _ = depot.basket()
    }
    let isStill = isRecorded ? "still in use" : "kept"
    let resolved =
      isRecorded ? "\n  resolved:    DITestingTests/FindingTests.swift:\(line - 1)" : ""
    let text = """
      The double for `basket: Basket` came too late: an instance that was resolved before is \
      \(isStill).

        registered:  DITestingTests/FindingTests.swift:\(line)\(resolved)
        before:      `basket: Basket` (cached), declared at DITestingTests/FindingTests.swift:15

      To fix this:
        - Register the double before anything asks for the service.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test(
    "a double that came late to a container that the root does not reach is a warning",
    arguments: [true, false])
  func lateForOther(isRecorded: Bool) {
    let line: UInt = #line + 3
    let issues = findings(recorded: isRecorded) {
      _ = FindingDepot.shared.basket()
      Resolver.root.double(\FindingDepot.basket) { Basket() }
      _ = FindingDepot.shared.basket()
    }
    let isStill = isRecorded ? "still in use" : "kept"
    let resolved =
      isRecorded ? "\n  resolved:    DITestingTests/FindingTests.swift:\(line - 1)" : ""
    let text = """
      The double for `basket: Basket` came too late: an instance that was resolved before is \
      \(isStill).

        registered:  DITestingTests/FindingTests.swift:\(line)\(resolved)
        before:      `basket: Basket` (cached), declared at DITestingTests/FindingTests.swift:15

      To fix this:
        - Register the double before anything asks for the service.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test("a double that came late to another container of a type than the shared one is a warning")
  func lateForOtherInstance() {
    let depot = FindingDepot()
    var held: Basket?
    let line: UInt = #line + 3
    let issues = findings(recorded: true) {
      held = depot.invoice()
      Resolver.root.double(\FindingDepot.invoice) { Basket() }
      _ = depot.invoice()
    }
    let text = """
      The double for `invoice: Basket` came too late: an instance that was resolved before is \
      still in use.

        registered:  DITestingTests/FindingTests.swift:\(line)
        resolved:    DITestingTests/FindingTests.swift:\(line - 1)

      To fix this:
        - Register the double before anything asks for the service.
      """
    withExtendedLifetime(held) { #expect(issues.map(\.text) == [text]) }
  }

  @Test(
    "a double that came after an instance was kept by parameter is a warning",
    arguments: [true, false])
  func lateForParameter(isRecorded: Bool) {
    let line: UInt = #line + 4
    let depot = FindingDepot()
    let issues = findings(recorded: isRecorded) {
      _ = depot.numbered(7)
      depot.numbered.register { _ in Basket() }
      _ = depot.numbered(7)
    }
    let isStill = isRecorded ? "still in use" : "kept"
    let resolved =
      isRecorded ? "\n  resolved:    DITestingTests/FindingTests.swift:\(line - 1)" : ""
    let text = """
      The double for `numbered: Basket` came too late: an instance that was resolved before is \
      \(isStill).

        registered:  DITestingTests/FindingTests.swift:\(line)\(resolved)
        before:      `numbered: Basket` (cached), declared at DITestingTests/FindingTests.swift:18

      To fix this:
        - Register the double before anything asks for the service.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test("a late double for what is kept by parameter in a container of another type is a warning")
  func lateForOtherParameter() {
    let line: UInt = #line + 3
    let issues = findings {
      _ = FindingDepot.shared.numbered(7)
      Resolver.root.double(\FindingDepot.numbered) { _ in Basket() }
      _ = FindingDepot.shared.numbered(7)
    }
    let text = """
      The double for `numbered: Basket` came too late: an instance that was resolved before is \
      kept.

        registered:  DITestingTests/FindingTests.swift:\(line)
        before:      `numbered: Basket` (cached), declared at DITestingTests/FindingTests.swift:18

      To fix this:
        - Register the double before anything asks for the service.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test("a double of a container that the root does not reach may replace one of the test's own")
  func replacedForOther() {
    let issues = findings(recorded: true) {
      Resolver.root.double(\FindingDepot.basket) { Basket() }
      let first = FindingDepot.shared.basket()
      Resolver.root.double(\FindingDepot.basket) { Basket() }
      #expect(FindingDepot.shared.basket() !== first)
    }
    #expect(issues.isEmpty)
  }

  @Test("a double for a property that nobody holds an instance of is not late")
  func notHeldProperty() {
    let depot = FindingDepot()
    let issues = findings(recorded: true) {
      _ = depot.invoice()
      depot.invoice.register { Basket() }
      _ = depot.invoice()
      depot.basket.register { Basket() }
      _ = depot.basket()
    }
    #expect(issues.isEmpty)
  }

  @Test("a double that came when nobody held the live service any more is none")
  func notHeld() {
    let issues = findings(recorded: true) {
      _ = shop.resolve((any Payments).self)
      shop.register { FakePayments() as any Payments }
      #expect(shop.resolve((any Payments).self).label == "fake")
    }
    #expect(issues.isEmpty)
  }

  @Test("a double of a container that is put to use later is not late")
  func notInForceYet() {
    let main = Resolver { r in r.register { LivePayments() as any Payments } }
    let issues = findings(recorded: true) {
      Resolver.root = main
      let live: any Payments = Resolver.resolve()
      let mock = Resolver(child: main)
      mock.register { FakePayments("mock") as any Payments }
      let layer = Resolver.push(mock)
      #expect(currentLabel() == "mock")
      Resolver.pop(layer)
      let other = Resolver(child: main)
      other.register { FakePayments("other") as any Payments }
      withRoot(other) { #expect(currentLabel() == "other") }
      withExtendedLifetime(live) {}
    }
    #expect(issues.isEmpty)
  }

  @Test("a double of a container that was put to use before is late")
  func lateInInstalledContainer() {
    let main = Resolver { r in r.register { LivePayments() as any Payments } }
    var held: (any Payments)?
    let line: UInt = #line + 5
    let issues = findings(recorded: true) {
      let mock = Resolver(child: main)
      Resolver.root = mock
      held = Resolver.resolve((any Payments).self)
      mock.register { FakePayments("mock") as any Payments }
      #expect(currentLabel() == "mock")
    }
    let text = """
      The double for `any Payments` came too late: an instance that was resolved before is still \
      in use.

        registered:  DITestingTests/FindingTests.swift:\(line)
        resolved:    DITestingTests/FindingTests.swift:\(line - 1)
        before:      `any Payments` (graph), registered at DITestingTests/FindingTests.swift:\
      \(line - 7)

      To fix this:
        - Register the double before anything asks for the service.
      """
    withExtendedLifetime(held) { #expect(issues.map(\.text) == [text]) }
  }

  @Test("what a test sets about a property is no double that anybody has to ask for")
  func settings() {
    let issues = findings(recorded: true) {
      _ = FindingDepot.shared.invoice.scope(.cached)
      FindingDepot.shared.basket.decorator { _ in }
      _ = FindingDepot.shared.expiring.timeToLive(3)
    }
    #expect(issues.isEmpty)
  }

  @Test("a test that replaces its own double hears nothing")
  func replaced() {
    let issues = findings(recorded: true) {
      shop.register { FakePayments("first") as any Payments }.scope(.cached)
      let first = shop.resolve((any Payments).self)
      shop.register { FakePayments("second") as any Payments }.scope(.cached)
      #expect(shop.resolve((any Payments).self) !== first)
    }
    #expect(issues.isEmpty)
  }

  @Test("a double that was asked for once stays so, whatever is said about it afterwards")
  func changedAfterUse() {
    let depot = FindingDepot()
    let issues = findings {
      let double = shop.register { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self)
      double.scope(.cached).resolveProperties { _, _ in }

      depot.invoice.register { Basket() }
      _ = depot.invoice()
      depot.invoice.cached.timeToLive(1)
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

  @Test("a preset's doubles may go unused")
  func preset() {
    let issues = findings {
      registeringDoubles(isPreset: true) {
        _ = shop.register { FakePayments() as any Payments }
      }
    }
    #expect(issues.isEmpty)
  }
}
