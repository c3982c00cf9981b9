@testable import DITesting
import Testing

private let shop = Resolver { r in r.register { LivePayments() as any Payments } }

private struct StockAssembly: Assembly {
  func assemble(container: Container) { container.register { Basket() } }
}

/// The suite below, as its traits see it.
private let thisSuite = Lock<Test?>(nil)

private struct SuiteCatcher: SuiteTrait {
  func prepare(for test: Test) async throws { thisSuite.withLock { $0 = test } }
}

@Suite("An option of a trait that names what no test of a suite has", SuiteCatcher())
struct UnmatchedOptionTests {
  private static let file = "DITestingTests/UnmatchedOptionTests.swift"

  /// The reports at the end of a suite with a trait, of as many tests as there are bodies.
  private func reports(
    _ trait: CaseTrait, _ bodies: (@Sendable () -> Void)...
  ) async throws -> [DiagnosticIssue] {
    let (test, testCase) = try (#require(Test.current), #require(Test.Case.current))
    let issues = Issues()
    try await trait.prepare(for: #require(thisSuite.withLock { $0 }))
    try await SharedSetUp.collect(into: SharedSetUp(report: issues.handler)) {
      for body in bodies {
        try await CaseTrait.sandbox.provideScope(for: test, testCase: testCase) {
          try await trait.provideScope(for: test, testCase: testCase) { body() }
        }
      }
    }
    return issues.all
  }

  /// The report about an option that matches nothing.
  private func text(_ headline: String) throws -> String {
    let test = try #require(Test.current)
    return """
      \(headline)

        test:  \(test.displayName ?? ""), at \(Self.file):\(test.sourceLocation.line)

      To fix this:
        - Name what the tests of the suite resolve, or remove it.
      """
  }

  @Test("is reported once, where it allows live services")
  func strict() async throws {
    let resolve: @Sendable () -> Void = { _ = shop.optional(Basket.self) }
    let issues = try await reports(
      .strict(except: (any Mailer).self, Basket.self), resolve, resolve)
    #expect(
      Set(issues.map(\.text)) == [
        try text("`any Mailer` may be live, but no live one was resolved."),
        try text("`Basket` may be live, but no live one was resolved."),
      ])
    #expect(issues.map(\.severity) == [.warning, .warning])
    let other = try await reports(.strict(except: .name("card")), resolve)
    #expect(
      other.map(\.headline) == [
        "What is called \"card\" may be live, but no live one was resolved."
      ])
  }

  @Test("is not reported where it matches in one test")
  func matched() async throws {
    let resolve: @Sendable () -> Void = { _ = shop.resolve((any Payments).self) }
    let payments = (any Payments).self
    #expect(try await reports(.strict(except: payments), {}, resolve).isEmpty)
    #expect(
      try await reports(.fallback(payments) { FakePayments() }, resolve, {}).isEmpty)
    #expect(try await reports(.sociable(real: payments), {}, resolve).isEmpty)
  }

  @Test("is reported where it is a fallback for what is not requested, or of another type")
  func fallback() async throws {
    let resolve: @Sendable () -> Void = { _ = shop.resolve((any Payments).self) }
    let issues = try await reports(.fallback(Basket.self) { Basket() }, resolve)
    #expect(
      issues.map(\.text) == [
        try text("The fallback for `Basket` made no double for what was requested.")
      ])
    let wrong = try await reports(.fallback { _ in Basket() }, resolve)
    #expect(
      wrong.map(\.headline) == ["The fallback made no double for what was requested."])
  }

  @Test("is reported where it leaves out an assembly that is applied nowhere")
  func without() async throws {
    let issues = try await reports(.without(StockAssembly.self), {})
    #expect(
      issues.map(\.text) == [
        try text("`StockAssembly` is left out, but no such assembly was applied.")
      ])
    let applied = try await reports(.without(StockAssembly.self), { applyStock() })
    #expect(applied.isEmpty)
  }

  @Test("is reported where it lets a service be real that is not resolved live")
  func real() async throws {
    let issues = try await reports(.sociable(real: Basket.self), { _ = shop.optional(Basket.self) })
    #expect(
      issues.map(\.text) == [
        try text("`Basket` was to be real, but no live one was resolved.")
      ])
  }
}

private func applyStock() {
  Resolver.production { _ = Assembler([StockAssembly()], container: .root) }
}

@Suite("A closure of a trait")
struct TwiceInClosureTests {
  @Test("that registers two doubles of one service is a warning, with both places")
  func twice() async throws {
    let (test, testCase) = try (#require(Test.current), #require(Test.Case.current))
    let line: UInt = #line
    let trait = CaseTrait.sandbox { r in
      r.register { FakePayments("first") as any Payments }
      r.register { FakePayments("second") as any Payments }
    }
    await expectWarning(
      """
      `any Payments` has two doubles here: this one replaces another that nothing resolved.

        first:   DITestingTests/UnmatchedOptionTests.swift:\(line + 2)
        second:  DITestingTests/UnmatchedOptionTests.swift:\(line + 3)

      To fix this:
        - Register one of them, and use what `double(…)` returns.
      """, atLine: line + 3
    ) {
      try? await trait.provideScope(for: test, testCase: testCase) {
        _ = Resolver.resolve((any Payments).self)
      }
    }
  }

  @Test("may register a service again once the first is resolved, or for a helper of another file")
  func resolvedBetween() async throws {
    let (test, testCase) = try (#require(Test.current), #require(Test.Case.current))
    let trait = CaseTrait.sandbox { r in
      r.register { FakePayments("first") as any Payments }
      _ = r.resolve((any Payments).self)
      r.register { FakePayments("second") as any Payments }
      registerBasket(in: r, named: "scales")
      r.register(name: "scales") { Basket() }.mayBeUnused()
    }
    try await trait.provideScope(for: test, testCase: testCase) {
      _ = Resolver.resolve((any Payments).self)
    }
  }
}
