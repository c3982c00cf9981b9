import DITesting
import Testing

extension Container {
  fileprivate var hamper: Factory<Basket> { self { Basket() }.scope(.perRun(.strong)) }
}

/// Registers a basket at one site, which is the line that made it.
private func filler(line: UInt = #line) -> (Resolver) -> Void {
  { $0.register(line: line) { Basket() }.scope(.single) }
}

/// `.single` and `.perRun` keep one instance for a line that registers, whatever containers it
/// fills: as long as one of these has a registration of it, whether or not a sandbox hides that.
@Suite("A site's instance in a sandbox")
struct SandboxSiteTests {
  @Test("stays while another of its containers has a registration of it")
  func sites() {
    let fill = filler()
    withSandbox {
      let one = Resolver()
      let other = Resolver()
      fill(one)
      fill(other)
      let shared = one.resolve(Basket.self)
      one.register { Basket() }.scope(.unique)
      #expect(other.resolve(Basket.self) === shared)
      #expect(one.resolve(Basket.self) !== shared)
    }
  }

  @Test("stays while production has a registration of it")
  func sitesOutside() {
    let fill = filler()
    let one = Resolver()
    fill(one)
    withSandbox {
      let other = Resolver()
      fill(other)
      let shared = other.resolve(Basket.self)
      #expect(one.resolve(Basket.self) === shared)
      other.register { Basket() }.scope(.unique)
      #expect(one.resolve(Basket.self) === shared)
      fill(other)
      #expect(other.resolve(Basket.self) === shared)
      other.remove(Basket.self)
      #expect(one.resolve(Basket.self) === shared)
    }
  }

  @Test("stays where a registration names the scope that is the default")
  func siteInDefaultScope() {
    let fill = filler()
    withSandbox {
      Resolver.defaultScope = .single
      let (one, other) = (Resolver(), Resolver())
      fill(one)
      let kept = one.resolve(Basket.self)
      for _ in 1...2 {
        fill(other)
        #expect(one.resolve(Basket.self) === kept)
        #expect(other.resolve(Basket.self) === kept)
      }
    }
  }

  @Test("stays while a registration is there that an alias hides from single requests")
  func linkBesideAnAlias() {
    let fill = filler()
    let (shop, other) = (Resolver(), Resolver())
    fill(shop)
    fill(other)
    let first = shop.resolve(Basket.self)
    shop.register(name: "gift") { Basket() }.implements(Basket.self)
    other.remove(Basket.self)
    #expect(shop.resolveMany(Basket.self).contains { $0 === first })
  }

  @Test("stays where a sandbox or a reset hides the registration that is left", .withoutWarnings)
  func hidden() {
    let fill = filler()
    let shop = Resolver()
    fill(shop)
    withSandbox {
      let kept = shop.resolve(Basket.self)
      fill(shop)
      #expect(shop.resolve(Basket.self) === kept)
    }
    withSandbox {
      fill(.main)
      withSandbox {
        let other = Resolver()
        let kept = Resolver.main.resolve(Basket.self)
        Resolver.reset()
        fill(other)
        #expect(other.resolve(Basket.self) === kept)
      }
    }
  }

  @Test("stays while a registration is in the sandbox that an alias hides")
  func linkBesideAnAliasInside() {
    let fill = filler()
    withSandbox {
      let shop = Resolver()
      fill(shop)
      let first = shop.resolve(Basket.self)
      shop.register(name: "gift") { Basket() }.implements(Basket.self)
      #expect(shop.resolveMany(Basket.self).contains { $0 === first })
    }
  }

  @Test("stays while a property of another container declares it")
  func properties() {
    withSandbox {
      let other = Container()
      let kept = Container.main.hamper()
      #expect(other.hamper() === kept)
      Resolver.reset()
      #expect(other.hamper() === kept)
    }
  }

  @Test("of a property stays when one of its containers is set back to a time before it was made")
  func propertiesAfterPop() {
    let (one, other) = (Container(), Container())
    one.manager.push()
    let kept = one.hamper()
    #expect(other.hamper() === kept)
    one.manager.pop()
    #expect(other.hamper() === kept)
  }

  @Test("of a popped registration goes with it, where the line registered before the push, too")
  func lineBeforeAndAfterPush() {
    func use(_ make: @escaping () -> Basket) { Container.main.hamper.register(factory: make) }
    withSandbox {
      let double = Basket()
      use { Basket() }
      Container.main.manager.push()
      use { double }
      #expect(Container.main.hamper() === double)
      Container.main.manager.pop()
      #expect(Container.main.hamper() !== double)
    }
  }
}
