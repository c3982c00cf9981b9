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
  /// Whether the calling code is the desk's thread.
  @TaskLocal private static var isDesk = false

  private let shop = Resolver()
  private let isUnderWay = AsyncGate()

  init() {
    _ = threadsAreOurs
    shop.register(Desk.init)
    shop.registerAsync(factory: { r in Report(try r.require()) }).scope(.cached)
  }

  /// Asks for the desk on a thread and, once the ledger's request of the report is under way there,
  /// for the report in this task; returns the errors of both.
  private func errors() async -> (
    ofThread: ResolutionError.Reason?, ofTask: ResolutionError.Reason?
  ) {
    let desk = Task {
      await withCheckedContinuation { done in
        Thread { [shop] in
          Self.$isDesk.withValue(true) {
            done.resume(returning: reason { try shop.require(Desk.self) })
          }
        }.start()
      }
    }
    await isUnderWay.pass()
    do {
      _ = try await shop.requireAsync(Report.self)
      return (await desk.value, nil)
    } catch {
      return (await desk.value, error.reason)
    }
  }

  @Test("never ends in a wait: where the thread would wait for the task, it gets an error")
  func circle() async {
    let keeper = Lock<Keeper?>(nil)
    shop.register { [isUnderWay] r in
      let ledger = Ledger()
      isUnderWay.open()
      // The task waits for the ledger before the ledger's thread requests the report.
      while Self.isDesk, keeper.withLock({ $0 })!.waiterCount == 0 { sched_yield() }
      ledger.report = try r.require()
      return ledger
    }.scope(.cached)
    keeper.withLock { $0 = shop.core.registry.find(ServiceKey(Ledger.self))?.keeper }
    let errors = await errors()
    #expect(errors.ofThread == .needsAwait)
    #expect(errors.ofTask == .cycle)
  }

  @Test("never ends in a wait where a property closes it, whose object the task may see early")
  func property() async {
    shop.register { Ledger() }.injection(cycle: true) { [unowned shop, isUnderWay] ledger in
      isUnderWay.open()
      ledger.report = try shop.require()
    }.scope(.cached)
    let errors = await errors()
    #expect(errors.ofThread == .needsAwait)
    #expect([nil, .cycle].contains(errors.ofTask))
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
