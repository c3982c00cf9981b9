@testable import DITesting
import Testing

// What a strict test advises where it cannot mean the usual.

@Suite("A strict test advises")
struct StrictAdviceTests {
  private func text(_ what: (Issues) -> Void) -> [String] {
    let issues = Issues()
    what(issues)
    return issues.all.map(\.text)
  }

  @Test("to open a sandbox where none is open, for what it registers itself is live")
  func noSandbox() {
    let shop = Resolver()
    let line: UInt = #line + 1
    shop.register { FakePayments() as any Payments }
    let texts = text { issues in
      ScopeOpener(
        .policy, policy: .strict(.fail, []), name: "refunds", location: CodeLocation(),
        report: issues.handler
      ).run { _ = shop.resolve((any Payments).self) }
    }
    #expect(
      texts == [
        """
        A live service was resolved: `any Payments`.

          requested:   DITestingTests/StrictAdviceTests.swift:\(line + 5)
          registered:  DITestingTests/StrictAdviceTests.swift:\(line), in \(shop.core.label)

        To fix this:
          - No sandbox is open, so what the test itself registers is live: add `.sandbox` to the \
        test or its suite, or use `withSandbox`.
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, say so: `.strict(except: (any Payments).self)`.
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
        - If it may be live here, say so: \
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
    let texts = text { issues in
      ScopeOpener(
        .policy, policy: .strict(.fail, [], by: .testCase), name: "refunds",
        location: CodeLocation(), report: issues.handler
      ).run { _ = strictShop.resolve((any Payments).self) }
    }
    let advice =
      "- If it may be live here, say so: "
      + "`override var mayBeLive: [LiveException] { [.type((any Payments).self)] }`."
    #expect(texts.map { $0.hasSuffix(advice) } == [true])
  }
}
