import DITesting
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
