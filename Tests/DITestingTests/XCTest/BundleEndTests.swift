#if os(Linux)
@testable import DITesting
import Foundation
import Testing
import XCTest

@Suite("The end of a run of XCTest")
struct BundleEndTests {
  @Test("fails the run for what its last test left, with the text")
  func fails() async throws {
    // The line of all that is in the macro.
    let line: UInt = #line + 1
    let result = try await #require(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) {
      process(isAlone: true) { test, _ in
        test.withLock { $0 = "BasketTests.testPays" }
        let observer = XCTestCaseObserver()
        let testCase = BasketTests(name: "testPays") { _ in }
        observer.testCaseWillStart(testCase)
        _ = Resolver.push { _ in }
        observer.testCaseDidFinish(testCase)
        observer.testBundleDidFinish(.main)
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        """
        error: This layer was pushed and never popped.

          pushed:  DITestingTests/BundleEndTests.swift:\(line)
          scope:   BasketTests.testPays

        """))
  }

  @Test("is as it was where nothing was left")
  func passes() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, _ in
        let observer = XCTestCaseObserver()
        let testCase = BasketTests(name: "testPays") { _ in }
        observer.testCaseWillStart(testCase)
        observer.testCaseDidFinish(testCase)
        observer.testBundleDidFinish(.main)
      }
    }
  }
}

// The observer may be installed too late to hear of the end of a first test.
@Suite("The end of a process")
struct ProcessEndTests {
  @Test("fails the run for a layer that is left, with the text")
  func layer() async throws {
    let line: UInt = #line + 1
    let result = try await #require(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) {
      process(isAlone: true) { _, _ in
        ProcessEnd.observe()
        _ = Resolver.push { _ in }
        exit(EXIT_SUCCESS)
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        """
        error: This layer was pushed and never popped.

          pushed:  DITestingTests/BundleEndTests.swift:\(line)
          scope:   unknown

        To fix this:
          - Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does.
          - If it is for all tests of a bundle, pop it in `testBundleDidFinish` of the observer that \
        pushed it.

        """))
  }

  @Test("is as it was where an observer pops what it pushed for all tests of a bundle")
  func layerOfBundle() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, issues in
        ProcessEnd.observe()
        let observer = XCTestCaseObserver()
        let suite = XCTestSuite(name: "BasketTests")
        let testCase = BasketTests(name: "testPays") { _ in }
        let layer = Resolver.push { $0.register { FakePayments("for all") as any Payments } }
        observer.testSuiteWillStart(suite)
        observer.testCaseWillStart(testCase)
        test.withLock { $0 = "BasketTests.testPays" }
        Resolver.pop(Resolver.push { _ in })
        Resolver.root = Resolver()
        Resolver.root = .main
        observer.testCaseDidFinish(testCase)
        test.withLock { $0 = nil }
        observer.testSuiteDidFinish(suite)
        #expect(currentLabel() == "for all")
        Resolver.pop(layer)
        observer.testBundleDidFinish(.main)
        #expect(
          issues.all.map(\.headline) == [
            "`Resolver.root` was replaced outside every sandbox: the process keeps the new one."
          ])
      }
    }
  }

  @Test("fails the run for a sandbox that a test of Swift Testing opened and never closed")
  func ofSwiftTesting() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) {
      process { test, _ in
        ProcessEnd.observe()
        test.withLock { $0 = "refunds()" }
        _ = Sandbox.open()
        exit(EXIT_SUCCESS)
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("error: This sandbox was opened and never closed.\n"))
    #expect(text.contains("scope:   refunds()\n"))
  }

  @Test("is as it was where nothing is left, or where no test left it")
  func nothing() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { _, _ in
        ProcessEnd.observe()
        Resolver.pop(Resolver.push { _ in })
        Resolver.register { Basket() }
      }
    }
    await #expect(processExitsWith: .success) {
      process { _, _ in
        ProcessEnd.observe()
        _ = Resolver.push { _ in }
      }
    }
  }
}

private final class BasketTests: XCTestCase {}
#endif
