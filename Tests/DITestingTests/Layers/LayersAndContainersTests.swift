import DITesting
import Testing

/// Layers, the containers below them, and those that are asked.
@Suite("A layer")
struct LayersAndContainersTests {
  let shop = Resolver { $0.register { LivePayments() as any Payments } }

  @Test("answers with the containers below it that the root does not reach, too")
  func below() {
    let doubles = Resolver { $0.register { FakePayments("below") as any Payments } }
    withRoot(shop) {
      withLayer {
        $0.add(child: doubles)
      } operation: {
        #expect(currentLabel() == "below")
        #expect(shop.resolve((any Payments).self).label == "below")
      }
    }
  }

  @Test("that lies over the root itself comes before the root, but after no layer outside it")
  func overTheRoot() {
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments("outer") as any Payments }
      } operation: {
        let layer = Resolver.push(Resolver(child: shop))
        #expect(currentLabel() == "outer")
        Resolver.pop(layer)
      }
    }
  }

  @Test("keeps an instance for each container that is asked, where its scope says so")
  func perContainerAsked() {
    let store = Resolver()
    let front = Resolver(child: store)
    withRoot(front) {
      withLayer {
        $0.register { Basket() }.scope(.container)
      } operation: {
        let ofFront = front.resolve(Basket.self)
        let ofStore = store.resolve(Basket.self)
        #expect(ofFront !== ofStore)
        #expect(Resolver.resolve(Basket.self) === ofFront)
        #expect(store.resolve(Basket.self) === ofStore)
      }
    }
  }

  @Test("still answers where a sandbox inside it takes the service away below")
  func takenAwayBelow() {
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        withSandbox {
          shop.remove((any Payments).self)
          #expect(currentLabel() == "layer")
        }
      }
    }
  }

  @Test("that lacks a service does not change which container answers for it in a sandbox inside")
  func unrelated() {
    let stock = Resolver()
    shop.add(child: stock)
    withRoot(shop) {
      withLayer {
        $0.register { Basket() }
      } operation: {
        withSandbox {
          stock.register { FakePayments("below") as any Payments }
          #expect(currentLabel() == "live")
          #expect(stock.resolve((any Payments).self).label == "below")
          shop.remove((any Payments).self)
          #expect(currentLabel() == "below")
          #expect(shop.optional(Basket.self) != nil)
        }
      }
    }
  }

  @Test(
    "stands before what its root holds, not before what a sandbox inside put in its place",
    .withoutWarnings)
  func inTheWay() {
    let stock = Resolver()
    shop.add(child: stock)
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        withSandbox {
          stock.register { FakePayments("below") as any Payments }
          #expect(currentLabel() == "layer")
          shop.register { FakePayments("inside") as any Payments }
          #expect(currentLabel() == "inside")
        }
      }
    }
  }

  @Test(
    "a decoration that a layer has too wraps what was registered inside the next layer",
    .withoutWarnings)
  func decorationOfLayerItself() {
    withSandbox {
      let child = Resolver()
      Resolver.main.add(child: child)
      withLayer {
        $0.register { "layer" }
      } operation: {
        Resolver.main.decorate(String.self) { "\($0), wrapped" }
        withSandbox {
          child.register { "inside" }
          let layer = Resolver.push(.main)
          #expect(Resolver.resolve(String.self) == "inside, wrapped")
          Resolver.pop(layer)
        }
      }
    }
  }
}
