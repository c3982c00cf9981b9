import DITesting
import Testing

extension Scope {
  fileprivate static let visit = Scope.cache("visit")
}

@Suite("A sandbox's view")
struct SandboxViewTests {
  static let keeping: [Scope] = [
    .cached, .application, .singleton, .container, .shared, .visit,
    .perContainer(.strong), .perContainer(.weak), .perRun(.strong), .perRun(.weak), .single,
  ]

  @Test("never shows an instance kept outside, and leaves it there", arguments: keeping)
  func caches(scope: Scope) {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(scope) }
    let outside = shop.resolve((any Payments).self)
    var inside: (any Payments)?
    withSandbox {
      let first = shop.resolve((any Payments).self)
      #expect(first !== outside)
      #expect(shop.resolve((any Payments).self) === first)
      withSandbox { #expect(shop.resolve((any Payments).self) !== first) }
      inside = first
    }
    #expect(shop.resolve((any Payments).self) === outside)
    withSandbox { #expect(shop.resolve((any Payments).self) !== inside) }
  }

  @Test("lets go of what it kept when it ends", arguments: keeping)
  func letsGo(scope: Scope) {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(scope) }
    weak var kept: (any Payments)?
    withSandbox {
      let payments = shop.resolve((any Payments).self)
      kept = payments
      withExtendedLifetime(payments) {}
    }
    #expect(kept == nil)
  }

  @Test(
    "is what a scope's reset empties", arguments: [Scope.cached, .application, .singleton, .visit])
  func scopeReset(scope: Scope) {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(scope) }
    let outside = shop.resolve((any Payments).self)
    withSandbox {
      let before = shop.resolve((any Payments).self)
      scope.reset()
      #expect(shop.resolve((any Payments).self) !== before)
    }
    #expect(shop.resolve((any Payments).self) === outside)
  }

  @Test("is what a container's cache reset empties")
  func containerCacheReset() {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(.container) }
    let outside = shop.resolve((any Payments).self)
    withSandbox {
      let before = shop.resolve((any Payments).self)
      shop.cache.reset()
      #expect(shop.resolve((any Payments).self) !== before)
    }
    #expect(shop.resolve((any Payments).self) === outside)
  }

  @Test("is what a container's cache reset empties, of that container alone")
  func otherContainersCacheReset() {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(.container) }
    let branch = Resolver(child: shop)
    withSandbox {
      let shops = shop.resolve((any Payments).self)
      let branches = branch.resolve((any Payments).self)
      branch.cache.reset()
      #expect(shop.resolve((any Payments).self) === shops)
      #expect(branch.resolve((any Payments).self) !== branches)
      let branchesNext = branch.resolve((any Payments).self)
      shop.cache.reset()
      #expect(shop.resolve((any Payments).self) !== shops)
      #expect(branch.resolve((any Payments).self) === branchesNext)
    }
  }

  @Test("forgets what it kept for a registration that is replaced in it", .withoutWarnings)
  func reregistering() {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(.cached) }
    withSandbox {
      for label in ["first", "second"] {
        // The same line: the second replaces the first.
        shop.register { FakePayments(label) as any Payments }.scope(.perRun(.strong))
        #expect(shop.resolve((any Payments).self).label == label)
        #expect(shop.resolve((any Payments).self).label == label)
      }
    }
  }

  @Test("has the default scope that is set in it")
  func defaultScope() {
    withSandbox {
      let outside = Resolver.defaultScope
      Resolver.defaultScope = .cached
      #expect(Resolver.defaultScope === Scope.cached)
      Resolver.main.register { FakePayments() as any Payments }
      #expect(
        Resolver.main.resolve((any Payments).self) === Resolver.main.resolve((any Payments).self))
      withSandbox {
        #expect(Resolver.defaultScope === Scope.cached)
        Resolver.defaultScope = .unique
        #expect(Resolver.defaultScope === Scope.unique)
      }
      #expect(Resolver.defaultScope === Scope.cached)
      #expect(outside === Scope.graph)
    }
    #expect(Resolver.defaultScope === Scope.graph)
  }

  @Test("has the decoration that is set in it")
  func decorate() {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    withSandbox {
      var seen: [String] = []
      Resolver.decorate = { seen.append(($0 as? any Payments)?.label ?? "?") }
      _ = shop.resolve((any Payments).self)
      withSandbox {
        _ = shop.resolve((any Payments).self)
        Resolver.decorate = nil
        _ = shop.resolve((any Payments).self)
      }
      _ = shop.resolve((any Payments).self)
      #expect(seen == ["live", "live", "live"])
    }
    #expect(Resolver.decorate == nil)
  }

  @Test("has the children that are added in it")
  func children() {
    let child = Resolver { $0.register { Basket() } }
    let shop = Resolver()
    withSandbox {
      shop.add(child: child)
      #expect(shop.optional(Basket.self) != nil)
      withSandbox {
        let other = Resolver { $0.register(name: "other") { Basket() } }
        shop.add(child: other)
        #expect(shop.optional(Basket.self) != nil)
        #expect(shop.optional(Basket.self, name: "other") != nil)
      }
      #expect(shop.optional(Basket.self, name: "other") == nil)
    }
    #expect(shop.optional(Basket.self) == nil)
  }

  @Test("lists its doubles in place of what they hide")
  func introspection() {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    withSandbox {
      shop.register { FakePayments() as any Payments }
      shop.register { Basket() }
      #expect(shop.registrations.map(\.isDouble) == [true, true])
      _ = (shop.resolve((any Payments).self), shop.resolve(Basket.self))
    }
    #expect(shop.registrations.map(\.isDouble) == [false])
  }

  @Test("is what replacing Container.shared changes")
  func shared() {
    let before = Container.shared
    let mine = Resolver()
    withSandbox {
      Container.shared = mine
      #expect(Container.shared === mine && Resolver.root === mine)
      withSandbox {
        #expect(Container.shared === mine)
        Container.shared = before
      }
      #expect(Container.shared === mine)
    }
    #expect(Container.shared === before)
  }
}

@Suite("Resolver.reset() in a sandbox", .sandbox)
struct SandboxResetTests {
  @Test("empties main in place, and makes it the root")
  func empties() {
    let nested = Resolver(child: .main)
    let child = Resolver { $0.register { Basket() } }
    Resolver.main.register { FakePayments() as any Payments }
    Resolver.main.add(child: child)
    Resolver.root = nested
    #expect(currentLabel() == "fake")
    Resolver.reset()
    #expect(Resolver.root === Resolver.main)
    #expect(Resolver.main.optional((any Payments).self) == nil)
    #expect(Resolver.main.optional(Basket.self) == nil)
    #expect(child.optional(Basket.self) != nil)
    Resolver.main.register { FakePayments("anew") as any Payments }
    #expect(nested.resolve((any Payments).self).label == "anew")
  }

  @Test("makes main the root in the scoped roots and layers inside the sandbox too")
  func innerRoots() {
    let mock = Resolver { $0.register { FakePayments("mock") as any Payments } }
    withRoot(mock) {
      withLayer { _ in
      } operation: {
        Resolver.reset()
        #expect(Resolver.root === Resolver.main)
        #expect(Resolver.optional((any Payments).self) == nil)
      }
    }
  }

  @Test("clears .application, .cached and .shared, also those that a layer brought")
  func clears() {
    let shop = Resolver { r in
      r.register { Basket() }.scope(.cached)
      r.register(name: "application") { Basket() }.scope(.application)
      r.register(name: "shared") { Basket() }.scope(.shared)
      r.register(name: "visit") { Basket() }.scope(.visit)
      r.register(name: "singleton") { Basket() }.scope(.singleton)
    }
    func baskets() -> [Basket] {
      [nil, "application", "shared", "visit", "singleton"].map { shop.resolve(name: $0) }
    }
    func reset() -> [Bool] {
      let before = baskets()
      Resolver.reset()
      return zip(before, baskets()).map(===)
    }
    #expect(reset() == [false, false, false, true, true])
    withLayer { _ in
    } operation: {
      #expect(reset() == [false, false, false, true, true])
    }
  }

  @Test("forgets what main's containers keep for registrations that it takes away")
  func forgets() {
    weak var basket: Basket?
    Resolver.main.register { Basket() }.scope(.container)
    withSandbox {
      withLayer { _ in
      } operation: {
        do {
          let kept = Resolver.main.resolve(Basket.self)
          basket = kept
        }
        #expect(basket != nil)
        Resolver.reset()
        #expect(basket == nil)
      }
    }
  }

  @Test("leaves singletons by key path, which are the process's")
  func singletons() {
    let courier = Container.shared.singleCourier()
    #expect(Container.shared.singleCourier() === courier)
    Resolver.reset()
    #expect(Container.shared.singleCourier() === courier)
  }

  @Test("masks what is registered in main outside, in a nested sandbox for that one only")
  func masks() {
    Resolver.main.register { FakePayments("outer") as any Payments }
    withSandbox {
      Resolver.reset()
      #expect(Resolver.main.optional((any Payments).self) == nil)
      withLayer { _ in
      } operation: {
        #expect(Resolver.main.optional((any Payments).self) == nil)
      }
    }
    #expect(currentLabel() == "outer")
  }

  @Test("masks within a layer what a sandbox between them registered")
  func masksInALayer() {
    withLayer { _ in
    } operation: {
      withSandbox {
        Resolver.main.register { FakePayments() as any Payments }
        #expect(currentLabel() == "fake")
        withSandbox {
          Resolver.reset()
          #expect(Resolver.main.optional((any Payments).self) == nil)
        }
      }
    }
  }
}
