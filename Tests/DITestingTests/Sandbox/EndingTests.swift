@testable import DITesting
import Synchronization
import Testing

/// Saves itself in the end, as far as the shop lets it.
private final class Session {
  private let shop: Resolver
  private let saved: Saved

  init(shop: Resolver, saved: Saved) {
    self.shop = shop
    self.saved = saved
  }

  deinit {
    saved.add(shop.resolve((any Payments).self).label)
    shop.register(name: "saved") { FakePayments("saved") as any Payments }
  }
}

private final class Saved: Sendable {
  private let lock = Mutex<[String]>([])
  var labels: [String] { lock.withLock { $0 } }
  func add(_ label: String) { lock.withLock { $0.append(label) } }
}

@Suite("What is torn down as its scope ends")
struct EndingTests {
  private let saved: Saved = Saved()
  private let shop: Resolver = Resolver { $0.register { LivePayments() as any Payments } }

  private func register(_ container: Resolver) {
    container.register { FakePayments() as any Payments }
    container.register { [shop, saved] in Session(shop: shop, saved: saved) }.scope(.cached)
    _ = shop.resolve(Session.self)
  }

  private var isSavedOutside: Bool {
    shop.optional((any Payments).self, name: "saved") != nil
  }

  @Test("gets a sandbox's doubles, and changes nothing outside", .withoutWarnings)
  func sandbox() {
    withSandbox { register(shop) }
    #expect(saved.labels == ["fake"])
    #expect(!isSavedOutside)
  }

  @Test("gets an async sandbox's doubles, and changes nothing outside", .withoutWarnings)
  func asyncSandbox() async {
    await withSandbox {
      await Task.yield()
      register(shop)
    }
    #expect(saved.labels == ["fake"])
    #expect(!isSavedOutside)
  }

  @Test("gets a layer's doubles", .withoutWarnings)
  func layer() {
    withRoot(shop) {
      withLayer { layer in
        layer.register { FakePayments() as any Payments }
        layer.register { [shop, saved] in Session(shop: shop, saved: saved) }.scope(.cached)
      } operation: {
        _ = shop.resolve(Session.self)
      }
    }
    #expect(saved.labels == ["fake"])
  }

  @Test("gets a pushed layer's doubles", .withoutWarnings)
  func pushedLayer() {
    withRoot(shop) {
      let layer = Resolver.push { layer in
        layer.register { FakePayments() as any Payments }
        layer.register { [shop, saved] in Session(shop: shop, saved: saved) }.scope(.cached)
      }
      _ = shop.resolve(Session.self)
      Resolver.pop(layer)
    }
    #expect(saved.labels == ["fake"])
  }

  @Test("may ask for what has gone already, which goes as well", .withoutWarnings)
  func again() {
    final class Cart {
      let shop: Resolver
      init(shop: Resolver) { self.shop = shop }
      deinit { _ = shop.optional(Session.self) }
    }
    withSandbox {
      register(shop)
      shop.register { [shop] in Cart(shop: shop) }.scope(.cached)
      _ = shop.resolve(Cart.self)
    }
    #expect(Set(saved.labels) == ["fake"])
    #expect(!isSavedOutside)
  }

  @Test("is no late work")
  func notLate() {
    let issues = findings { register(shop) }
    #expect(saved.labels == ["fake"])
    #expect(issues.map(\.text).filter { $0.contains("has ended") } == [])
  }

  @Test("gets what is live, where the process kept it and a sandbox is only where it goes")
  func keptOutside() {
    let label = Lock("")
    var till: Resolver? = Resolver { [shop] in
      $0.register { Basket() }.scope(.cached)
        .onRelease { _ in label.withLock { $0 = shop.resolve((any Payments).self).label } }
    }
    _ = till!.resolve(Basket.self)
    withSandbox {
      shop.register { FakePayments() as any Payments }
      #expect(shop.resolve((any Payments).self).label == "fake")
      till = nil
    }
    #expect(label.withLock { $0 } == "live")
  }
}
