@testable import DITesting
import Dispatch
import Testing

@Suite("Work that leaves its task")
struct EscapeTests {
  let shop = Resolver { r in r.register { LivePayments() as any Payments } }

  @Test("reaches the double in a detached task that carries the context", .sandbox)
  func detached() async {
    shop.register { FakePayments() as any Payments }
    let context = ResolutionContext.current
    let label = await Task.detached { [shop] in
      context.run { shop.resolve((any Payments).self).label }
    }.value
    #expect(label == "fake")
  }

  @Test("reaches the double on a queue through a carried closure", .sandbox)
  func queue() async {
    shop.register { FakePayments() as any Payments }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async(
        execute: ResolutionContext.carrying { [shop] in
          #expect(shop.resolve((any Payments).self).label == "fake")
          done.resume()
        })
    }
  }

  @Test("is reported when it carries nothing, and gets the live service")
  func unscoped() async {
    // In a process of its own: in this one, other tests' sandboxes are open too.
    await #expect(processExitsWith: .success) {
      let shop = Resolver { r in r.register { LivePayments() as any Payments } }
      let issues = Issues()
      let location = CodeLocation()
      await ScopeOpener(
        .sandbox, name: "checkout", location: location, report: issues.handler
      ).run {
        shop.register { FakePayments() as any Payments }
        _ = shop.resolve((any Payments).self)
        let line = await Task.detached {
          #expect(shop.resolve((any Payments).self).label == "live")
          // Within the macro, all lines are the line of the macro.
          return #line
        }.value
        #expect(
          issues.all.map(\.text) == [
            """
            `any Payments` was resolved by work that belongs to no test, while a sandbox is open: \
            it gets the live service.

              requested:  DITestingTests/EscapeTests.swift:\(line)
              thread:     another than main
              open:       checkout, at \(location)

            To fix this:
              - Carry the context there: `let context = ResolutionContext.current`, then \
            `context.run { … }`.
              - Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.
            """
          ])
        #expect(issues.all.map(\.severity) == [.warning])
      }
    }
  }

  @Test("gets a double, and its test's name in a report, when it comes late")
  func late() async {
    let issues = Issues()
    let (stream, go) = AsyncStream<Void>.makeStream()
    let location = CodeLocation()
    let late = ScopeOpener(
      .sandbox, name: "checkout", location: location, report: issues.handler
    ).run { () -> Task<(String, Int), Never> in
      shop.register { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self)
      return Task { [shop] in
        for await _ in stream { break }
        return (shop.resolve((any Payments).self).label, #line)
      }
    }
    go.yield()
    let (label, line) = await late.value
    #expect(label == "fake")
    #expect(issues.all.count == 1)
    #expect(issues.all.first?.location.line == UInt(line))
    #expect(
      issues.all.first?.text.hasPrefix(
        """
        `any Payments` was resolved for a test that has ended.

          test:       gets a double, and its test's name in a report, when it comes late
          opened:     \(location)
          requested:  DITestingTests/EscapeTests.swift:\(line)
        """) ?? false)
  }

  @Test("gets no live service when it comes late")
  func lateWithoutDouble() async throws {
    let issues = Issues()
    let (stream, go) = AsyncStream<Void>.makeStream()
    let late = ScopeOpener(
      .sandbox, name: "checkout", location: CodeLocation(), report: issues.handler
    ).run {
      Task { [shop] in
        for await _ in stream { break }
        return try shop.require((any Payments).self).label
      }
    }
    go.yield()
    let error = await #expect(throws: ResolutionError.self) { try await late.value }
    #expect(error?.reason == .late(test: "gets no live service when it comes late"))
  }
}

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

          registered:  DITestingTests/EscapeTests.swift:\(line)
          replaces:    nothing: production registers no `any Payments`

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
    policy.leakWatch = LeakWatch()
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
