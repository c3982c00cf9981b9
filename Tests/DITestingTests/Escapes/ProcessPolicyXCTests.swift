#if os(Linux)
@testable import DITesting
import XCTest

// A test case is as strict as the process, in which XCTest runs one test at a time.

final class ProcessPolicyXCTests: ReportingTestCase {
  override func invokeTest() {
    Sandbox.strictness = .fail
    defer { Sandbox.strictness = .off }
    super.invokeTest()
  }

  func testItIsStrict() {
    let shop = Resolver { r in r.register { LivePayments() as any Payments } }
    let line: UInt = #line + 1
    _ = shop.resolve((any Payments).self)
    expected = [
      failure(
        """
        A live service was resolved: `any Payments`.

          requested:   DITestingTests/ProcessPolicyXCTests.swift:\(line)
          registered:  DITestingTests/ProcessPolicyXCTests.swift:\(line - 2), in \(shop.core.label)

        To fix this:
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, allow it: \
        `override var mayBeLive: [LiveException] { [.type((any Payments).self)] }`.
        """, line: line)
    ]
  }
}

final class PlainProcessPolicyXCTests: XCTestCase {
  func testASandboxIsStrict() {
    Sandbox.strictness = .fail
    defer { Sandbox.strictness = .off }
    let shop = Resolver { r in r.register { LivePayments() as any Payments } }
    let issues = findings { _ = shop.resolve((any Payments).self) }
    let advice =
      "- If it may be live here, allow it: "
      + "`withStrictness(.fail, except: [.type((any Payments).self)])`."
    XCTAssertEqual(issues.map { $0.text.hasSuffix(advice) }, [true])
  }

  func testAnOpenedSandboxIsStrict() {
    Sandbox.strictness = .fail
    defer { Sandbox.strictness = .off }
    let sandbox = Sandbox.open()
    XCTAssertEqual(ContextFrame.current?.testPolicies?.strictness, .fail)
    sandbox.close()
  }
}
#endif
