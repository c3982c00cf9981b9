import DICompatibility
@testable import DIContainer
import Foundation
import TestSupport
import Testing

// Sendable: one thread uses them at a time.
private final class Ledger: @unchecked Sendable {
  var report: Report?
}
private final class Desk: Sendable {
  init(_ ledger: Ledger) {}
}
private final class Report: Sendable {
  init(_ ledger: Ledger) {}
}

@Suite("Concurrency: a circle of a thread and a task")
struct ThreadsAndTasksConcurrencyTests {
  @Test(
    "never ends in a wait: where the thread would wait for the task, it gets an error",
    arguments: [true, false])
  func circle(isOfProperty: Bool) async {
    _ = threadsAreOurs
    let shop = Resolver()
    let (isUnderWay, keeper) = (AsyncGate(), Lock<Keeper?>(nil))
    // The report's thread waits for the ledger before the ledger's requests the report.
    let report: @Sendable (Resolver) throws -> Report = { r in
      isUnderWay.open()
      while keeper.withLock({ $0 })!.waiterCount == 0, Thread.current.name == "desk" {
        sched_yield()
      }
      return try r.require()
    }
    let options =
      isOfProperty
      ? shop.register { Ledger() }.injection(cycle: true) { [unowned shop] ledger in
        ledger.report = try report(shop)
      }
      : shop.register { r in
        let ledger = Ledger()
        ledger.report = try report(r)
        return ledger
      }
    options.scope(.cached)
    keeper.withLock { $0 = shop.core.registry.find(ServiceKey(Ledger.self))?.keeper }
    shop.register(Desk.init)
    shop.registerAsync(factory: { r in Report(try r.require()) }).scope(.cached)
    let desk = Task {
      await withCheckedContinuation { done in
        let thread = Thread { done.resume(returning: reason { try shop.require(Desk.self) }) }
        thread.name = "desk"
        thread.start()
      }
    }
    await isUnderWay.pass()
    let late = await #expect(throws: ResolutionError.self) {
      try await shop.requireAsync(Report.self)
    }
    #expect(late?.reason == .cycle)
    #expect(await desk.value == .needsAwait)
  }
}

/// The reason why a request fails.
private func reason<Service>(_ request: () throws -> Service) -> ResolutionError.Reason? {
  do {
    _ = try request()
    return nil
  } catch {
    return (error as? ResolutionError)?.reason
  }
}
