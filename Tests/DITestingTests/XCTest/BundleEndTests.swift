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
        Sandbox.processChanges = .fail
        test.withLock { $0 = "BasketTests.testPays" }
        let observer = XCTestCaseObserver()
        let testCase = BasketTests(name: "testPays") { _ in }
        observer.testCaseWillStart(testCase)
        Resolver.register { Basket() }
        observer.testCaseDidFinish(testCase)
        observer.testBundleDidFinish(.main)
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        """
        error: `Basket` was registered outside every sandbox: it stays in the process.

          registered:  DITestingTests/BundleEndTests.swift:\(line), in main
          test:        BasketTests.testPays

        """))
  }

  @Test("is as it was where nothing was left")
  func passes() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, _ in
        Sandbox.processChanges = .fail
        let observer = XCTestCaseObserver()
        let testCase = BasketTests(name: "testPays") { _ in }
        observer.testCaseWillStart(testCase)
        observer.testCaseDidFinish(testCase)
        observer.testBundleDidFinish(.main)
      }
    }
  }
}

private final class BasketTests: XCTestCase {}
#endif
