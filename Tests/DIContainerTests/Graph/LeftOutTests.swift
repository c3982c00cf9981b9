@testable import DIContainer
import DITesting
import Testing

private protocol Mailer {}
private struct SMTPMailer: Mailer {}
private final class Ledger: Sendable {}
private struct Checkout {}
private struct NoLedger: Error {}

/// A shop with a ledger whose factory must not run in a dry run.
@Suite struct LeftOutTests {
  private let shop = Resolver(named: "shop")
  private let runs = Atomic()

  private func makeLedger() -> Ledger {
    runs.increment()
    return Ledger()
  }

  @Test func `A factory that is left out does not run for its dependents, which stay unseen`()
    throws
  {
    shop.register { makeLedger() }.leftOutOfDryRuns()
    shop.register { r -> Checkout in
      _ = r.resolve(Ledger.self) as Ledger
      return Checkout()
    }
    shop.register { (_: Checkout) in SMTPMailer() }
    let report = try shop.validate(dryRun: true)
    #expect(runs.value == 0)
    #expect(
      report.description == """
        Nothing that can be seen is wrong with the wiring of shop.

        Not seen: what the closures of `Checkout`, `Ledger` resolve.
        The dry run left them or a dependency out, or they are async, or failed, or returned nil.
        """)
    #expect(
      shop.dryRun().description == """
        SMTPMailer  — graph, shop
          Checkout  — graph, shop, closure
            Ledger  — graph, shop, closure
        """)
  }

  @Test func `A dependent that goes without it is seen`() throws {
    shop.register { makeLedger() }.leftOutOfDryRuns()
    shop.register { r -> Checkout in
      _ = try? r.require(Ledger.self)
      return Checkout()
    }
    let report = try shop.validate(dryRun: true)
    #expect(runs.value == 0)
    #expect(report.unseen.map(\.description) == ["Ledger"])
  }

  @Test func `A dependent that fails without it with an error of its own is no finding`() throws {
    shop.register { makeLedger() }.leftOutOfDryRuns()
    shop.register { r throws -> Checkout in
      guard (try? r.require(Ledger.self)) != nil else { throw NoLedger() }
      return Checkout()
    }
    shop.register { r in
      _ = try r.require(Checkout.self)
      return SMTPMailer()
    }
    let report = try shop.validate(dryRun: true)
    #expect(
      report.description == """
        Nothing that can be seen is wrong with the wiring of shop.

        Not seen: what the closures of `Checkout`, `Ledger`, `SMTPMailer` resolve.
        The dry run left them or a dependency out, or they are async, or failed, or returned nil.
        """)
  }

  @Test func `Nor is one that fails without a service of an actor`() throws {
    shop.registerMain { makeLedger() }
    shop.register { r throws -> Checkout in
      guard (try? r.require(Ledger.self)) != nil else { throw NoLedger() }
      return Checkout()
    }
    #expect(try shop.validate(dryRun: true).errors.isEmpty)
  }

  @Test func `A dependent that fails for another reason after it went without is a finding`() {
    shop.register { makeLedger() }.leftOutOfDryRuns()
    shop.register { r -> Checkout in
      _ = try? r.require(Ledger.self)
      _ = r.resolve((any Mailer).self)
      return Checkout()
    }
    let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
    #expect(error?.findings.map(\.kind) == [.missing])
  }

  @Test func `A factory that is left out does not run for an alias`() throws {
    shop.register { () -> SMTPMailer in
      runs.increment()
      return SMTPMailer()
    }.leftOutOfDryRuns().implements((any Mailer).self)
    try shop.validate(dryRun: true)
    #expect(runs.value == 0)
  }

  @Test func `A factory that is left out does not run for a decoration`() throws {
    shop.register { makeLedger() }.leftOutOfDryRuns()
    try inSandbox {
      shop.decorate(ServiceKey(Ledger.self), at: CodeLocation()) { (live: Ledger) in live }
      try shop.validate(dryRun: true)
    }
    #expect(runs.value == 0)
  }

  @Test func `A factory that is left out does not run in a scope that another opens`() throws {
    shop.register { makeLedger() }.leftOutOfDryRuns()
    shop.register { r -> Checkout in
      withRecorder(ResolutionRecorder()) { _ = r.resolve(Ledger.self) as Ledger }
      return Checkout()
    }
    try shop.validate(dryRun: true)
    #expect(runs.value == 0)
  }

  @Test func `An async factory that is left out does not run for work of another`() async {
    let runs = runs
    let error = Lock<Task<ResolutionError?, Never>?>(nil)
    shop.registerAsync(line: 3) { () -> Ledger in
      runs.increment()
      return Ledger()
    }.leftOutOfDryRuns()
    shop.register { r -> Checkout in
      let task = Task { () -> ResolutionError? in
        do {
          _ = try await r.requireAsync(Ledger.self, line: 5)
          return nil
        } catch {
          return error as? ResolutionError
        }
      }
      error.withLock { $0 = task }
      return Checkout()
    }
    _ = shop.dryRun()
    let text = await error.withLock { $0 }?.value?.description
    #expect(runs.value == 0)
    #expect(
      text == """
        `Ledger` is left out of dry runs.

          requested:   DIContainerTests/LeftOutTests.swift:5
          registered:  DIContainerTests/LeftOutTests.swift:3
        """)
  }

  @Test func `Outside of dry runs it runs`() {
    shop.register { makeLedger() }.leftOutOfDryRuns()
    _ = shop.resolve(Ledger.self) as Ledger
    #expect(runs.value == 1)
  }
}
