import DIAmbient
import DITesting
import XCTest

final class DeterministicXCTests: SandboxTestCase {
  override var isDeterministic: Bool { true }
  override var strictness: Strictness { .fail }

  func testValuesAreTheSameInEveryRun() {
    TestClock.current.advance(by: .seconds(5))
    XCTAssertEqual(Container.shared.now()(), Date(timeIntervalSinceReferenceDate: 5))
    XCTAssertEqual(
      Container.shared.uuid()().uuidString, "00000000-0000-0000-0000-000000000000")
    var generator = Container.shared.randomNumberGenerator()
    XCTAssertEqual(Int.random(in: 0..<100, using: &generator), 5)
  }
}
