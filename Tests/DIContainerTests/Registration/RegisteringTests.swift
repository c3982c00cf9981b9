import DIContainer
import TestSupport
import Testing

private protocol Payments: AnyObject {}
private final class LivePayments: Payments {}
private final class FakePayments: Payments {}

private struct Price: Equatable {
  var cents: Int
}

/// What can be registered, and what registering again does.
@Suite("Registering")
struct RegisteringTests {
  private let resolver: Resolver = Resolver()

  @Test("A factory is registered for the type that it returns")
  func inferredType() {
    resolver.register { LivePayments() }
    #expect(resolver.optional(LivePayments.self) != nil)
    #expect(resolver.optional((any Payments).self) == nil)
  }

  @Test("A cast in the factory registers for the protocol")
  func castToProtocol() {
    resolver.register { LivePayments() as any Payments }
    #expect(resolver.optional((any Payments).self) is LivePayments)
    #expect(resolver.optional(LivePayments.self) == nil)
  }

  @Test("A type that is given decides what a factory is registered for")
  func explicitType() {
    resolver.register((any Payments).self) { LivePayments() }
    #expect(resolver.optional((any Payments).self) is LivePayments)
  }

  @Test("Values, functions, tuples and metatypes are services like any other")
  func allKindsOfTypes() {
    resolver.register { Price(cents: 5) }
    resolver.register { { (cents: Int) in Price(cents: cents) } as (Int) -> Price }
    resolver.register { (1, "one") as (Int, String) }
    resolver.register { LivePayments.self as any Payments.Type }
    #expect(resolver.resolve(Price.self) == Price(cents: 5))
    #expect(resolver.resolve(((Int) -> Price).self)(7) == Price(cents: 7))
    #expect(resolver.resolve((Int, String).self) == (1, "one"))
    #expect(resolver.resolve((any Payments.Type).self) == LivePayments.self)
  }

  @Test("A factory may return an optional: the service is what it wraps")
  func optionalFactory() {
    func find(_ isThere: Bool) -> Price? { isThere ? Price(cents: 1) : nil }
    resolver.register { find(true) }
    resolver.register(name: "none") { find(false) }
    #expect(resolver.resolve(Price.self) == Price(cents: 1))
    #expect(resolver.optional(Price.self, name: "none") == nil)
  }

  @Test("Names tell registrations of a type apart, and none stands in for another")
  func names() {
    resolver.register(name: "small") { Price(cents: 1) }
    resolver.register(name: "large") { Price(cents: 2) }
    #expect(resolver.optional(Price.self) == nil)
    resolver.register { Price(cents: 3) }
    #expect(resolver.resolve(Price.self, name: "small") == Price(cents: 1))
    #expect(resolver.resolve(Price.self, name: "large") == Price(cents: 2))
    #expect(resolver.resolve(Price.self) == Price(cents: 3))
    #expect(resolver.optional(Price.self, name: "medium") == nil)
  }

  @Test("The last registration wins")
  func lastWins() {
    resolver.register { LivePayments() as any Payments }
    resolver.register { FakePayments() as any Payments }
    #expect(resolver.resolve((any Payments).self) is FakePayments)
  }

  @Test(
    "Registering again forgets what was kept",
    arguments: [Scope.cached, .shared, .application, .container, .singleton, .cache("session")])
  func registeringAgainForgets(scope: Scope) {
    resolver.register { LivePayments() }.scope(scope)
    let first: LivePayments = resolver.resolve()
    #expect(resolver.resolve(LivePayments.self) === first)
    resolver.register { LivePayments() }.scope(scope)
    let second: LivePayments = resolver.resolve()
    #expect(second !== first)
    #expect(resolver.resolve(LivePayments.self) === second)
  }

  @Test(
    "Registering again lets go of what was kept, wherever it was kept",
    arguments: [Scope.cached, .application, .container])
  func registeringAgainReleases(scope: Scope) {
    let parent = Resolver(child: resolver)
    let released = Counter()
    resolver.register { LivePayments() }.scope(scope).onRelease { _ in released.increment() }
    weak let own = resolver.resolve(LivePayments.self)
    weak let parents = parent.resolve(LivePayments.self)
    #expect(own != nil && parents != nil)
    let built = own === parents ? 1 : 2
    resolver.register { LivePayments() }.scope(scope)
    #expect(own == nil && parents == nil)
    #expect(released.value == built)
  }

  @Test("Registering one name leaves what is kept under another")
  func othersAreNotForgotten() {
    resolver.register(name: "a") { LivePayments() }.scope(.cached)
    resolver.register { LivePayments() }.scope(.cached)
    let named = resolver.resolve(LivePayments.self, name: "a")
    resolver.register { LivePayments() }.scope(.cached)
    #expect(resolver.resolve(LivePayments.self, name: "a") === named)
  }

  @Test("What is removed is not found, and forgotten if it comes back")
  func remove() {
    resolver.register { LivePayments() }.scope(.cached)
    weak let kept = resolver.resolve(LivePayments.self)
    #expect(kept != nil)
    resolver.remove(LivePayments.self)
    #expect(kept == nil)
    #expect(resolver.optional(LivePayments.self) == nil)
    #expect(resolver.registrations.isEmpty)
    resolver.register { LivePayments() }
    #expect(resolver.optional(LivePayments.self) != nil)
  }

  @Test("Removing takes one name away, and is fine where there is nothing")
  func removeByName() {
    resolver.register { Price(cents: 1) }
    resolver.register(name: "a") { Price(cents: 2) }
    resolver.remove(Price.self, name: "a")
    resolver.remove(Price.self, name: "b")
    resolver.remove(String.self)
    #expect(resolver.optional(Price.self, name: "a") == nil)
    #expect(resolver.optional(Price.self) == Price(cents: 1))
  }

  @Test("Where a container's own registration is removed, a child's answers")
  func removeUncoversAChild() {
    let child = Resolver { $0.register { Price(cents: 1) } }
    resolver.add(child: child)
    resolver.register { Price(cents: 2) }
    #expect(resolver.resolve(Price.self) == Price(cents: 2))
    resolver.remove(Price.self)
    #expect(resolver.resolve(Price.self) == Price(cents: 1))
  }

  @Test("Many registrations in one container are all found")
  func manyRegistrations() {
    for number in 0..<5_000 {
      resolver.register(name: Resolver.Name("\(number)")) { Price(cents: number) }
    }
    for number in 0..<5_000 {
      let price = resolver.resolve(Price.self, name: Resolver.Name("\(number)"))
      #expect(price.cents == number)
    }
    #expect(resolver.registrations.count == 5_000)
  }

  @Test("A container is set up where it is made")
  func configure() throws {
    let shop = Resolver { r in
      r.register { Price(cents: 1) }
    }
    #expect(shop.resolve(Price.self) == Price(cents: 1))
    let larger = Resolver(child: shop) { $0.register { 7 } }
    #expect(larger.resolve(Price.self) == Price(cents: 1))
    #expect(larger.resolve(Int.self) == 7)
    struct NoConfiguration: Error {}
    #expect(throws: NoConfiguration.self) { try Resolver { _ in throw NoConfiguration() } }
  }

  @Test("A kept instance is torn down once, when it is forgotten")
  func onRelease() {
    let released = Counter()
    resolver.register { LivePayments() }.scope(.cached)
      .onRelease { _ in released.increment() }
      .onRelease { _ in released.increment() }
    _ = resolver.resolve(LivePayments.self)
    #expect(released.value == 0)
    resolver.remove(LivePayments.self)
    #expect(released.value == 2)
  }

  @Test("A container that goes takes what it kept with it")
  func containerGoes() {
    let released = Counter()
    weak var kept: LivePayments?
    do {
      let shop = Resolver()
      shop.register { LivePayments() }.scope(.cached).onRelease { _ in released.increment() }
      kept = shop.resolve()
      #expect(kept != nil)
    }
    #expect(kept == nil)
    #expect(released.value == 1)
  }

  @Test("A registration says what it is, where it was made and what it needs")
  func introspection() throws {
    let line = UInt(#line + 1)
    resolver.register(name: "card") { LivePayments() }.scope(.cached).implements(
      (any Payments).self)
    let list = resolver.registrations
    #expect(
      list.map(\.key) == [
        ServiceKey(LivePayments.self, name: "card"), ServiceKey((any Payments).self),
      ])
    let payments = try #require(list.first)
    #expect(payments.scope === Scope.cached)
    #expect(payments.registeredAt.line == line)
    #expect(payments.dependencies == nil)
    #expect(!payments.isDouble)
    #expect(list.last?.implementedBy == payments.key)
    #expect(
      payments.description == """
        LivePayments "card" (cached) in \(payments.container), registered at \
        DIContainerTests/RegisteringTests.swift:\(line)
        """)
  }
}
