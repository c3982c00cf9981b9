@testable import DIContainer
import DITesting
import Testing

extension Container {
  fileprivate var hamper: Factory<Basket> { self { Basket() }.scope(.perRun(.strong)) }
}

private final class SiteDepot: DefaultSharedContainer {
  let manager = ContainerManager()
}

/// Registers a basket at one site, which is the line that made it.
private func filler(line: UInt = #line) -> (Resolver) -> Void {
  { $0.register(line: line) { Basket() }.scope(.single) }
}

/// `.single` and `.perRun` keep one instance for a line that registers, whatever containers it
/// fills: in a sandbox, as long as one of these links to the line as the sandbox sees it.
@Suite("A site's instance in a sandbox")
struct SandboxSiteTests {
  @Test("stays while another of its containers links to the site")
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

  @Test("stays while production's registration links to the site")
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

  @Test("goes outside with the last link there, though a sandbox has one", .withoutWarnings)
  func lastLinkOutside() {
    let fill = filler()
    // One after the other: both fill a container on the same line.
    for isDecorated in [false, true] {
      let shop = Resolver()
      fill(shop)
      if isDecorated { shop.decorate(Basket.self) { $0 } }
      let first = shop.resolve(Basket.self)
      withSandbox {
        fill(shop)
        // Production code that runs in a test: base state.
        _ = Resolver { _ in fill(shop) }
      }
      #expect(shop.resolve(Basket.self) !== first)
    }
  }

  @Test("stays while a registration links to the site that an alias hides from single requests")
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

  @Test("goes with the link outside that a decoration in the sandbox wraps", .withoutWarnings)
  func wrappedLink() {
    let fill = filler()
    let shop = Resolver()
    fill(shop)
    withSandbox {
      let first = shop.resolve(Basket.self)
      shop.decorate(Basket.self) { $0 }
      fill(shop)
      #expect(shop.resolve(Basket.self) !== first)
    }
  }

  @Test("goes with the last link that the sandbox sees", .withoutWarnings)
  func lastLink() {
    let fill = filler()
    // One after the other: both fill a container on the same line.
    for isRemoved in [false, true] {
      let one = Resolver()
      fill(one)
      withSandbox {
        let first = one.resolve(Basket.self)
        if isRemoved { one.remove(Basket.self) }
        fill(one)
        let second = one.resolve(Basket.self)
        #expect(second !== first)
        fill(one)
        #expect(one.resolve(Basket.self) !== second)
      }
    }
  }

  @Test(
    "goes when a reset of main takes the last link away", .withoutWarnings)
  func lastLinkOfMain() {
    let fill = filler()
    withSandbox {
      fill(.main)
      withSandbox {
        let other = Resolver()
        let kept = Resolver.main.resolve(Basket.self)
        Resolver.reset()
        fill(other)
        #expect(other.resolve(Basket.self) !== kept)
      }
      withSandbox {
        let (one, other) = (Resolver(), Resolver())
        fill(one)
        let kept = Resolver.main.resolve(Basket.self)
        Resolver.reset()
        fill(other)
        #expect(other.resolve(Basket.self) === kept)
      }
    }
  }

  @Test(
    "goes with the last link that its scope sees, though a scope further in has one",
    .withoutWarnings)
  func lastLinkFurtherOut() {
    let fill = filler()
    let (shop, other) = (Resolver(), Resolver())
    fill(shop)
    withSandbox {
      let outer = ResolutionContext.current
      weak let kept = shop.resolve(Basket.self)
      #expect(kept != nil)
      withSandbox {
        fill(other)
        let inner = other.resolve(Basket.self)
        // Production code that runs in a test: base state.
        _ = Resolver { _ in shop.register { Basket() } }
        #expect(kept == nil)
        #expect(other.resolve(Basket.self) === inner)
        outer.run {
          fill(other)
          #expect(other.resolve(Basket.self) !== inner)
        }
        #expect(other.resolve(Basket.self) === inner)
      }
    }
  }

  @Test("goes with the last container outside, though a sandbox has a link", .withoutWarnings)
  func lastContainerOutside() {
    let fill = filler()
    let other = Resolver()
    var shop: Resolver? = Resolver()
    fill(shop!)
    weak let outside = shop?.resolve(Basket.self)
    withSandbox {
      shop!.register(name: "gift") { Basket() }
      weak let inSandbox = shop?.resolve(Basket.self)
      withSandbox {
        fill(other)
        let inner = other.resolve(Basket.self)
        #expect(outside != nil && inSandbox != nil)
        shop = nil
        #expect(outside == nil)
        #expect(inSandbox == nil)
        #expect(other.resolve(Basket.self) === inner)
      }
    }
  }

  // One case after the other: they share the line.
  @Test(
    "goes outside with a last link beside an alias, though a sandbox has one", .withoutWarnings,
    .serialized, arguments: [false, true])
  func lastLinkBesideAnAlias(isRemoved: Bool) {
    let fill = filler()
    let (shop, other) = (Resolver(), Resolver())
    fill(shop)
    weak let kept = shop.resolve(Basket.self)
    shop.register(name: "gift") { Basket() }.implements(Basket.self)
    withSandbox {
      fill(other)
      // Production code that runs in a test: base state.
      _ = Resolver { _ in
        #expect(kept != nil)
        if isRemoved { shop.remove(Basket.self) } else { shop.register { Basket() } }
        #expect(kept == nil)
      }
    }
  }

  @Test(
    "goes outside when a reset of main takes the last link there, though a sandbox has one",
    .withoutWarnings)
  func lastLinkOfMainOutside() async {
    // In a process of its own: elsewhere other tests use what main has outside.
    await #expect(processExitsWith: .success) {
      let fill = filler()
      fill(.main)
      weak let kept = Resolver.main.resolve(Basket.self)
      withSandbox {
        fill(.main)
        #expect(kept != nil)
        // Production code that runs in a test: base state.
        _ = Resolver { _ in Resolver.reset() }
        #expect(kept == nil)
      }
    }
  }

  @Test("stays while a registration in the sandbox links to the site that an alias hides")
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

  @Test("goes where a reset of its container hides production's registration")
  func resetByType() {
    let depot = SiteDepot()
    func fill() { depot.register { Basket() }.scope(.single) }
    RegisteringContext.with({ $0.isProduction = true }) { fill() }
    withSandbox {
      let first = depot.resolve(Basket.self)
      depot.manager.reset()
      fill()
      #expect(depot.resolve(Basket.self) !== first)
    }
  }
}
