@testable import DITesting
import Testing

private final class Trolley: Sendable {}

private final class Shop: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension Shop {
  fileprivate var trolley: Factory<Trolley> { makes { Trolley() }.cached }
  fileprivate var trolleyOf: ParameterFactory<Int, Trolley> {
    self { (_: Int) in Trolley() }.scopeOnParameters.cached
  }
}

/// Runs a body in each kind of scope that brings its own caches.
private func inEachScope(_ body: () -> Void) {
  withSandbox { body() }
  withLayer { _ in
  } operation: {
    body()
  }
  withRoot(Resolver()) { body() }
}

@Suite("A container that goes before the scope does")
struct GoneContainerTests {
  @Test(
    "takes along what the scope kept for its registrations",
    arguments: [Scope.cached, .container, .perContainer(.strong), .single, .application])
  func typed(scope: Scope) {
    inEachScope {
      weak var kept: Trolley?
      do {
        let shop = Resolver()
        shop.register { Trolley() }.scope(scope)
        kept = shop.resolve(Trolley.self)
        #expect(kept != nil)
      }
      #expect(kept == nil)
    }
  }

  @Test("takes along what the scope kept for its configuration")
  func configured() {
    inEachScope {
      weak var kept: Trolley?
      do {
        let shop = Resolver { $0.register { Trolley() }.scope(.cached) }
        kept = shop.resolve(Trolley.self)
        #expect(kept != nil)
      }
      #expect(kept == nil)
    }
  }

  @Test("takes along what the scope kept for its properties, also by parameter")
  func keyPaths() {
    inEachScope {
      weak var trolley: Trolley?
      weak var ofCustomer: Trolley?
      do {
        let shop = Shop()
        trolley = shop.trolley()
        ofCustomer = shop.trolleyOf(1)
        #expect(trolley != nil && ofCustomer != nil)
      }
      #expect(trolley == nil)
      #expect(ofCustomer == nil)
    }
  }

  // As on Factory's page on containers: replacing `shared` releases the container that was there.
  @Test("is released where `shared` is replaced in a sandbox")
  func shared() {
    withSandbox {
      weak var kept: Trolley?
      func use() {
        let shop = Shop()
        Shop.shared = shop
        kept = shop.trolley()
        Shop.shared = Shop()
      }
      use()
      #expect(kept == nil)
    }
  }

  @Test("takes along the doubles that were registered in it, and what they hold")
  func doubles() {
    withSandbox {
      weak var held: Trolley?
      do {
        let trolley = Trolley()
        let shop = Resolver()
        shop.register { trolley }
        _ = shop.resolve(Trolley.self)
        held = trolley
      }
      #expect(held == nil)
    }
  }

  @Test("takes along the doubles of its properties", arguments: [false, true])
  func propertyDoubles(isAskedByType: Bool) {
    withSandbox {
      let frame = ContextFrame.current!
      weak var held: Trolley?
      do {
        let trolley = Trolley()
        let shop = Shop()
        shop.trolley.register { trolley }
        if isAskedByType { _ = shop.manager.resolver.optional(Trolley.self) }
        #expect(shop.trolley() === trolley)
        held = trolley
      }
      #expect(held == nil)
      #expect(frame.views.isEmpty)
    }
  }

  @Test("takes along what its decorator holds", arguments: [false, true])
  func decorator(isAskedByType: Bool) {
    withSandbox {
      weak var held: Trolley?
      do {
        let trolley = Trolley()
        let shop = Shop()
        shop.decorator { _ in withExtendedLifetime(trolley) {} }
        if isAskedByType { _ = shop.manager.resolver.optional(Trolley.self) }
        _ = shop.trolley()
        held = trolley
      }
      #expect(held == nil)
    }
  }

  @Test("takes along what it kept, also if it is older than the scope that has settings for it")
  func olderThanScope() {
    weak var kept: Trolley?
    var shop: Shop? = Shop()
    kept = shop?.trolley()
    withSandbox {
      shop?.manager.defaultScope = .cached
      #expect(kept != nil)
      shop = nil
      #expect(kept == nil)
    }
  }

  @Test("leaves what asks it by type later its doubles")
  func byType() {
    withSandbox {
      let asked: Resolver
      do {
        let shop = Shop()
        shop.manager.resolver.register { Trolley() }.scope(.cached)
        asked = shop.manager.resolver
      }
      #expect(asked.resolve(Trolley.self) === asked.resolve(Trolley.self))
    }
  }

  @Test("leaves nothing of what was kept by parameter")
  func parameters() {
    inEachScope {
      for number in 0..<10 {
        weak var trolley: Trolley?
        do {
          let shop = Shop()
          trolley = shop.trolleyOf(number)
          #expect(trolley != nil)
        }
        #expect(trolley == nil)
      }
    }
  }

  @Test("takes along what a layer's doubles hold, in a sandbox as without one")
  func layers() {
    func use() -> Bool {
      weak var held: Trolley?
      do {
        let trolley = Trolley()
        withLayer {
          $0.register { trolley }
        } operation: {
          _ = Resolver.resolve(Trolley.self)
        }
        held = trolley
      }
      return held == nil
    }
    #expect(use())
    withSandbox { #expect(use()) }
  }

  @Test("has its instances torn down then, not at the end of the scope")
  func tornDown() {
    let released = Lock(0)
    withSandbox {
      do {
        let shop = Resolver()
        shop.register { Trolley() }.scope(.cached).onRelease { _ in released.withLock { $0 += 1 } }
        _ = shop.resolve(Trolley.self)
      }
      #expect(released.withLock { $0 } == 1)
    }
    #expect(released.withLock { $0 } == 1)
  }

  @Test("leaves the finding that its double was never resolved")
  func finding() {
    let issues = findings {
      let shop = Resolver()
      shop.register { Trolley() }
    }
    #expect(
      issues.map(\.headline) == [
        "The double for `Trolley` was never resolved."
      ])
  }

  @Test("leaves none of its settings to the next container")
  func settings() {
    withSandbox {
      for _ in 0..<100 {
        let shop = Resolver()
        #expect(shop.manager.defaultScope == nil)
        shop.manager.defaultScope = .cached
        shop.manager.push()
      }
    }
  }

  @Test("leaves nothing behind that requests of the sandbox would have to look at")
  func many() {
    withSandbox {
      let frame = ContextFrame.current!
      for _ in 0..<1_000 {
        let shop = Resolver()
        shop.register { Trolley() }.scope(.cached)
        _ = shop.resolve(Trolley.self)
      }
      #expect(frame.views.isEmpty)
    }
  }
}

@Suite("What a test registers or takes away, where a scope keeps an instance")
struct ForgettingInScopesTests {
  private let shop: Resolver = Resolver { $0.register { Trolley() }.scope(.cached) }

  @Test("lets go of the instance of a registration outside, which it hides")
  func hidden() {
    // That the double came late is reported all the same.
    _ = findings {
      weak let kept = shop.resolve(Trolley.self)
      #expect(kept != nil)
      shop.register { Trolley() }.scope(.cached)
      #expect(kept == nil)
      _ = shop.resolve(Trolley.self)
    }
  }

  @Test("lets go of the instance of what is taken away")
  func removed() {
    withSandbox {
      weak let kept = shop.resolve(Trolley.self)
      shop.remove(Trolley.self)
      #expect(kept == nil)
    }
  }

  @Test("lets go of it in the scopes inside the sandbox too")
  func inside() {
    withSandbox {
      withRoot(shop) {
        weak let kept = Resolver.resolve(Trolley.self)
        shop.remove(Trolley.self)
        #expect(kept == nil)
      }
    }
  }

  @Test("leaves alone what the process, or a sandbox outside, keeps")
  func outside() {
    let live = shop.resolve(Trolley.self)
    withSandbox {
      let outer = shop.resolve(Trolley.self)
      withSandbox {
        _ = shop.resolve(Trolley.self)
        shop.remove(Trolley.self)
      }
      #expect(shop.resolve(Trolley.self) === outer)
    }
    #expect(shop.resolve(Trolley.self) === live)
  }
}
