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
      issues.all.map(\.text) == [
        """
        `any Payments` was resolved for a test that has ended.

          test:       gets a double, and its test's name in a report, when it comes late
          opened:     \(location)
          requested:  DITestingTests/EscapeTests.swift:\(line)
          thread:     another than main

        To fix this:
          - Let the test wait for the work it starts: await it, or cancel it.
        """
      ])
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
