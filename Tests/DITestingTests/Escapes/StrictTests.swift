@testable import DITesting
import Testing

@Suite("A strict test")
struct StrictTests {
  let shop = Resolver { r in r.register { LivePayments() as any Payments } }

  @Test("reports a live service at the request", .sandbox, .strict)
  func live() {
    let line: UInt = #line + 2
    withKnownIssue {
      _ = shop.resolve((any Payments).self)
    } matching: {
      $0.sourceLocation?.line == Int(line)
        && $0.comments.first?.rawValue.hasPrefix("A live service was resolved: `any Payments`.")
          ?? false
    }
  }

  @Test(
    "gets a double from a fallback", .sandbox, .strict,
    .fallback((any Payments).self) { FakePayments("fallback") })
  func fallback() {
    let payments = shop.resolve((any Payments).self)
    #expect(payments.label == "fallback")
    #expect(shop.resolve((any Payments).self) === payments)
  }

  @Test("may except types", .sandbox, .strict(except: (any Payments).self))
  func exceptions() {
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  @Test("hears of a double that nobody asked for")
  func unused() {
    let line: UInt = #line + 4
    withKnownIssue {
      withStrictness(.fail) {
        withSandbox { () -> Void in
          _ = shop.register { FakePayments() as any Payments }
        }
      }
    } matching: {
      $0.comments.first?.rawValue == """
        The double for `any Payments` was never resolved.

          registered:  DITestingTests/StrictTests.swift:\(line)

        To fix this:
          - Take it away, or check that the code under test asks the container for `any Payments`.
        """
    }
  }

  @Test("finds a double that outlives its sandbox")
  func leaks() {
    // The trait's machinery, by hand: the report must be caught outside.
    var held: (any Payments)?
    var policy = ScopePolicy()
    policy.leakWatch = InstanceLog()
    withKnownIssue {
      ScopeOpener(
        .sandbox, policy: policy, name: "a test", location: CodeLocation()
      ).run {
        shop.register { FakePayments() as any Payments }
        held = shop.resolve((any Payments).self)
      }
    } matching: {
      $0.comments.first?.rawValue.hasPrefix(
        "A double of `any Payments` is still alive after its sandbox.") ?? false
    }
    #expect(held != nil)
  }
}
