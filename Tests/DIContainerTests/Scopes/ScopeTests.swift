import DICompatibility
import DIContainer
import TestSupport
import Testing

private protocol Payments: AnyObject {}
private final class LivePayments: Payments {}
private final class Farewell {
  let work: () -> Void
  init(_ work: @escaping () -> Void) { self.work = work }
  deinit { work() }
}
private struct Price: Equatable { var id: Int }

private final class Pair {
  let first: LivePayments
  let second: LivePayments

  init(_ first: LivePayments, _ second: LivePayments) {
    self.first = first
    self.second = second
  }
}

extension Scope {
  fileprivate static let session = Scope.cache("session")
  fileprivate static let nestedReset = Scope.cache("nestedReset")
}

extension SharedContainer {
  fileprivate var kept: Factory<LivePayments> { self { LivePayments() } }
}

extension ResolverScope {
  fileprivate static let resolverSession = ResolverScopeCache()
}

/// Who keeps an instance, and for how long.
@Suite("Scopes")
struct ScopeTests {
  private let resolver: Resolver = Resolver()
  private let count = Counter()

  private func isSame(_ name: Resolver.Name? = nil) -> Bool {
    resolver.resolve(LivePayments.self, name: name)
      === resolver.resolve(LivePayments.self, name: name)
  }

  // MARK: unique

  @Test("Unique: every request gets an instance, within a resolution too")
  func unique() {
    resolver.register { LivePayments() }.scope(.unique)
    resolver.register { r in Pair(r.resolve(), r.resolve()) }
    let pair: Pair = resolver.resolve()
    #expect(pair.first !== pair.second)
    #expect(!isSame())
    #expect(Scope.transient === Scope.unique)
  }

  // MARK: reset

  @Test("A reset empties the scope before it releases an instance, whose deinit resets it, too")
  func resetWithinReset() {
    let resolver = Resolver()
    let names = (0..<10).map { Resolver.Name("\($0)") }
    for name in names { resolver.register(name: name) { LivePayments() }.scope(.nestedReset) }
    let before = names.map { ObjectIdentifier(resolver.resolve(LivePayments.self, name: $0)) }
    let held = names.map { resolver.resolve(LivePayments.self, name: $0) }
    let stale = Counter()
    resolver.register {
      Farewell {
        Scope.nestedReset.reset()
        for (name, old) in zip(names, before)
        where ObjectIdentifier(resolver.resolve(LivePayments.self, name: name)) == old {
          stale.increment()
        }
      }
    }.scope(.nestedReset)
    _ = resolver.resolve(Farewell.self)
    Scope.nestedReset.reset()
    #expect(stale.value == 0)
    withExtendedLifetime(held) {}
  }

  // MARK: graph

  @Test("Graph, the default: one instance per resolution cycle")
  func graph() {
    #expect(Resolver.defaultScope === Scope.graph)
    resolver.register { LivePayments() }
    resolver.register { r in Pair(r.resolve(), r.resolve()) }
    let pair: Pair = resolver.resolve()
    #expect(pair.first === pair.second)
    #expect(resolver.resolve(Pair.self).first !== pair.first)
    #expect(!isSame())
  }

  @Test(
    "Graph: the cycle is that of the outermost request, of whatever scope",
    arguments: [Scope.unique, .graph, .cached, .shared, .container, .application])
  func graphUnderAnyScope(scope: Scope) {
    resolver.register { LivePayments() }
    resolver.register { r in Pair(r.resolve(), r.resolve()) }.scope(scope)
    let pair: Pair = resolver.resolve()
    #expect(pair.first === pair.second)
  }

  @Test("Graph shares instances of classes behind protocols and optionals, and no values")
  func graphKinds() {
    struct Kinds {
      let payments: (any Payments, any Payments)
      let prices: (Price, Price)
    }
    resolver.register { LivePayments() as any Payments }
    resolver.register { Price(id: count.increment()) }
    resolver.register { r in
      Kinds(payments: (r.resolve(), r.resolve()), prices: (r.resolve(), r.resolve()))
    }
    let kinds: Kinds = resolver.resolve()
    #expect(kinds.payments.0 === kinds.payments.1)
    #expect(kinds.prices.0 != kinds.prices.1)
  }

  @Test("Graph: many shared instances in one cycle are each found again")
  func largeGraph() {
    for number in 0..<200 {
      resolver.register(name: Resolver.Name("\(number)")) { LivePayments() }
    }
    resolver.register(name: "all") { r -> Bool in
      func all() -> [LivePayments] {
        (0..<200).map { r.resolve(LivePayments.self, name: Resolver.Name("\($0)")) }
      }
      return zip(all(), all()).allSatisfy { $0 === $1 }
    }
    #expect(resolver.resolve(Bool.self, name: "all"))
  }

  @Test("Graph lets go when the cycle ends")
  func graphLetsGo() {
    weak var payments: LivePayments?
    resolver.register { LivePayments() }
    resolver.register(name: "use") { r -> Int in
      payments = r.resolve()
      return payments == nil ? 0 : 1
    }
    #expect(resolver.resolve(Int.self, name: "use") == 1)
    #expect(payments == nil)
  }

  // MARK: shared

  @Test("Shared: one instance as long as somebody holds it")
  func shared() {
    resolver.register { LivePayments() }.scope(.shared)
    var first: LivePayments? = resolver.resolve()
    weak let reference = first
    #expect(resolver.resolve(LivePayments.self) === first)
    first = nil
    #expect(reference == nil)
    #expect(Scope.weak === Scope.shared)
  }

  @Test("Shared holds instances behind protocols weakly, and values not at all")
  func sharedKinds() {
    resolver.register { LivePayments() as any Payments }.scope(.shared)
    resolver.register { Price(id: count.increment()) }.scope(.shared)
    var payments: (any Payments)? = resolver.resolve((any Payments).self)
    #expect(resolver.resolve((any Payments).self) === payments)
    weak let reference = payments
    payments = nil
    #expect(reference == nil)
    #expect(resolver.resolve(Price.self) != resolver.resolve(Price.self))
  }

  // MARK: cached and its kin

  @Test(
    "Cached, application, singleton and scopes of one's own keep one instance per registration",
    arguments: [Scope.cached, .application, .singleton, .session, .resolverSession, .container])
  func kept(scope: Scope) {
    resolver.register { LivePayments() }.scope(scope)
    resolver.register(name: "other") { LivePayments() }.scope(scope)
    #expect(isSame() && isSame("other"))
    let other: LivePayments = resolver.resolve(name: "other")
    #expect(resolver.resolve(LivePayments.self) !== other)
  }

  @Test(
    "Values and optionals are kept too",
    arguments: [Scope.cached, .application, .session, .container])
  func keptValues(scope: Scope) {
    resolver.register { Price(id: count.increment()) }.scope(scope)
    resolver.register((Int?).self, name: "maybe") { .some(.some(count.increment())) }.scope(scope)
    #expect(resolver.resolve(Price.self) == resolver.resolve(Price.self))
    let first = resolver.resolve((Int?).self, name: "maybe")
    #expect(first != nil)
    #expect(resolver.resolve((Int?).self, name: "maybe") == first)
  }

  @Test("A singleton by type is one for all containers that reach its registration, no others")
  func singletonAcrossContainers() {
    resolver.register { LivePayments() }.scope(.singleton)
    let (shop, office) = (Resolver(child: resolver), Resolver(child: resolver))
    let other = Resolver { $0.register { LivePayments() }.scope(.singleton) }
    let payments = shop.resolve(LivePayments.self)
    #expect(office.resolve(LivePayments.self) === payments)
    #expect(resolver.resolve(LivePayments.self) === payments)
    #expect(other.resolve(LivePayments.self) !== payments)
    #expect(other.resolve(LivePayments.self) === other.resolve(LivePayments.self))
  }

  @Test("A singleton by type is forgotten when it is registered again, and by the scope's reset")
  func singletonForgotten() {
    inSandbox {
      resolver.register { LivePayments() }.scope(.singleton)
      let first = resolver.resolve(LivePayments.self)
      resolver.register { LivePayments() }.scope(.singleton)
      let second = resolver.resolve(LivePayments.self)
      #expect(second !== first)
      Scope.cached.reset()
      #expect(resolver.resolve(LivePayments.self) === second)
      Scope.singleton.reset()
      #expect(resolver.resolve(LivePayments.self) !== second)
    }
  }

  @Test("An answer of nil is not kept")
  func nilIsNotKept() {
    resolver.register { () -> LivePayments? in
      count.increment() == 1 ? nil : LivePayments()
    }.scope(.cached)
    #expect(resolver.optional(LivePayments.self) == nil)
    #expect(resolver.optional(LivePayments.self) != nil)
    #expect(isSame())
    #expect(count.value == 2)
  }

  @Test("Two containers that register the same type keep two instances")
  func registrationsNotTypes() {
    let other = Resolver { $0.register { LivePayments() }.scope(.cached) }
    resolver.register { LivePayments() }.scope(.cached)
    #expect(resolver.resolve(LivePayments.self) !== other.resolve(LivePayments.self))
  }

  @Test("Cached: a parent and its child share the instance, built for whom asked first")
  func cachedIsSharedWithParents() {
    let parent = Resolver(child: resolver)
    let asked = Lock<[Resolver]>([])
    resolver.register { r in
      asked.withLock { $0.append(r) }
      return LivePayments()
    }.scope(.cached)
    #expect(parent.resolve(LivePayments.self) === resolver.resolve(LivePayments.self))
    #expect(asked.withLock { $0.map { $0 === parent } } == [true])
  }

  @Test("Container: one instance for each container that is asked")
  func container() {
    let parent = Resolver(child: resolver)
    let other = Resolver(child: resolver)
    resolver.register { LivePayments() }.scope(.container)
    let instances = [resolver, parent, other].map { $0.resolve(LivePayments.self) }
    #expect(Set(instances.map(ObjectIdentifier.init)).count == 3)
    #expect(parent.resolve(LivePayments.self) === instances[1])
    #expect(isSame())
  }

  @Test("A container's cache can be reset by itself")
  func containerCache() {
    let parent = Resolver(child: resolver)
    resolver.register { LivePayments() }.scope(.container)
    resolver.register(name: "cached") { LivePayments() }.scope(.cached)
    let own: LivePayments = resolver.resolve()
    let cached: LivePayments = resolver.resolve(name: "cached")
    let parents: LivePayments = parent.resolve()
    parent.cache.reset()
    #expect(parent.resolve(LivePayments.self) !== parents)
    #expect(resolver.resolve(LivePayments.self) === own)
    resolver.cache.reset()
    #expect(resolver.resolve(LivePayments.self) !== own)
    #expect(resolver.resolve(LivePayments.self, name: "cached") === cached)
  }

  @Test("A container's cache is one of Resolver's scope caches")
  func containerCacheIsScope() throws {
    resolver.register { LivePayments() }.scope(.container)
    let own: LivePayments = resolver.resolve()
    let cache = try #require(resolver.cache as? ResolverScopeCache)
    cache.reset()
    #expect(resolver.resolve(LivePayments.self) !== own)
  }

  @Test("A service can be kept in a container's cache, which is to keep it in the container scope")
  func keptInContainerCache() {
    let parent = Resolver(child: resolver)
    resolver.register { LivePayments() }.scope(resolver.cache)
    let own: LivePayments = resolver.resolve()
    #expect(resolver.registrations.map { $0.scope === Scope.container } == [true])
    #expect(resolver.resolve(LivePayments.self) === own)
    #expect(parent.resolve(LivePayments.self) !== own)
    resolver.cache.reset()
    #expect(resolver.resolve(LivePayments.self) !== own)
  }

  @Test("So it is wherever a scope can be said")
  func cacheWhereverAScope() {
    let container = Resolver()
    container.kept.scope(resolver.cache).register { LivePayments() }
    var kept = container.kept()
    container.cache.reset()
    #expect(container.kept() !== kept)
    kept = container.kept()
    container.manager.reset(scope: resolver.cache)
    #expect(container.kept() !== kept)

    container.manager.defaultScope = resolver.cache
    #expect(container.manager.defaultScope === Scope.container)
    #expect(ObjectScope(resolver.cache).scope === Scope.container)
    inSandbox {
      Resolver.defaultScope = resolver.cache
      #expect(Resolver.defaultScope === Scope.container)
    }
  }

  // MARK: Changing one's mind

  @Test("The last scope that is given counts")
  func lastScope() {
    resolver.register { LivePayments() }.scope(.unique).scope(.cached)
    #expect(isSame())
    resolver.register { LivePayments() }.scope(.cached).scope(.unique)
    #expect(!isSame())
  }

  @Test("The default scope applies to what is registered after it was set")
  func defaultScope() {
    inSandbox {
      resolver.register(name: "before") { LivePayments() }
      Resolver.defaultScope = .cached
      resolver.register(name: "after") { LivePayments() }
      #expect(!isSame("before"))
      #expect(isSame("after"))
    }
    #expect(Resolver.defaultScope === Scope.graph)
  }

  // MARK: Resetting

  @Test("A scope's reset reaches all containers, and that scope only")
  func reset() {
    let own = Scope.cache("own")
    let other = Resolver()
    for container in [resolver, other] {
      container.register { LivePayments() }.scope(own)
      container.register(name: "kept") { LivePayments() }.scope(.cached)
    }
    let before = [resolver, other].map { $0.resolve(LivePayments.self) }
    let kept = resolver.resolve(LivePayments.self, name: "kept")
    own.reset()
    let after = [resolver, other].map { $0.resolve(LivePayments.self) }
    #expect(zip(before, after).allSatisfy { $0 !== $1 })
    #expect(resolver.resolve(LivePayments.self, name: "kept") === kept)
  }

  @Test("A reset lets instances go, and tears them down once")
  func resetReleases() {
    let own = Scope.cache()
    resolver.register { LivePayments() }.scope(own).onRelease { _ in count.increment() }
    weak let kept = resolver.resolve(LivePayments.self)
    #expect(kept != nil)
    own.reset()
    own.reset()
    #expect(kept == nil)
    #expect(count.value == 1)
  }

  @Test("What is being built when its scope is reset is not torn down, for it was never kept")
  func resetDuringBuildReleasesNothing() async {
    final class Remote: Sendable {}
    let own = Scope.cache()
    resolver.register {
      own.reset()
      return LivePayments()
    }.scope(own).onRelease { _ in count.increment() }
    resolver.registerAsync { () async -> Remote in
      own.reset()
      return Remote()
    }.scope(own).onRelease { _ in count.increment() }
    _ = resolver.resolve(LivePayments.self)
    _ = await resolver.resolveAsync(Remote.self)
    #expect(count.value == 0)
  }

  @Test("What is being built when its scope is reset is delivered, and not kept")
  func resetDuringBuild() {
    let own = Scope.cache()
    resolver.register {
      if count.increment() == 1 { own.reset() }
      return LivePayments()
    }.scope(own)
    let first: LivePayments = resolver.resolve()
    let second: LivePayments = resolver.resolve()
    #expect(first !== second)
    #expect(resolver.resolve(LivePayments.self) === second)
  }

  @Test("Registering anew while the factory runs: the newcomer answers from then on")
  func registeredDuringBuild() {
    resolver.register(name: "a") { [resolver] () -> String in
      resolver.register(name: "a") { "new" }.scope(.cached)
      return "old"
    }.scope(.cached)
    #expect(resolver.resolve(String.self, name: "a") == "old")
    #expect(resolver.resolve(String.self, name: "a") == "new")
  }

  @Test("Scopes say their names")
  func names() {
    #expect("\(Scope.cached)" == "cached")
    #expect("\(Scope.session)" == "session")
    #expect("\(Scope.cache())" == "custom")
  }
}
