import DITesting
import XCTest

final class SandboxTestCaseTests: SandboxTestCase {
  override func registerDoubles(in root: Resolver) {
    root.register { FakePayments("override point") as any Payments }
  }

  override func setUp() {
    XCTAssertEqual(Resolver.resolve((any Payments).self).label, "override point")
  }

  func testADoubleAnswersASyncTest() {
    XCTAssertEqual(Resolver.resolve((any Payments).self).label, "override point")
    expectResolved((any Payments).self, times: 2)
  }

  func testADoubleAnswersADetachedTask() async {
    let label = await Task.detached { Resolver.resolve((any Payments).self).label }.value
    XCTAssertEqual(label, "override point")
  }
}
