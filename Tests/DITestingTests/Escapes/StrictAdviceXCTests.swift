#if os(Linux)
@testable import DITesting
import XCTest

// What a strict part of an XCTest without a sandbox advises. Its failures are looked at, not
// recorded, until the operation is over.
final class StrictAdviceXCTests: XCTestCase {
  private let failures = Lock<[String]>([])
  private let isOver = Atomic()

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if isOver.isSet {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    } else {
      failures.withLock { $0.append(description) }
    }
  }

  func testItAdvisesToOpenASandbox() {
    let shop = Resolver()
    let line: UInt = #line + 1
    shop.register { FakePayments() as any Payments }
    withStrictness(.fail) { _ = shop.resolve((any Payments).self) }
    isOver.set(true)
    XCTAssertEqual(
      failures.withLock { $0 },
      [
        """
        failed - A live service was resolved: `any Payments`.

          requested:   DITestingTests/StrictAdviceXCTests.swift:\(line + 1)
          registered:  DITestingTests/StrictAdviceXCTests.swift:\(line), in \(shop.core.label)

        To fix this:
          - No sandbox is open, so what the test itself registers is live: inherit from \
        `SandboxTestCase`, or use `withSandbox`.
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, allow it: \
        `withStrictness(.fail, except: [.type((any Payments).self)])`.
        """
      ])
  }

  func testItReportsWhatSetUpResolves() {
    let line: UInt = #line + 2
    withStrictness(.fail) {
      _ = Resolver { r in
        r.register { LivePayments() as any Payments }
        _ = r.resolve((any Payments).self)
      }
    }
    isOver.set(true)
    let texts = failures.withLock { $0 }
    XCTAssertEqual(
      texts.map { $0.prefix { $0 != "\n" } },
      ["failed - Production's set-up resolved a live service: `any Payments`."])
    let place = "requested:   DITestingTests/StrictAdviceXCTests.swift:\(line + 2)"
    let advice = "`withStrictness(.fail, except: [.type((any Payments).self)])`"
    XCTAssertTrue(texts.allSatisfy { $0.contains(place) && $0.contains(advice) })
  }
}
#endif
