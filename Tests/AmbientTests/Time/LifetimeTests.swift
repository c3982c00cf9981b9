import DIContainer
import DITesting
import Testing
import XCTest

private final class Stamp: Sendable {}

extension Container {
  fileprivate var stamp: Factory<Stamp> { self { Stamp() }.cached.timeToLive(.seconds(60)) }
  fileprivate var asyncStamp: AsyncFactory<Stamp> {
    self { Stamp() }.cached.timeToLive(.seconds(60))
  }
}

@Suite("A lifetime in seconds", .sandbox, .time)
struct LifetimeTests {
  @Test("is measured by the test's clock, wherever the service is requested")
  func expires() async throws {
    let time = TestClock.current
    let first = Container.shared.stamp()
    let firstAsync = try await Container.shared.asyncStamp()
    time.advance(by: .seconds(60))
    #expect(Container.shared.stamp() === first)
    #expect(try await Container.shared.asyncStamp() === firstAsync)
    time.advance(by: .seconds(61))
    #expect(Container.shared.stamp() !== first)
    #expect(try await Container.shared.asyncStamp() !== firstAsync)
  }

  @Test("has begun anew with each request, however the clock is moved", .time(.immediate))
  func begins() async throws {
    let first = Container.shared.stamp()
    for _ in 0..<3 {
      try await TestClock.current.sleep(for: .seconds(40))
      #expect(Container.shared.stamp() === first)
    }
  }
}

final class LifetimeXCTests: SandboxTestCase {
  override var clock: TestClock? { TestClock() }

  func testItIsMeasuredByTheClock() async {
    let first = Container.shared.stamp()
    TestClock.current.advance(by: .seconds(59))
    let second = await Task.detached { Container.shared.stamp() }.value
    XCTAssertTrue(second === first)
    TestClock.current.advance(by: .seconds(61))
    XCTAssertFalse(Container.shared.stamp() === first)
  }
}
