#if os(Linux)
@testable import DITesting
import XCTest

@MainActor private final class Kiosk {
  let label: String
  init(_ label: String) { self.label = label }
}

private let shop = Resolver { r in r.registerMain { Kiosk("live") } }

final class FallbackMainXCTests: ReportingTestCase {
  override var strictness: Strictness { .fail }
  override var fallback: (@Sendable (ServiceKey) -> Any?)? {
    { key in key.type == Kiosk.self ? MainActorDouble { Kiosk("fallback") } : nil }
  }

  @MainActor func testTheMainActorGetsTheDouble() {
    XCTAssertEqual(shop.resolve(Kiosk.self).label, "fallback")
  }

  func testARequestThatWaitsGetsTheDouble() async throws {
    let label = try await shop.requireAsync(Kiosk.self).label
    XCTAssertEqual(label, "fallback")
  }
}
#endif
