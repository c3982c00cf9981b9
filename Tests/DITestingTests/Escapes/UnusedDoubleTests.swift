@testable import DITesting
import Testing
import XCTest

// When an unused double is reported, and when it is not.

private protocol Scales: AnyObject {}
private final class SpyScales: Scales {}

private final class ScalesRoom: SharedContainer {
  static let shared = ScalesRoom()
  let manager = ContainerManager()
  var scales: Factory<any Scales> { self { SpyScales() } }
}

/// Shared set-up: it stands before the tests, as an `init` does.
private func registerScales() { findingShop.register { SpyScales() as any Scales } }

private let setUpLine: UInt = #line - 2

private func makeScalesShop() -> Resolver {
  let shop = Resolver()
  shop.register { SpyScales() as any Scales }
  return shop
}

/// The reports of a suite's end, each test of which runs in a sandbox.
private func suiteFindings(_ tests: () async throws -> Void) async throws -> [DiagnosticIssue] {
  let issues = Issues()
  try await SharedSetUp.collect(into: SharedSetUp(report: issues.handler), tests)
  return issues.all
}

/// Runs a test of such a suite, and returns the reports of its own end.
@discardableResult
private func run(
  _ test: String, strictness: Strictness = .off, unusedDoubles: Strictness? = nil,
  _ body: @Sendable () -> Void
) async -> [DiagnosticIssue] {
  let issues = Issues()
  var policy = FramePolicy.strict(strictness, [])
  policy.lateWork = .off
  policy.unusedDoubles = unusedDoubles
  await ScopeOpener(
    .sandbox, policy: policy, name: test, isTest: true, location: CodeLocation(),
    report: issues.handler
  ).run { () async in body() }
  return issues.all
}

private let runLine: UInt = #line - 6

@Suite("An unused double")
struct UnusedDoubleTests {
  @Test("of a test's own body is reported when the test ends, once a line")
  func once() async throws {
    let line: UInt = #line + 1
    let register: @Sendable () -> Void = { findingShop.register { SpyScales() as any Scales } }
    let issues = try await suiteFindings {
      let first = await run("weighs", register)
      #expect(
        first.map(\.text) == [
          """
          The double for `any Scales` was never resolved.

            registered:  DITestingTests/UnusedDoubleTests.swift:\(line)

          To fix this:
            - Remove it, or check that the code under test resolves `any Scales`.
            - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
          `unusedDoubles: .off` for the sandbox.
          """
        ])
      #expect(first.map(\.severity) == [.warning])
      #expect(await run("weighs again", register) == [])
    }
    #expect(issues.isEmpty)
  }

  @Test("of shared set-up is reported when the suite is over, if no test resolved it, once")
  func setUp() async throws {
    for strictness in [Strictness.off, .fail] {
      let issues = try await suiteFindings {
        for _ in 0..<2 {
          #expect(await run("weighs", strictness: strictness) { registerScales() } == [])
        }
      }
      #expect(
        issues.map(\.text) == [
          """
          No test of the suite resolved the double for `any Scales`.

            registered:  DITestingTests/UnusedDoubleTests.swift:\(setUpLine)

          To fix this:
            - Remove it, or check that the code under test resolves `any Scales`.
            - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
          `unusedDoubles: .off` for the sandbox.
          """
        ])
      #expect(issues.map(\.severity) == [.warning])
    }
  }

  @Test("that another file's helper registers is reported with a test that called it")
  func helper() async throws {
    let issues = try await suiteFindings {
      await run("weighs") { registerBasket(in: findingShop, named: "scales") }
    }
    #expect(
      issues.map(\.text) == [
        """
        No test of the suite resolved the double for `Basket "scales"`.

          registered:  DITestingTests/FindingWorld.swift:\(helperLine)
          test:        weighs, at DITestingTests/UnusedDoubleTests.swift:\(runLine)

        To fix this:
          - Remove it, or check that the code under test resolves `Basket "scales"`.
          - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
        `unusedDoubles: .off` for the sandbox.
        """
      ])
  }

  @Test("of shared set-up is not reported where a test resolves it", arguments: [true, false])
  func resolvedElsewhere(isFirst: Bool) async throws {
    let issues = try await suiteFindings {
      if isFirst { await run("waits") { registerScales() } }
      await run("weighs") {
        registerScales()
        _ = findingShop.resolve((any Scales).self)
      }
      if !isFirst { await run("waits") { registerScales() } }
    }
    #expect(issues.isEmpty)
  }

  @Test("of shared set-up is not reported where a test resolves it that an error ends")
  func resolvedByFailing() async throws {
    let issues = try await suiteFindings {
      await run("waits") { registerScales() }
      let opener = ScopeOpener(
        .sandbox, name: "weighs", isTest: true, location: CodeLocation(), report: { _ in })
      await #expect(throws: OutOfStock.self) {
        try await opener.runCase {
          registerScales()
          _ = findingShop.resolve((any Scales).self)
          throw OutOfStock()
        }
      }
    }
    #expect(issues.isEmpty)
  }

  @Test("of a container that goes before an error ends the test is not reported")
  func goneBeforeError() async {
    let issues = Issues()
    let opener = ScopeOpener(
      .sandbox, name: "weighs", isTest: true, location: CodeLocation(), report: issues.handler)
    await #expect(throws: OutOfStock.self) {
      try await opener.runCase {
        _ = makeGoneShop()
        throw OutOfStock()
      }
    }
    #expect(issues.all.isEmpty)
  }

  private func makeGoneShop() -> Int {
    let shop = Resolver()
    shop.register { SpyScales() as any Scales }
    return 0
  }

  @Test("of shared set-up is treated as the sandbox says")
  func setUpPolicy() async throws {
    for treatment in [Strictness.off, .fail] {
      let issues = try await suiteFindings {
        await run("weighs", unusedDoubles: treatment) { registerScales() }
      }
      #expect(issues.map(\.severity) == (treatment.severity.map { [$0] } ?? []))
    }
  }

  @Test("of shared set-up is not reported where there is no suite, nor that of an ended test")
  func setUpWithoutSuite() async throws {
    #expect(findings { registerScales() }.isEmpty)
    let test = try #require(Test.current)
    let issues = try await suiteFindings {
      await #expect(throws: OutOfStock.self) {
        try await SandboxTrait.sandbox { _ in registerScales() }
          .provideScope(for: test, testCase: nil) { throw OutOfStock() }
      }
    }
    #expect(issues.isEmpty)
  }

  @Test("of shared set-up in a container that goes first is not reported where a test resolves it")
  func resolvedFromContainer() async throws {
    let issues = try await suiteFindings {
      await run("waits") { _ = makeScalesShop() }
      await run("weighs") { _ = makeScalesShop().resolve((any Scales).self) }
    }
    #expect(issues.isEmpty)
  }

  @Test("of a container that goes before the test ends is reported as any other")
  func gone() {
    let issues = findings {
      let shop = Resolver()
      shop.register { SpyScales() as any Scales }
    }
    #expect(issues.map(\.headline) == ["The double for `any Scales` was never resolved."])
  }

  @Test("of a class is reported by itself where aliases tell several apart", arguments: [0, 1])
  func toldApart(used: Int) {
    let names: [Resolver.Name] = ["kitchen", "post"]
    let line: UInt = #line + 2
    let issues = findings {
      findingShop.register { SpyScales() }.implements((any Scales).self, name: names[0])
      findingShop.register { SpyScales() }.implements((any Scales).self, name: names[1])
      _ = findingShop.resolve((any Scales).self, name: names[used])
    }
    #expect(issues.map(\.location.line) == [line + UInt(1 - used)])
  }

  @Test("that aliases tell from another is reported in a container that goes before the test ends")
  func toldApartAndGone() {
    let line: UInt = #line + 3
    let issues = findings {
      let shop = Resolver()
      shop.register { SpyScales() }.implements((any Scales).self, name: "kitchen")
      shop.register { SpyScales() }.implements((any Scales).self, name: "post")
      _ = shop.resolve((any Scales).self, name: "post")
    }
    #expect(issues.map(\.location.line) == [line])
  }

  @Test("is reported by each strict test")
  func strict() async throws {
    let register: @Sendable () -> Void = { findingShop.register { SpyScales() as any Scales } }
    for _ in 0..<2 {
      #expect(findings(policy: .strict(.fail, []), register).map(\.severity) == [.error])
    }
  }

  @Test("that another module registers is production set-up, and is not reported")
  func production() async throws {
    for strictness in [Strictness.off, .fail] {
      let issues = try await suiteFindings {
        let own = await run("weighs", strictness: strictness) {
          _ = findingShop.register(
            fileID: "App/AppDelegate.swift", filePath: "/App/AppDelegate.swift", line: 7, column: 3
          ) { SpyScales() as any Scales }
        }
        #expect(own.isEmpty)
      }
      #expect(issues.isEmpty)
    }
  }

  @Test("of a registration that may be unused is not reported, strict or not")
  func mayBeUnused() {
    for strictness in [Strictness.off, .fail] {
      let issues = findings(policy: .strict(strictness, [])) {
        findingShop.register { SpyScales() as any Scales }.scope(.cached).mayBeUnused()
        findingShop.register { SpyScales() }.mayBeUnused().implements((any Scales).self)
        ScalesRoom.shared.scales.register { SpyScales() }.mayBeUnused()
      }
      #expect(issues.isEmpty)
    }
  }

  @Test("of a property that may be unused is resolved all the same")
  func mayBeUnusedProperty() {
    withSandbox {
      let spy = SpyScales()
      ScalesRoom.shared.scales.register { spy }.mayBeUnused()
      #expect(ScalesRoom.shared.scales() === spy)
    }
  }

  @Test(
    "is treated as its sandbox says, whatever the strictness",
    arguments: [Strictness.off, .warn, .fail], [Strictness.off, .fail])
  func policy(unusedDoubles: Strictness, strictness: Strictness) {
    var policy = FramePolicy.strict(strictness, [])
    policy.unusedDoubles = unusedDoubles
    let name = "\(unusedDoubles) \(strictness)"
    let issues = findings(policy: policy) {
      _ = findingShop.register(name: .init(name)) { SpyScales() as any Scales }
    }
    #expect(issues.map(\.severity) == (unusedDoubles.severity.map { [$0] } ?? []))
  }

  @Test("may be allowed for a sandbox by the function and by the trait")
  func sandboxes() async throws {
    let test = try #require(Test.current)
    withSandbox(unusedDoubles: .off) {
      $0.register { SpyScales() as any Scales }
    } operation: {
    }
    withSandbox(unusedDoubles: .off) {
      _ = findingShop.register { SpyScales() as any Scales }
    }
    await withSandbox(unusedDoubles: .off) { await register() }
    try await SandboxTrait.sandbox(unusedDoubles: .off) {
      $0.register { SpyScales() as any Scales }
    }.provideScope(for: test, testCase: nil) {}
  }

  private func register() async { findingShop.register { SpyScales() as any Scales } }

  @Test("that decorates, or that `double` registers, is not advised to be marked: it cannot be")
  func unmarkable() {
    let issues = findings {
      findingShop.decorate((any Payments).self) { $0 }
      _ = double(UnmarkableDouble())
    }
    #expect(
      issues.map { $0.text.split(separator: "\n").last ?? "" } == [
        "  - If it may go unused, mark it: `unusedDoubles: .off` for the sandbox.",
        "  - If it may go unused, mark it: `unusedDoubles: .off` for the sandbox.",
      ])
  }

  @Test("is none of a plain test case that an error or a skip ended, in what that pushed")
  func cutShortXCTest() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { _, _ in
        for isCutShort in [true, false] {
          let testCase = EndedTestCase(name: "testWeighs") { _ in }
          testCase.run = isCutShort ? FailedRun(test: testCase) : XCTestCaseRun(test: testCase)
          RunningXCTest.begin(testCase)
          let sandbox = Sandbox.open()
          Resolver.register { Basket() }
          #expect(ContextFrame.processTop?.unusedDoubles.isEmpty == isCutShort)
          _ = Resolver.resolve(Basket.self)
          sandbox.close()
          RunningXCTest.end(testCase)
        }
      }
    }
  }

  @Test("that was also registered too late is reported as that only", arguments: [true, false])
  func late(isRecorded: Bool) {
    let issues = findings(recorded: isRecorded) {
      let basket = findingShop.resolve(Basket.self)
      findingShop.register { Basket() }.scope(.cached)
      withExtendedLifetime(basket) {}
    }
    #expect(
      issues.map(\.headline) == [
        "The double for `Basket` was registered too late: the live service was resolved before."
      ])
  }
}

private protocol Unmarkable {}
private final class UnmarkableDouble: TestDouble, Unmarkable {
  typealias Doubled = any Unmarkable
  static func asDoubled(_ double: UnmarkableDouble) -> any Unmarkable { double }
}

private final class EndedTestCase: XCTestCase {
  var run: XCTestRun?
  override var testRun: XCTestRun? { run }
}

private final class FailedRun: XCTestCaseRun, @unchecked Sendable {
  override var unexpectedExceptionCount: Int { 1 }
}
