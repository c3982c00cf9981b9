import DITesting
import Testing

@Suite(".resetCaches")
struct CacheTraitTests {
  static let shop = Resolver { r in
    r.register { Basket() }.scope(.cached)
    r.register(name: "application") { Basket() }.scope(.application)
    r.register(name: "container") { Basket() }.scope(.container)
  }
  static let kept: Basket = shop.resolve()
  static let keptByApplication: Basket = shop.resolve(name: "application")
  static let keptByContainer: Basket = shop.resolve(name: "container")

  private var baskets: (Basket, Basket) {
    (Self.shop.resolve(), Self.shop.resolve(name: "application"))
  }

  init() {
    // Built outside of every scope, before the tests.
    ContextFrame.$bound.withValue(nil) {
      _ = (Self.kept, Self.keptByApplication, Self.keptByContainer)
    }
  }

  @Test("brings empty caches of all scopes", .resetCaches)
  func all() {
    let (cached, application) = baskets
    #expect(cached !== Self.kept && application !== Self.keptByApplication)
    #expect(baskets.0 === cached && baskets.1 === application)
  }

  @Test("brings empty caches of the scopes that are named, and of no other", .resetCaches(.cached))
  func named() {
    let (cached, application) = baskets
    #expect(cached !== Self.kept && application === Self.keptByApplication)
    #expect(baskets.0 === cached)
  }

  @Test("takes several scopes", .resetCaches(.cached, .application))
  func several() {
    let (cached, application) = baskets
    #expect(cached !== Self.kept && application !== Self.keptByApplication)
  }

  @Test(
    "takes a container's cache for the container scope", .resetCaches(CacheTraitTests.shop.cache))
  func containerCache() {
    let basket: Basket = Self.shop.resolve(name: "container")
    #expect(basket !== Self.keptByContainer)
    #expect(Self.shop.resolve(Basket.self, name: "container") === basket)
    #expect(baskets.0 === Self.kept)
  }

  @Test("resets nothing outside: without it, what was kept is there")
  func outside() {
    #expect(baskets.0 === Self.kept && baskets.1 === Self.keptByApplication)
  }

  @Test("takes a reset in the test, so that it stays in the test", .resetCaches)
  func resetInside() {
    let before = baskets
    Scope.cached.reset()
    #expect(baskets.0 !== before.0 && baskets.1 === before.1)
    ContextFrame.$bound.withValue(nil) {
      #expect(Self.shop.resolve(Basket.self) === Self.kept)
    }
  }

  @Test("gives each case its own", .resetCaches, arguments: 1...4)
  func cases(number: Int) {
    Fresh.shared.note(baskets.0)
  }

  @Test("inside a sandbox leaves the sandbox's other caches alone", .sandbox, .resetCaches(.cached))
  func inSandbox() {
    let before = baskets
    Scope.cached.reset()
    #expect(baskets.0 !== before.0 && baskets.1 === before.1)
  }
}

/// Sees to it that no two cases have the same instance.
private final class Fresh: Sendable {
  static let shared = Fresh()
  private let seen = Lock<[Basket]>([])

  func note(_ basket: Basket) {
    let isNew = seen.withLock { seen in
      defer { seen.append(basket) }
      return !seen.contains { $0 === basket }
    }
    #expect(isNew)
  }
}
