#if os(Linux)
@testable import DITesting
import XCTest

/// A test case that looks at its own failures: what it expects is one, anything else is another.
class ReportingTestCase: SandboxTestCase {
  struct Failure: Equatable {
    let text: String
    let file: String
    let line: Int
  }

  private let failures = Lock<[Failure]>([])
  private let isOver = Atomic()
  /// Run when the sandbox is over, while XCTest still takes failures for the test.
  var afterwards: () -> Void = {}
  /// The failures that the test is to have.
  var expected: [Failure] = []

  /// A failure of a test here, at a line.
  func failure(_ text: String, line: UInt, file: StaticString = #filePath) -> Failure {
    Failure(text: "failed - \(text)", file: "\(file)", line: Int(line))
  }

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if isOver.isSet {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      return
    }
    failures.withLock {
      $0.append(Failure(text: description, file: filePath, line: lineNumber))
    }
  }

  override func invokeTest() {
    super.invokeTest()
    afterwards()
    isOver.set(true)
    XCTAssertEqual(failures.withLock { $0 }, expected)
  }
}
#endif
