import TestSupport
import Testing

@testable import DITesting

private final class Invoice: Sendable {}

private final class MarkDepot: SharedContainer {
  static let shared = MarkDepot()
  let manager = ContainerManager()
  var invoice: Factory<Invoice> { self { Invoice() } }
}

@Suite("Concurrency: whether a double was asked for")
struct WasResolvedConcurrencyTests {
  @Test("is not lost where the double is changed at the same time")
  func race() {
    for _ in 0..<300 {
      let (depot, shop) = (MarkDepot(), Resolver())
      let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
      let double = ContextFrame.$bound.withValue(sandbox) {
        depot.invoice.register { Invoice() }
        return Unchecked(shop.register { Invoice() })
      }
      onThreads(2) { thread in
        ContextFrame.$bound.withValue(sandbox) {
          if thread == 0 {
            depot.invoice.onArg("unset") { Invoice() }
            double.value.scope(.cached)
          } else {
            _ = depot.invoice()
            _ = shop.resolve(Invoice.self)
          }
        }
      }
      #expect(sandbox.unusedDoubles.isEmpty)
      sandbox.end()
    }
  }

  @Test("is looked for at the end while other threads register, and their containers go")
  func end() {
    for _ in 0..<100 {
      let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
      onThreads(3) { thread in
        ContextFrame.$bound.withValue(sandbox) {
          for _ in 0..<20 {
            if thread == 0 {
              _ = sandbox.unusedDoubles
            } else {
              let shop = Resolver()
              shop.register { Invoice() }
              _ = shop.resolve(Invoice.self)
            }
          }
        }
      }
      #expect(sandbox.unusedDoubles.isEmpty)
      #expect(sandbox.notedFindings.isEmpty)
      sandbox.end()
    }
  }
}
