import TestSupport
import Testing

@testable import DITesting

private final class Catalog {}
private final class Settings: Sendable {}

private final class Checkout {
  let catalog: Catalog
  let settings: Settings

  init(catalog: Catalog, settings: Settings) {
    self.catalog = catalog
    self.settings = settings
  }
}

@Suite("Concurrency: doubles that are registered too late")
struct LateDoubleConcurrencyTests {
  @Test("Doubles that come while instances are handed out find those that are still held")
  func late() {
    let shop = Resolver()
    shop.register { Catalog() }.scope(.unique)
    shop.register { Settings() }.scope(.cached)
    shop.register { r in Checkout(catalog: r.resolve(), settings: r.resolve()) }.scope(.unique)
    let frame = ContextFrame(.sandbox, parent: nil, caches: .all, recorder: ResolutionRecorder())
    onThreads(8) { thread in
      ContextFrame.$bound.withValue(frame) {
        for round in 0..<400 {
          let held = shop.resolve(Checkout.self)
          if thread == 0, round % 40 == 0 { shop.register { Settings() }.scope(.cached) }
          withExtendedLifetime(held) {}
        }
      }
    }
    let late = frame.notedFindings.filter { $0.text.contains("was registered too late") }
    #expect(!late.isEmpty)
    frame.end()
  }
}
