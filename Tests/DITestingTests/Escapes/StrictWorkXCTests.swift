#if os(Linux)
@testable import DITesting
import Dispatch
import Foundation
import XCTest

/// A strict test case fails for live services, wherever they are resolved.
final class StrictWorkXCTests: ReportingTestCase {
  private static let shop = Resolver { r in
    r.register { LivePayments() as any Payments }
  }
  private static let registered: UInt = #line - 2

  override var strictness: Strictness { .fail }

  private func live(_ line: UInt) -> Failure {
    failure(
      """
      A live service was resolved: `any Payments`.

        requested:   DITestingTests/StrictWorkXCTests.swift:\(line)
        registered:  DITestingTests/StrictWorkXCTests.swift:\(Self.registered), \
      in \(Self.shop.core.label)

      To fix this:
        - Register a double: `register { … as any Payments }` in the sandbox or a layer.
        - If it may be live here, allow it: \
      `override var mayBeLive: [LiveException] { [.type((any Payments).self)] }`.
      """, line: line)
  }

  func testADetachedTaskFailsIt() async {
    let shop = Self.shop
    let line: UInt = #line + 2
    let task = Task.detached { () -> Void in
      _ = shop.resolve((any Payments).self)
    }
    await task.value
    expected = [live(line)]
  }

  func testAQueueFailsIt() {
    let line: UInt = #line + 1
    DispatchQueue.global().sync { _ = Self.shop.resolve((any Payments).self) }
    expected = [live(line)]
  }

  func testAThreadFailsIt() {
    let done = expectation(description: "the thread is done")
    let line: UInt = #line + 2
    Thread {
      _ = Self.shop.resolve((any Payments).self)
      done.fulfill()
    }.start()
    wait(for: [done], timeout: 60)
    expected = [live(line)]
  }
}

/// One whose sandbox does not serve such work fails for it all the same.
final class StrictUnservedXCTests: ReportingTestCase {
  private static let shop = Resolver { r in
    r.register { LivePayments() as any Payments }
  }

  override var strictness: Strictness { .fail }
  override var unscopedPolicy: UnscopedPolicy { .warn }

  func testADetachedTaskFailsIt() async {
    let shop = Self.shop
    let line: UInt = #line + 2
    let task = Task.detached { () -> Void in
      _ = shop.resolve((any Payments).self)
    }
    await task.value
    expected = [
      failure(
        """
        `any Payments` was resolved by work that belongs to no test, while this sandbox was open: \
        it got the live service.

          requested:  DITestingTests/StrictWorkXCTests.swift:\(line)
          thread:     another than main
          open:       StrictUnservedXCTests.testADetachedTaskFailsIt

        To fix this:
        \(carryingAdvice)
        """, line: line)
    ]
  }
}
#endif
