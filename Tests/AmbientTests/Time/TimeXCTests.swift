import DIContainer
import DITesting
import XCTest

final class TimeXCTests: SandboxTestCase {
  private let time = TestClock()

  override var clock: TestClock? { time }

  func testRetriesWithoutRealTime() async throws {
    XCTAssertTrue(TestClock.current === time)
    let patientTill = PatientTill(clock: Resolver.resolve())
    async let tries = patientTill.sell(failing: 1)
    await time.sleeper(atLeast: .seconds(30))
    time.advance(by: .seconds(30))
    let all = try await tries
    XCTAssertEqual(all, 2)
  }

  func testAppliesToDetachedWork() async {
    let clock = await Task.detached { Container.shared.patientClock() }.value
    XCTAssertTrue(clock as? TestClock === time)
  }
}
