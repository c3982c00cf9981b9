@testable import DITesting
import Dispatch
import Testing

// Each in a process of its own: see UnscopedWorld.swift.

@Suite("A request that belongs to no test")
struct UnscopedDryRunTests {
  @Test("hears nothing of dry runs, nor do they answer it")
  func dryRun() async {
    await #expect(processExitsWith: .success) { await checkDryRun() }
  }

  @Test("hears nothing of dry runs where a sandbox adopts it")
  func dryRunOfAdopted() async {
    await #expect(processExitsWith: .success) {
      Sandbox.unscopedPolicy = .adopt
      await checkDryRun()
    }
  }

  @Test("is answered where a dry run started it that has ended")
  func afterDryRun() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let late = Lock<Task<String?, Never>?>(nil)
        let (isOver, end) = AsyncStream<Never>.makeStream()
        shop.register { () -> Basket in
          late.withLock {
            $0 = Task {
              for await _ in isOver {}
              return shop.optional((any Payments).self)?.label
            }
          }
          return Basket()
        }
        _ = shop.dryRun()
        end.finish()
        #expect(await late.withLock { $0 }?.value == "live")
        #expect(issues.all.isEmpty)
      }
    }
  }
}

private func checkDryRun() async {
  await collecting { issues, shop in
    #expect(labelsDuringDryRun(of: shop) == ["live"])
    #expect(shop.optional((any Payments).self, name: "left") != nil)
    #expect(issues.all.isEmpty)
  }
}

/// What work that carries no context gets while a dry run goes on.
private func labelsDuringDryRun(of shop: Resolver) -> [String] {
  let heard = Lock<[String]>([])
  let done = DispatchSemaphore(value: 0)
  shop.register { () -> Basket in
    withLayer { _ in
    } operation: {
      DispatchQueue.global().async {
        heard.withLock { $0.append(shop.resolve((any Payments).self).label) }
        shop.register(name: "left") { FakePayments() as any Payments }
        done.signal()
      }
      done.wait()
    }
    return Basket()
  }
  _ = shop.dryRun()
  return heard.withLock { $0 }
}
