import DIContainer
import Foundation
import TestSupport
import Testing

private final class Catalog: Sendable {
  let number: UInt
  init(_ number: UInt) { self.number = number }
}

private final class Checkout: Sendable {
  let catalog: Catalog
  init(_ catalog: Catalog) { self.catalog = catalog }
}

extension Container {
  fileprivate var catalog: Factory<Catalog> { self { Catalog(0) } }
}

/// Each in a process of its own, where no scope is open: there threads remember what they found.
@Suite("Concurrency: requests outside all scopes")
struct RequestCacheConcurrencyTests {
  @Test("return what is registered now, by type")
  func changes() async {
    await #expect(processExitsWith: .success) {
      let shop = Resolver()
      let nested = Resolver { $0.register { Catalog(3) } }
      func number() -> UInt? {
        _ = shop.optional(Catalog.self)
        return shop.optional(Catalog.self)?.number
      }
      shop.register { Catalog(1) }
      #expect(number() == 1)
      shop.register { Catalog(2) }.scope(.cached)
      #expect(number() == 2)
      shop.removeAll()
      #expect(number() == nil)
      shop.add(child: nested)
      #expect(number() == 3)
      nested.register { Catalog(4) }.scope(.unique)
      #expect(number() == 4)
      shop.register { Catalog(5) }
      #expect(number() == 5)
      shop.register(name: "other") { Catalog(6) }
      #expect(number() == 5)
      #expect(shop.resolve(Catalog.self, name: "other").number == 6)
      shop.removeAll()
      #expect(number() == 4)
    }
  }

  @Test("return what is registered now, by key path")
  func changesByKeyPath() async {
    await #expect(processExitsWith: .success) {
      let (shop, other) = (Container(), Container())
      #expect((0..<3).map { _ in shop.catalog().number } == [0, 0, 0])
      shop.catalog.register { Catalog(1) }
      #expect((0..<3).map { _ in shop.catalog().number } == [1, 1, 1])
      #expect((0..<3).map { _ in other.catalog().number } == [0, 0, 0])
      shop.manager.push()
      shop.catalog.register { Catalog(2) }
      #expect((0..<3).map { _ in shop.catalog().number } == [2, 2, 2])
      shop.manager.pop()
      #expect((0..<3).map { _ in shop.catalog().number } == [1, 1, 1])
      shop.catalog.reset()
      #expect((0..<3).map { _ in shop.catalog().number } == [0, 0, 0])
    }
  }

  @Test("hold nothing that they found")
  func lifetimes() async {
    await #expect(processExitsWith: .success) {
      weak var captured: Catalog?
      weak var kept: Catalog?
      var shop: Resolver? = Resolver()
      func register(_ catalog: Catalog) {
        captured = catalog
        shop?.register { Checkout(catalog) }.scope(.unique)
      }
      register(Catalog(1))
      for _ in 0..<3 { _ = shop?.resolve(Checkout.self) }
      #expect(captured != nil)
      shop?.remove(Checkout.self)
      #expect(captured == nil)

      register(Catalog(2))
      shop?.register { Catalog(3) }.scope(.cached)
      for _ in 0..<3 { kept = shop?.resolve(Catalog.self) }
      for _ in 0..<3 { _ = shop?.resolve(Checkout.self) }
      #expect(captured != nil && kept != nil)
      shop = nil
      #expect(captured == nil && kept == nil)
    }
  }

  @Test("return nothing older than what was there when they began")
  func order() async {
    await #expect(processExitsWith: .success) {
      let rounds: UInt = isUnderThreadSanitizer ? 2_000 : 50_000
      let shop = Container()
      let nested = Resolver()
      shop.register { Checkout($0.resolve()) }.scope(.unique)
      shop.add(child: nested)
      nested.register { Catalog(0) }.scope(.unique)
      let latest = Atomic()
      let outdated = Counter()
      let other = Container()
      onOwnThreads(3) { thread in
        if thread == 0 {
          for round in 1...rounds {
            nested.register { Catalog(round) }.scope(.unique)
            other.catalog.register { Catalog(round) }
            latest.increment()
          }
          return
        }
        while latest.value < rounds {
          let begun = latest.value
          if shop.resolve(Checkout.self).catalog.number < begun { outdated.increment() }
          if other.catalog().number < begun { outdated.increment() }
        }
      }
      #expect(outdated.value == 0)
    }
  }
}
