#if os(Linux)
@testable import DITesting
import XCTest

final class CallExpectationXCTests: ReportingTestCase {
  override var doubles: [any TestDouble.Type]? { TillDoubles.all }
  override var real: [Any.Type] { [Cashier.self] }

  private static let shop = Resolver.makeCashierShop()

  func testHold() throws {
    let gateway = double(GatewayDouble.self)
    gateway.charge.returns("ref")
    try Self.shop.resolve(Cashier.self).buy(650, for: "Ann")
    expectCalled(gateway.charge, times: 1) { $0.cents == 650 }
    expectNotCalled(gateway.getLimit)
    expectCalls(inOrder: gateway.charge, double(PostboxDouble.self).send)
    expectNoOtherCalls(gateway, double(PostboxDouble.self))
    XCTAssertEqual(recorder.calls.count, 2)
  }

  func testFail() {
    let postbox = double(PostboxDouble())
    postbox.send("Receipt")
    _ = Self.shop.optional((any Postbox).self)
    _ = Resolver.optional((any Postbox).self)
    let line: UInt = #line
    let called = "Called:\n  Postbox.send(\"Receipt\")"
    expected = [
      failure(
        "Expected `Postbox.newest()` to be called, but it was not.\n\n\(called)", line: line + 15),
      failure(
        "Expected `Postbox.send(_:)` not to be called, but it was called 1 time.\n\n\(called)",
        line: line + 16),
      failure(
        "Expected calls in this order: `Postbox.newest()`. But `Postbox.newest()` was not called."
          + "\n\n\(called)", line: line + 17),
      failure(
        "Expected no other calls, but there was one.\n\n  other:  Postbox.send(\"Receipt\")\n\n"
          + called, line: line + 18),
    ]
    expectCalled(postbox.newestStub)
    expectNotCalled(postbox.send)
    expectCalls(inOrder: postbox.newestStub)
    expectNoOtherCalls(postbox)
  }

  func testWaits() async {
    let postbox = PostboxDouble()
    let line: UInt = #line
    expected = [
      failure(
        "Expected `Postbox.send(_:)` to be called 1 time within 0.0 seconds, but it was called "
          + "0 times.\n\n  this one:  not known to be registered\n\nTo fix this:\n"
          + "  - If the code under test resolves it, register it: `double(…)`.\n\n"
          + "No stub was called.", line: line + 8)
    ]
    let isCalled = await postbox.send.called(within: .zero)
    XCTAssertFalse(isCalled)
    postbox.send("Receipt")
    let isCalledNow = await postbox.send.called()
    XCTAssertTrue(isCalledNow)
  }

  func testUnstubbed() {
    let postbox = PostboxDouble()
    expected = [
      failure(
        """
        `Postbox.newest()` was called, but nothing is stubbed for this call.

          called:  ()
          made:    DITestingTests/DoubleWorld.swift:43
          test:    \(name)

        To fix this:
          - Stub it before the call: `.returns(…)` or `.runs { … }`.
          - If it does not matter here, mark it: `.lenient()` on the stub, or \
        `override var hasLenientDoubles: Bool { true }`.
        """, line: 43, file: PostboxDouble.path)
    ]
    XCTAssertNil(postbox.newest())
  }

  func testUnstubbedAndRegistered() {
    let line: UInt = #line + 1
    let postbox = double(PostboxDouble())
    _ = Resolver.resolve((any Postbox).self)
    expected = [
      failure(
        """
        `Postbox.newest()` was called, but nothing is stubbed for this call.

          called:      ()
          registered:  DITestingTests/CallExpectationXCTests.swift:\(line)
          test:        \(name)

        To fix this:
          - Stub it before the call: `.returns(…)` or `.runs { … }`.
          - If it does not matter here, mark it: `.lenient()` on the stub, or \
        `override var hasLenientDoubles: Bool { true }`.
        """, line: line)
    ]
    XCTAssertNil(postbox.newest())
  }

  func testWhatHasNoDoubleIsLiveAndFailsTheTest() {
    let line: UInt = #line
    let shop = Resolver { $0.register { LiveTillLamp() as any TillLamp } }
    expected = [
      failure(
        """
        A service has no double, and was live.

          live:  `any TillLamp`, registered at DITestingTests/CallExpectationXCTests.swift:\(line + 1), \
        requested at DITestingTests/CallExpectationXCTests.swift:\(line + 16)

        To fix this:
          - Write the doubles: `swift package --allow-writing-to-package-directory doubles \
        --target DITestingTests --protocol TillLamp`.
          - Or let it be live: `override var real: [Any.Type] { [(any TillLamp).self] }`.
        """, line: line + 16)
    ]
    _ = shop.resolve((any TillLamp).self)
  }
}

final class PlainUnstubbedXCTests: XCTestCase {
  private var isTaking = false
  private var taken: [String] = []

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if isTaking {
      taken.append(description)
    } else {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
  }

  func testAnUnstubbedCallNamesTheTestWithoutAPlace() {
    // The observer may have come too late to hear of this test.
    TestHooks.install()
    XCTestCaseObserver().testCaseWillStart(self)
    isTaking = true
    XCTAssertNil(PostboxDouble().newest())
    isTaking = false
    XCTAssertEqual(
      taken,
      [
        """
        failed - `Postbox.newest()` was called, but nothing is stubbed for this call.

          called:  ()
          made:    DITestingTests/DoubleWorld.swift:43
          test:    PlainUnstubbedXCTests.testAnUnstubbedCallNamesTheTestWithoutAPlace

        To fix this:
          - Stub it before the call: `.returns(…)` or `.runs { … }`.
          - If it does not matter here, mark it: `.lenient()` on the stub, or \
        `override var hasLenientDoubles: Bool { true }`.
        """
      ])
  }
}

final class LenientDoublesXCTests: ReportingTestCase {
  override var hasLenientDoubles: Bool { true }

  func testACallThatNothingIsStubbedForIsNoIssue() {
    XCTAssertNil(PostboxDouble().newest())
  }
}

protocol TillLamp: Sendable {}
struct LiveTillLamp: TillLamp {}
#endif
