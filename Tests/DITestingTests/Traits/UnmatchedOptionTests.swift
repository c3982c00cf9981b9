@testable import DITesting
import Testing

private let shop = Resolver { r in r.register { LivePayments() as any Payments } }

private struct StockAssembly: Assembly {
  func assemble(container: Container) { container.register { Basket() } }
}

private struct TillAssembly: Assembly {
  func assemble(container: Container) { container.register { Basket() }.mayBeUnused() }
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

  @Test("is reported where it leaves out an assembly that only a test's doubles were applied from")
  func withoutDoubles() async throws {
    let apply: @Sendable () -> Void = {
      withLayer {
        _ = Assembler([TillAssembly()], container: $0)
      } operation: {
      }
    }
    let issues = try await reports(.without(TillAssembly.self), apply)
    #expect(
      issues.map(\.text) == [
        try text("`TillAssembly` is left out, but no such assembly was applied.")
      ])
  }

  @Test("is not reported in a run of selected tests, which may leave out those that it is for")
  func selected() {
    func isSelection(_ arguments: String..., isXCTest: Bool = false) -> Bool {
      IssueReporter.isSelection(["ShopTests.xctest"] + arguments, isXCTest: isXCTest)
    }
    #expect(!isSelection("--skip-build", "--testing-library", "swift-testing"))
    #expect(isSelection("--testing-library", "swift-testing", "--filter", "CartTests"))
    #expect(isSelection("--skip=CartTests"))
    #expect(!isSelection("-ApplePersistenceIgnoreState", "YES", isXCTest: true))
    #expect(!isSelection("-com.apple.CoreData.ConcurrencyDebug", "1", isXCTest: true))
    #expect(!isSelection("--api=https://api.example.com", "-Version", "2.1", isXCTest: true))
    #expect(!isSelection("/shop/ShopTests.xctest", isXCTest: true))
    #expect(!isSelection("ShopTests.xctest", isXCTest: true))
    #expect(isSelection("-XCTest", "ShopTests", isXCTest: true))
    #expect(isSelection("ShopTests.CartTests/testAdds", isXCTest: true))
  }

  @Test("is reported although another one is noted while the suite's reports are made")
  func notedMeanwhile() async throws {
    let later = DoublePlace(key: ServiceKey(Basket.self), location: CodeLocation())
    let suite = Lock<SharedSetUp?>(nil)
    let ending = SharedSetUp { issue in
      suite.withLock { $0 }?.noteUnused(later) { issue }
    }
    suite.withLock { $0 = ending }
    try await SharedSetUp.collect(into: ending) {
      ending.noteUnused(DoublePlace(key: later.key, location: .unknown)) {
        DiagnosticIssue(text: "unused", severity: .warning, location: .unknown)
      }
    }
    suite.withLock { $0 = nil }
    #expect(ending.issues.map(\.text) == ["unused"])
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
