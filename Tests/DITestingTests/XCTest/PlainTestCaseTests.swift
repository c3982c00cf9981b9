@testable import DITesting
import XCTest

extension Resolver {
  fileprivate static let plainShop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
  }
}

/// A suite that cannot change its base class: the free functions serve it.
final class PlainTestCaseTests: XCTestCase {
  private var kept: (any Payments)?

  override func setUp() {
    kept = Resolver.plainShop.resolve((any Payments).self)
    let sandbox = Sandbox.open { root in
      XCTAssertTrue(root === Resolver.main)
      root.register { FakePayments("opened") as any Payments }
    }
    addTeardownBlock { [kept] in
      sandbox.close()
      XCTAssertNil(Resolver.optional((any Payments).self))
      XCTAssertTrue(Resolver.plainShop.resolve((any Payments).self) === kept)
    }
  }

  func testWorkThatCarriesNothingIsAnsweredWhileSandboxesEnd() {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(.unique) }
    let isOver = Lock(false)
    let done = expectation(description: "the thread is done")
    Thread {
      while !isOver.withLock({ $0 }) { _ = shop.resolve((any Payments).self) }
      done.fulfill()
    }.start()
    for _ in 0..<2_000 {
      withSandbox { withLayer({ _ in }, operation: { _ = shop.resolve((any Payments).self) }) }
    }
    isOver.withLock { $0 = true }
    wait(for: [done], timeout: 60)
  }

  // XCTest holds every test case, and so its properties, to the end of the process.
  private var layer: Layer?
  private var sandbox: Sandbox?

  func testAPoppedLayerThatItHoldsKeepsNothingOfTheScopeAlive() {
    weak var double: FakePayments?
    weak var outside: FakePayments?
    withSandbox {
      outside = registerFake(in: .main)
      layer = Resolver.push { double = registerFake(in: $0) }
      XCTAssertNotNil(double)
      Resolver.pop(layer!)
      XCTAssertNil(double)
      XCTAssertNotNil(outside)
    }
    XCTAssertNil(outside)
    layer!.container.register { FakePayments("late") as any Payments }
    XCTAssertEqual(currentLabel(), "opened")
  }

  func testAClosedSandboxThatItHoldsKeepsNothing() {
    weak var double: FakePayments?
    sandbox = Sandbox.open { double = registerFake(in: $0) }
    XCTAssertNotNil(double)
    sandbox!.close()
    XCTAssertNil(double)
  }

  private func registerFake(in container: Resolver) -> FakePayments {
    let fake = FakePayments("held")
    container.register { fake as any Payments }.mayBeUnused()
    return fake
  }

  func testASandboxFromSetUpAnswersTheTest() {
    XCTAssertFalse(Resolver.plainShop.resolve((any Payments).self) === kept)
    XCTAssertEqual(currentLabel(), "opened")
  }

  func testADoubleOfTheTestWins() {
    Resolver.main.register { FakePayments("test") as any Payments }
    XCTAssertEqual(currentLabel(), "test")
  }

  func testItAnswersWorkOffTheTask() async {
    let label = await Task.detached { currentLabel() }.value
    XCTAssertEqual(label, "opened")
  }

  func testScopesInsideAnswerWorkOffTheTask() async {
    await withSandbox {
      $0.register { FakePayments("sandbox") as any Payments }
    } operation: {
      var label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "sandbox")
      await withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        label = await Task.detached { currentLabel() }.value
        XCTAssertEqual(label, "layer")
      }
    }
    let label = await Task.detached { currentLabel() }.value
    XCTAssertEqual(label, "opened")
  }

  func testWhatIsPushedOnASandboxInAScopeAnswersWorkOffTheTask() async {
    await withSandbox {
      let sandbox = Sandbox.open { $0.register { FakePayments("inner") as any Payments } }
      let layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
      var label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "pushed")
      Resolver.pop(layer)
      label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "inner")
      sandbox.close()
    }
  }

  func testAnAssignedRootIsItsOwn() {
    let mock = Resolver(child: .main)
    mock.register { FakePayments("mock") as any Payments }
    Resolver.root = mock
    XCTAssertEqual(currentLabel(), "mock")
  }

  func testAnAssignedRootIsGoneInTheNextTest() {
    XCTAssertTrue(Resolver.root === Resolver.main)
  }

  func testLayersAndScopesWorkInIt() throws {
    let layer = Resolver.push { $0.register { FakePayments("layer") as any Payments } }
    XCTAssertEqual(currentLabel(), "layer")
    Resolver.pop(layer)
    XCTAssertEqual(currentLabel(), "opened")
    withLayer {
      $0.register { FakePayments("scoped") as any Payments }
    } operation: {
      XCTAssertEqual(currentLabel(), "scoped")
    }
    withRoot(.plainShop) { XCTAssertEqual(currentLabel(), "live") }
    withRecorder(ResolutionRecorder()) {
      _ = currentLabel()
      expectResolved((any Payments).self, times: 1)
    }
  }

  func testAThrowingConfigurationOpensNothing() {
    XCTAssertThrowsError(try Sandbox.open { _ in throw OutOfStock() }) {
      XCTAssertTrue($0 is OutOfStock)
    }
    XCTAssertEqual(currentLabel(), "opened")
  }
}

/// A suite that opens its scopes in the tests: what is innermost answers work off the task.
final class PlainScopesTests: XCTestCase {
  func testALayerInASandboxAnswersWorkOffTheTask() async {
    await withSandbox {
      await withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        let label = await Task.detached { currentLabel() }.value
        XCTAssertEqual(label, "layer")
      }
    }
  }

  func testAScopedRootInASandboxAnswersWorkOffTheTask() async {
    let mock = Resolver()
    mock.register { FakePayments("mock") as any Payments }
    await withSandbox {
      await withRoot(mock) {
        let label = await Task.detached { currentLabel() }.value
        XCTAssertEqual(label, "mock")
      }
    }
  }

  func testARootAssignedInASandboxAnswersWorkOffTheTask() async {
    await withSandbox {
      let mock = Resolver()
      mock.register { FakePayments("mock") as any Payments }
      Resolver.root = mock
      let label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "mock")
    }
  }

  func testALayerPushedInASandboxAnswersWorkOffTheTask() async {
    await withSandbox {
      let layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
      let label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "pushed")
      Resolver.pop(layer)
    }
  }

  func testALayerPushedOffTheTaskIsTheSandboxs() async {
    await withSandbox {
      $0.register { FakePayments("sandbox") as any Payments }
      $0.register { Basket() }
    } operation: {
      let layer = await Task.detached {
        Resolver.push { $0.register { FakePayments("detached") as any Payments } }
      }.value
      XCTAssertNil(ContextFrame.processTop)
      XCTAssertEqual(currentLabel(), "detached")
      let basket = await Task.detached { Resolver.optional(Basket.self) }.value
      XCTAssertNotNil(basket)
      Resolver.pop(layer)
      XCTAssertEqual(currentLabel(), "sandbox")
    }
  }

  func testSetUpCodeThatRunsOffTheTaskIsBaseState() async {
    let shop = await withSandbox {
      await Task.detached {
        Resolver { r in r.register { LivePayments() as any Payments } }
      }.value
    }
    XCTAssertEqual(shop.optional((any Payments).self)?.label, "live")
  }
}

#if !canImport(Darwin)
// XCTest has no `XCTExpectFailure` here: failures are taken where they are recorded.

/// What a test case with nothing around it leaves behind on the process.
final class ForgetfulTestCaseTests: XCTestCase {
  private var isTaking = false
  private var taken: [(text: String, file: String, line: Int)] = []

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if isTaking {
      taken.append((description, filePath, lineNumber))
    } else {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
  }

  /// Does what XCTest does when this test ends and another, which is this one too, begins.
  private func finishAndGoOn() {
    let observer = XCTestCaseObserver()
    observer.testCaseDidFinish(self)
    XCTAssertNil(ContextFrame.processTop)
    isTaking = true
    observer.testCaseWillStart(self)
    isTaking = false
  }

  override func setUp() {
    // The observer may have come too late to hear of this test.
    TestHooks.install()
    XCTestCaseObserver().testCaseWillStart(self)
  }

  func testALayerThatIsNeverPoppedFailsTheNextTest() {
    let line: UInt = #line + 1
    let layer = Resolver.push { $0.register { FakePayments("forgotten") as any Payments } }
    XCTAssertEqual(currentLabel(), "forgotten")
    finishAndGoOn()
    XCTAssertEqual(
      taken.map(\.text),
      [
        """
        failed - This layer was pushed and never popped.

          pushed:  DITestingTests/PlainTestCaseTests.swift:\(line)
          scope:   ForgetfulTestCaseTests.testALayerThatIsNeverPoppedFailsTheNextTest

        To fix this:
          - Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does.
        """
      ])
    XCTAssertEqual(taken.map(\.file), ["\(#filePath)"])
    XCTAssertEqual(taken.map(\.line), [Int(line)])
    XCTAssertNil(Resolver.optional((any Payments).self))
    // In the `tearDown` of a later test, say: it was taken off.
    Resolver.pop(layer)
    finishAndGoOn()
    XCTAssertEqual(taken.count, 1)
  }

  func testASandboxThatIsNeverClosedFailsTheNextTest() {
    let line: UInt = #line + 1
    let sandbox = Sandbox.open { $0.register { FakePayments("forgotten") as any Payments } }
    XCTAssertEqual(currentLabel(), "forgotten")
    finishAndGoOn()
    XCTAssertEqual(
      taken.map(\.text),
      [
        """
        failed - This sandbox was opened and never closed.

          opened:  DITestingTests/PlainTestCaseTests.swift:\(line)
          scope:   ForgetfulTestCaseTests.testASandboxThatIsNeverClosedFailsTheNextTest

        To fix this:
          - Close it with `close()` before the scope ends, or use `withSandbox`, which does.
        """
      ])
    XCTAssertNil(Resolver.optional((any Payments).self))
    sandbox.close()
  }

  func testWhatWasPushedBeforeATestStaysUntilItsSuiteEnds() {
    let (observer, suite) = (XCTestCaseObserver(), XCTestSuite(name: "PaymentTests"))
    // For all suites, before any of them, and in a class's `setUp`: no test is running.
    RunningXCTest.set(nil)
    let first = Resolver.push { $0.register { FakePayments("for all") as any Payments } }
    observer.testSuiteWillStart(suite)
    let line: UInt = #line + 1
    _ = Resolver.push { $0.register { FakePayments("of the class") as any Payments } }
    observer.testCaseWillStart(self)
    observer.testCaseDidFinish(self)
    XCTAssertEqual(currentLabel(), "of the class")
    observer.testSuiteDidFinish(suite)
    XCTAssertEqual(currentLabel(), "for all")
    isTaking = true
    observer.testCaseWillStart(self)
    isTaking = false
    XCTAssertEqual(
      taken.map(\.text),
      [
        """
        failed - This layer was pushed and never popped.

          pushed:  DITestingTests/PlainTestCaseTests.swift:\(line)
          scope:   PaymentTests

        To fix this:
          - Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does.
        """
      ])
    Resolver.pop(first)
  }
}
#endif

/// Layers of `setUp` and `tearDown`, with nothing around them: they answer the process.
final class PushingTestCaseTests: XCTestCase {
  private var layer: Layer?

  override func setUp() {
    layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
  }

  override func tearDown() {
    layer.map { Resolver.pop($0) }
    XCTAssertNil(Resolver.optional((any Payments).self))
  }

  func testALayerFromSetUpAnswersTheTest() {
    XCTAssertEqual(currentLabel(), "pushed")
    XCTAssertTrue(Resolver.root === Resolver.main)
  }

  func testALayerFromSetUpAnswersAnAsyncTest() async {
    let label = await Task.detached { currentLabel() }.value
    XCTAssertEqual(label, "pushed")
  }
}
