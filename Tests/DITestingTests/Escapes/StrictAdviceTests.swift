@testable import DITesting
import Testing

// What a strict test advises where it cannot mean the usual.

@Suite("A strict test advises")
struct StrictAdviceTests {
  @Test("to open a sandbox where none is open, for what it registers itself is live")
  func noSandbox() {
    let shop = Resolver()
    let line: UInt = #line + 1
    shop.register { FakePayments() as any Payments }
    let issues = findings(in: .plain, policy: .strict(.fail, [])) {
      _ = shop.resolve((any Payments).self)
    }
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `any Payments`.

          requested:   DITestingTests/StrictAdviceTests.swift:\(line + 2)
          registered:  DITestingTests/StrictAdviceTests.swift:\(line), in \(shop.core.label)

        To fix this:
          - No sandbox is open, so what the test itself registers is live: add `.sandbox` to the \
        test or its suite, or use `withSandbox`.
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("an exception of the function that asked for strictness", .sandbox)
  func function() {
    let line: UInt = #line + 16
    expectIssue(
      """
      A live service was resolved: `any Payments`.

        requested:   DITestingTests/StrictAdviceTests.swift:\(line)
        registered:  DITestingTests/StrictWorld.swift:16, in container made at \
      DITestingTests/StrictWorld.swift:15

      To fix this:
        - Register a double: `register { … as any Payments }` in the sandbox or a layer.
        - If it may be live here, allow it: \
      `withStrictness(.fail, except: [.type((any Payments).self)])`.
      """, atLine: line
    ) {
      withStrictness(.fail) {
        _ = strictShop.resolve((any Payments).self)
      }
    }
  }

  @Test("an exception of the test case that asked for strictness", .sandbox)
  func testCase() {
    let issues = findings(in: .plain, policy: .strict(.fail, [], by: .testCase)) {
      _ = strictShop.resolve((any Payments).self)
    }
    let advice =
      "- If it may be live here, allow it: "
      + "`override var mayBeLive: [LiveException] { [.type((any Payments).self)] }`."
    #expect(issues.map { $0.text.hasSuffix(advice) } == [true])
  }
}
