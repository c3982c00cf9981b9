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

/// The reports of a suite's tests, each of which runs in a sandbox.
private func suiteFindings(_ tests: () async throws -> Void) async throws -> [DiagnosticIssue] {
  let issues = Issues()
  let suite = SuiteFindings(namesTests: false) { issue, _ in issues.handler(issue) }
  try await SuiteFindings.collectAnew(into: suite, tests)
  return issues.all
}

private func run(
  _ test: String, strictness: Strictness = .off, _ body: @Sendable () -> Void
) async {
  var policy = FramePolicy.strict(strictness, [])
  policy.lateWork = .off
  await ScopeOpener(
    .sandbox, policy: policy, name: test, isTest: true, location: CodeLocation()
  ).run { () async in body() }
}

@Suite("An unused double")
struct UnusedDoubleTests {
  @Test("of a line that several tests run is reported once, when the suite is over")
  func once() async throws {
    let line: UInt = #line + 1
    let register: @Sendable () -> Void = { findingShop.register { SpyScales() as any Scales } }
    let issues = try await suiteFindings {
      await run("weighs", register)
      await run("weighs again", register)
    }
    #expect(
      issues.map(\.text) == [
        """
        The double for `any Scales` was never resolved.

          registered:  DITestingTests/UnusedDoubleTests.swift:\(line)
          test:        weighs
          replaces:    nothing: production registers no `any Scales`

        To fix this:
          - Remove it, or check that the code under test resolves `any Scales`.
          - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
        `unusedDoubles: .off` for the sandbox.
        """
      ])
    #expect(issues.map(\.severity) == [.warning])
    let later = try await suiteFindings { await run("weighs in another suite", register) }
    #expect(later.isEmpty)
  }

  @Test("is not reported where another test of the suite resolves it", arguments: [true, false])
  func resolvedElsewhere(isFirst: Bool) async throws {
    let register: @Sendable () -> Void = { findingShop.register { SpyScales() as any Scales } }
    let issues = try await suiteFindings {
      if isFirst { await run("waits", register) }
      await run("weighs") {
        register()
        _ = findingShop.resolve((any Scales).self)
      }
      if !isFirst { await run("waits", register) }
    }
    #expect(issues.isEmpty)
  }

  @Test("is not reported where work that outlives its test resolves it before the suite is over")
  func resolvedLate() async throws {
    let register: @Sendable () -> Void = { findingShop.register { SpyScales() as any Scales } }
    let issues = try await suiteFindings {
      let context = Lock<ResolutionContext?>(nil)
      await run("leaves work behind") {
        register()
        context.withLock { $0 = .current }
      }
      await run("waits", register)
      let late = try #require(context.withLock { $0 })
      late.run { #expect(findingShop.resolve((any Scales).self) is SpyScales) }
    }
    #expect(issues.map(\.headline) == [])
    let later = try await suiteFindings { await run("waits in another suite", register) }
    #expect(later.map(\.headline) == [])
  }

  @Test("is not reported where an earlier test of the run resolved it, though none has a trait")
  func resolvedWithoutTraits() async {
    // In a process of its own, which has heard of no suite.
    await #expect(processExitsWith: .success) {
      let register = { _ = findingShop.register { SpyScales() as any Scales } }
      withSandbox {
        register()
        _ = findingShop.resolve((any Scales).self)
      }
      let reported = Atomic()
      withKnownIssue(isIntermittent: true) {
        withSandbox { register() }
      } matching: { _ in
        reported.set(true)
        return true
      }
      #expect(!reported.isSet)
    }
  }

  @Test("of a container that goes first is not reported where another test resolves it")
  func resolvedFromContainer() async throws {
    let make: @Sendable () -> Resolver = {
      let shop = Resolver()
      shop.register { SpyScales() as any Scales }
      return shop
    }
    let issues = try await suiteFindings {
      await run("waits") { _ = make() }
      await run("weighs") { _ = make().resolve((any Scales).self) }
    }
    #expect(issues.isEmpty)
  }

  @Test("is reported by each strict test")
  func strict() async throws {
    let register: @Sendable () -> Void = { findingShop.register { SpyScales() as any Scales } }
    for _ in 0..<2 {
      #expect(findings(policy: .strict(.fail, []), register).map(\.severity) == [.error])
    }
  }

  @Test("of shared set-up, which stands before the test, is not reported")
  func setUp() async throws {
    let issues = try await suiteFindings {
      await run("weighs") { registerScales() }
    }
    #expect(issues.isEmpty)
  }

  @Test("that another module registers is production set-up, and is not reported")
  func production() {
    for strictness in [Strictness.off, .fail] {
      let issues = findings(policy: .strict(strictness, [])) {
        _ = findingShop.register(
          fileID: "App/AppDelegate.swift", filePath: "/App/AppDelegate.swift", line: 7, column: 3
        ) { SpyScales() as any Scales }
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
    let issues = findings(policy: policy) { _ = findingShop.register { SpyScales() as any Scales } }
    #expect(issues.map(\.severity) == (unusedDoubles.severity.map { [$0] } ?? []))
  }

  @Test("may be allowed for a sandbox by the function and by the trait")
  func sandboxes() async throws {
    let test = try #require(Test.current)
    let issues = try await suiteFindings {
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
    #expect(issues.isEmpty)
  }

  private func register() async { findingShop.register { SpyScales() as any Scales } }

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
        "The double for `Basket` was registered too late: an instance that was resolved before is "
          + (isRecorded ? "still in use." : "kept.")
      ])
  }
}

private final class EndedTestCase: XCTestCase {
  var run: XCTestRun?
  override var testRun: XCTestRun? { run }
}

private final class FailedRun: XCTestCaseRun, @unchecked Sendable {
  override var unexpectedExceptionCount: Int { 1 }
}
