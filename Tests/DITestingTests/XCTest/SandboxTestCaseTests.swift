import DITesting
import Dispatch
import Foundation
import XCTest

extension Resolver {
  fileprivate static let caseShop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.singleton)
  }
}

final class SandboxTestCaseTests: SandboxTestCase {
  private let made = Resolver.optional((any Payments).self)?.label

  /// What a request answers at the end of the test.
  private var label = "override point"

  override func registerDoubles(in root: Resolver) {
    XCTAssertTrue(root === Resolver.root)
    root.register { FakePayments("override point") as any Payments }
  }

  override func setUp() {
    XCTAssertEqual(currentLabel(), "override point")
  }

  override func setUp() async throws {
    XCTAssertEqual(currentLabel(), "override point")
    Resolver.main.register { Basket() }
  }

  override func setUpWithError() throws {
    XCTAssertEqual(currentLabel(), "override point")
  }

  override func tearDown() {
    XCTAssertEqual(currentLabel(), label)
    XCTAssertNotNil(Resolver.optional(Basket.self))
  }

  override func tearDown() async throws {
    XCTAssertEqual(currentLabel(), label)
  }

  override func tearDownWithError() throws {
    XCTAssertEqual(currentLabel(), label)
  }

  func testTheTestItselfIsMadeOutsideTheSandbox() {
    XCTAssertNil(made)
  }

  func testADoubleAnswersASyncTest() {
    XCTAssertEqual(currentLabel(), "override point")
    // Three times in the forms of `setUp`, once here.
    expectResolved((any Payments).self, times: 4)
    XCTAssertEqual(recorder.resolutions(of: (any Payments).self).count, 4)
  }

  func testTheRecorderIsTheCurrentOneAndFresh() {
    XCTAssertTrue(ResolutionRecorder.current === recorder)
    XCTAssertEqual(recorder.resolutions(of: Basket.self).count, 0)
  }

  func testADoubleAnswersAThrowingTest() throws {
    XCTAssertEqual(try Resolver.require((any Payments).self).label, "override point")
  }

  func testADoubleAnswersAnAsyncTestAcrossAwaits() async throws {
    XCTAssertEqual(currentLabel(), "override point")
    await Task.yield()
    async let child = currentLabel()
    let label = await child
    XCTAssertEqual(label, "override point")
  }

  @MainActor func testADoubleAnswersATestOnTheMainActor() {
    XCTAssertEqual(currentLabel(), "override point")
  }

  @MainActor func testADoubleAnswersAnAsyncTestOnTheMainActor() async {
    await Task.yield()
    XCTAssertEqual(currentLabel(), "override point")
  }

  func testTeardownBlocksAreInside() {
    addTeardownBlock { XCTAssertEqual(currentLabel(), "override point") }
  }

  func testAsyncTeardownBlocksAreInside() async {
    addTeardownBlock { () async in
      await Task.yield()
      XCTAssertEqual(currentLabel(), "override point")
    }
  }

  func testADoubleAnswersADetachedTask() async {
    let label = await Task.detached { currentLabel() }.value
    XCTAssertEqual(label, "override point")
  }

  func testADoubleAnswersAQueue() {
    let done = expectation(description: "the queue answers")
    DispatchQueue.global().async {
      XCTAssertEqual(currentLabel(), "override point")
      done.fulfill()
    }
    wait(for: [done], timeout: 60)
  }

  func testADoubleAnswersAThread() {
    let done = expectation(description: "the thread answers")
    Thread { [done] in
      XCTAssertEqual(currentLabel(), "override point")
      done.fulfill()
    }.start()
    wait(for: [done], timeout: 60)
  }

  func testWhatTheTestRegistersWinsOffTheTaskToo() async {
    Resolver.main.register { FakePayments("test") as any Payments }
    label = "test"
    let answer = await Task.detached { currentLabel() }.value
    XCTAssertEqual(answer, "test")
  }

  func testALayerThatTheTestPushesAnswersOffTheTaskToo() async {
    let layer = Resolver.push { $0.register { FakePayments("layer") as any Payments } }
    XCTAssertEqual(currentLabel(), "layer")
    let label = await Task.detached { currentLabel() }.value
    XCTAssertEqual(label, "layer")
    Resolver.pop(layer)
    let after = await Task.detached { currentLabel() }.value
    XCTAssertEqual(after, "override point")
  }

  func testANestedSandboxAnswersOffTheTaskToo() async {
    await withSandbox {
      $0.register { FakePayments("nested") as any Payments }
    } operation: {
      let label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "nested")
    }
    let after = await Task.detached { currentLabel() }.value
    XCTAssertEqual(after, "override point")
  }

  func testALayerAroundTheCodeAnswersOffTheTaskToo() async {
    await withLayer {
      $0.register { FakePayments("layer") as any Payments }
    } operation: {
      let label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "layer")
    }
    let after = await Task.detached { currentLabel() }.value
    XCTAssertEqual(after, "override point")
  }

  func testAScopedRootAnswersOffTheTaskToo() async {
    let mock = Resolver()
    mock.register { FakePayments("mock") as any Payments }
    await withRoot(mock) {
      let label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "mock")
    }
  }

  func testALayerPushedInANestedScopeAnswersOffTheTaskToo() async {
    await withSandbox {
      await withRecorder(ResolutionRecorder()) {
        let layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
        let label = await Task.detached { currentLabel() }.value
        XCTAssertEqual(label, "pushed")
        Resolver.pop(layer)
      }
    }
  }

  func testARegistrationMadeOffTheTaskBelongsToTheInnermostSandbox() async {
    await withSandbox {
      await Task.detached { _ = Resolver.main.register { FakePayments("off") as any Payments } }
        .value
      XCTAssertEqual(currentLabel(), "off")
    }
    XCTAssertEqual(currentLabel(), "override point")
  }

  func testANestedRecorderHearsWorkOffTheTask() async {
    let inner = ResolutionRecorder()
    await withRecorder(inner) { _ = await Task.detached { currentLabel() }.value }
    XCTAssertEqual(inner.resolutions(of: (any Payments).self).count, 1)
  }

  func testALayerThatIsPushedOffTheTaskAnswersTheTest() async {
    let layer = await Task.detached {
      Resolver.push { $0.register { FakePayments("detached") as any Payments } }
    }.value
    XCTAssertEqual(currentLabel(), "detached")
    Resolver.pop(layer)
    XCTAssertEqual(currentLabel(), "override point")
  }

  func testALayerThatIsPushedOffTheTaskAnswersTheInnermostScope() async {
    await withSandbox {
      let layer = await Task.detached {
        Resolver.push { $0.register { FakePayments("detached") as any Payments } }
      }.value
      XCTAssertEqual(currentLabel(), "detached")
      let label = await Task.detached { currentLabel() }.value
      XCTAssertEqual(label, "detached")
      Resolver.pop(layer)
      XCTAssertEqual(currentLabel(), "override point")
    }
  }

  func testARegistrationMadeOffTheTaskBelongsToTheSandbox() async {
    await Task.detached { _ = Resolver.main.register { FakePayments("off") as any Payments } }.value
    label = "off"
    XCTAssertEqual(currentLabel(), "off")
  }

  func testASingletonOfTheProcessIsNeverHandedOut() {
    let first = Resolver.caseShop.resolve((any Payments).self)
    XCTAssertTrue(Resolver.caseShop.resolve((any Payments).self) === first)
    withSandbox { XCTAssertFalse(Resolver.caseShop.resolve((any Payments).self) === first) }
  }

  // Two tests of which each leaves behind what the other must not see.

  func testLeavesNothingBehindA() { leaveBehind() }
  func testLeavesNothingBehindB() { leaveBehind() }

  private func leaveBehind() {
    XCTAssertTrue(Resolver.root === Resolver.main)
    XCTAssertNil(Resolver.optional(String.self))
    Resolver.main.register { "left behind" }
    XCTAssertEqual(Resolver.resolve(String.self), "left behind")
    Resolver.root = Resolver(child: .main)
    Resolver.defaultScope = .unique
  }
}
