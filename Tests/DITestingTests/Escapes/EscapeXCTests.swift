#if os(Linux)
@testable import DITesting
import XCTest

private let shop = Resolver { r in
  r.register { LivePayments() as any Payments }
  r.register(name: "card") { LivePayments() as any Payments }
}

private func refund() -> String { shop.resolve((any Payments).self).label }

final class StrictXCTests: ReportingTestCase {
  override var strictness: Strictness { .fail }
  override var mayBeLive: [LiveException] { [.name("card")] }

  func testALiveServiceFails() {
    XCTAssertEqual(refund(), "live")
    expected = [
      failure(
        """
        A live service was resolved: `any Payments`.

          requested:   DITestingTests/EscapeXCTests.swift:10
          registered:  DITestingTests/EscapeXCTests.swift:6, in container made at \
        DITestingTests/EscapeXCTests.swift:5

        To fix this:
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, allow it: \
        `override var mayBeLive: [LiveException] { [.type((any Payments).self)] }`.
        """, line: 10)
    ]
  }

  func testAnExceptionMayBeLive() {
    XCTAssertEqual(shop.resolve((any Payments).self, name: "card").label, "live")
  }

  func testADoubleThatNobodyAskedForFails() {
    let line: UInt = #line + 1
    _ = shop.register { FakePayments() as any Payments }
    expected = [
      failure(
        """
        The double for `any Payments` was never resolved.

          registered:  DITestingTests/EscapeXCTests.swift:\(line)

        To fix this:
          - Remove it, or check that the code under test resolves `any Payments`.
          - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
        `override var unusedDoubles: Strictness? { .off }`.
        """, line: line)
    ]
  }
}

/// Tests that end early: the turn of their doubles may not have come.
final class CutShortXCTests: ReportingTestCase {
  override var strictness: Strictness { .fail }

  override func setUp() {
    shop.register { FakePayments() as any Payments }
  }

  private func failure(line: UInt) -> Failure {
    Failure(
      text: "XCTUnwrap failed: expected non-nil value of type \"Int\" - ", file: "\(#filePath)",
      line: Int(line))
  }

  func testDoublesOfATestThatXCTUnwrapEndsAreNotReported() throws {
    let line: UInt = #line + 2
    expected = [failure(line: line)]
    _ = try XCTUnwrap(nil as Int?)
  }

  func testDoublesOfAnAsyncTestThatXCTUnwrapEndsAreNotReported() async throws {
    await Task.yield()
    let line: UInt = #line + 2
    expected = [failure(line: line)]
    _ = try XCTUnwrap(nil as Int?)
  }
}

/// Tests that are skipped: the turn of their doubles may not have come.
final class SkippedXCTests: ReportingTestCase {
  override var strictness: Strictness { .fail }

  func testDoublesOfASkippedTestAreNotReported() throws {
    shop.register { FakePayments() as any Payments }
    let postbox = double(PostboxDouble())
    postbox.newestStub.returns("letter")
    throw XCTSkip("on purpose")
  }
}

final class FallbackXCTests: ReportingTestCase {
  override var strictness: Strictness { .fail }
  override var fallback: (@Sendable (ServiceKey) -> Any?)? {
    { key in key.type == (any Payments).self ? FakePayments("fallback") : nil }
  }

  func testTheFallbackAnswers() {
    XCTAssertEqual(refund(), "fallback")
  }
}

final class UnscopedXCTests: ReportingTestCase {
  override var unscopedPolicy: UnscopedPolicy { .fail }

  func testWorkThatCarriesNothingFails() async {
    shop.register { FakePayments() as any Payments }
    XCTAssertEqual(refund(), "fake")
    let label = await Task.detached { refund() }.value
    XCTAssertEqual(label, "live")
    expected = [
      failure(
        """
        `any Payments` was resolved by work that belongs to no test, while this sandbox was open: \
        it got the live service.

          requested:  DITestingTests/EscapeXCTests.swift:10
          thread:     another than main
          open:       UnscopedXCTests.testWorkThatCarriesNothingFails

        To fix this:
          - Carry the context there: `let context = ResolutionContext.current`, then \
        `context.run { … }`.
          - Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.
        """, line: 10)
    ]
  }

  func testWorkThatCarriesTheContextGetsTheDouble() async {
    shop.register { FakePayments() as any Payments }
    let context = ResolutionContext.current
    let label = await Task.detached { context.run { refund() } }.value
    XCTAssertEqual(label, "fake")
  }
}

final class AdoptingXCTests: ReportingTestCase {
  func testWorkThatCarriesNothingIsAdopted() async {
    shop.register { FakePayments() as any Payments }
    let label = await Task.detached { refund() }.value
    XCTAssertEqual(label, "fake")
  }
}

final class LateWorkXCTests: ReportingTestCase {
  override var lateWork: Strictness { .fail }

  func testWorkThatOutlivesTheTestFails() {
    shop.register { FakePayments() as any Payments }
    XCTAssertEqual(refund(), "fake")
    let context = ResolutionContext.current
    afterwards = { context.run { XCTAssertEqual(refund(), "fake") } }
    expected = [
      failure(
        """
        `any Payments` was resolved for a test that has ended.

          test:       LateWorkXCTests.testWorkThatOutlivesTheTestFails
          requested:  DITestingTests/EscapeXCTests.swift:10
          thread:     main

        To fix this:
          - Let the test wait for the work it starts: await it, or cancel it.
        """, line: 10)
    ]
  }
}
#endif
