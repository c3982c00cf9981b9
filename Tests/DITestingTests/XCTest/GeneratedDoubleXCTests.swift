#if os(Linux)
@testable import DITesting
import XCTest

// The stubs of a double that `swift package doubles` wrote stand in a file that tells nobody
// anything.

final class GeneratedDoubleXCTests: ReportingTestCase {
  func testAFailurePointsIntoNoGeneratedFile() {
    let limit = Stub<Void, Int?, Never>(
      "Gateway.limit", fileID: "ShopTests/GatewayDouble.swift",
      filePath: "/ShopTests/GatewayDouble.swift", line: 7)
    XCTAssertNil(limit())
    expected = [
      Failure(
        text: """
          failed - `Gateway.limit` was called, but nothing is stubbed for this call.

            called:  ()
            test:    GeneratedDoubleXCTests.testAFailurePointsIntoNoGeneratedFile

          To fix this:
            - Stub it before the call: `.returns(…)` or `.runs { … }`.
            - If it does not matter here, mark it: `.lenient()` on the stub, or \
          `override var hasLenientDoubles: Bool { true }`.
          """, file: "<unknown>", line: 0)
    ]
  }
}
#endif
