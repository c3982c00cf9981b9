import DIContainer
import TestSupport
import Testing

/// `Resolver.decorate` sees everything that is handed out.
@Suite("Decorating")
struct DecorateTests {
  private final class Catalog { var isDecorated = false }
  private final class Checkout {
    let catalog: Catalog
    init(catalog: Catalog) { self.catalog = catalog }
  }

  @Test("It is called for nested and kept instances, and can change them")
  func calls() {
    let seen = Lock<[String]>([])
    let resolver = Resolver()
    resolver.register { Catalog() }.scope(.cached)
    resolver.register { r in Checkout(catalog: r.resolve()) }
    resolver.register { 7 }
    inSandbox {
      Resolver.decorate = { service in
        seen.withLock { $0.append("\(type(of: service))") }
        (service as? Catalog)?.isDecorated = true
      }
      #expect(resolver.resolve(Checkout.self).catalog.isDecorated)
      _ = resolver.optional(Catalog.self)
      _ = resolver.optional(Int.self)
      _ = resolver.optional(String.self)
      Resolver.decorate = nil
      #expect(Resolver.decorate == nil)
      _ = resolver.resolve(Checkout.self)
    }
    #expect(seen.withLock { $0 } == ["Catalog", "Checkout", "Catalog", "Int"])
  }

  @Test("Set for the process, it sees what every thread resolves, until it is removed")
  func processWide() async {
    await #expect(processExitsWith: .success) {
      let seen = Counter()
      let resolver = Resolver()
      resolver.register { Catalog() }.scope(.cached)
      Resolver.decorate = { _ in seen.increment() }
      onOwnThreads(2) { _ in _ = resolver.resolve(Catalog.self) }
      #expect(seen.value == 2)
      Resolver.decorate = nil
      _ = resolver.resolve(Catalog.self)
      #expect(seen.value == 2)
    }
  }
}
