@testable import DIContainer
import DITesting
import Testing

// A service declared by key path, and the layers and roots that put a double in its place.

@Suite("Doubles by key path")
struct FactoryDoublesTests {
  @Test("A container on top of the root overrides a property")
  func childAsRoot() {
    withSandbox {
      let mock = Resolver(child: .main)
      mock.courier.register { FakeCourier("mock") }
      Resolver.root = mock
      #expect(Container.shared.courier().name == "mock")
      #expect(Container.shared.dispatch().courier.name == "mock")
      #expect(Resolver.main.courier().name == "van")
    }
    #expect(Container.shared.courier().name == "van")
  }

  @Test("A layer overrides a property, for the root and for all that it reaches")
  func layer() {
    withLayer {
      $0.courier.register { FakeCourier("layer") }
    } operation: {
      #expect(Container.shared.courier().name == "layer")
      #expect(Resolver.main.courier().name == "layer")
      #expect(Container.shared.dispatch().courier.name == "layer")
      withLayer {
        $0.courier.register { FakeCourier("inner") }
      } operation: {
        #expect(Container.shared.courier().name == "inner")
      }
      #expect(Container.shared.courier().name == "layer")
    }
    #expect(Container.shared.courier().name == "van")
  }

  @Test("A layer hides what was kept before, and what it keeps goes with it")
  func layerCaches() {
    withSandbox {
      let before = (Container.shared.cachedCourier(), Container.shared.singleCourier())
      withLayer {
        $0.courier.register { FakeCourier("layer") }
      } operation: {
        #expect(Container.shared.courier().name == "layer")
        #expect(Container.shared.cachedCourier() !== before.0)
        #expect(Container.shared.singleCourier() !== before.1)
        #expect(Container.shared.cachedCourier() === Container.shared.cachedCourier())
      }
      #expect(Container.shared.cachedCourier() === before.0)
      #expect(Container.shared.singleCourier() === before.1)
    }
  }

  @Test("A pushed layer leaves the singleton that was kept before, whatever it registers or resets")
  func pushedLayerCaches() {
    withSandbox {
      let before = Container.shared.singleCourier()
      let layer = Resolver.push {
        $0.singleCourier.register { FakeCourier("layer") }
        $0.singleCourier.reset()
        $0.singleCourier.register { FakeCourier("layer") }
      }
      #expect(Container.shared.singleCourier().name == "layer")
      Resolver.pop(layer)
      #expect(Container.shared.singleCourier() === before)
    }
  }

  @Test("A double in a layer that is registered anew replaces the singleton that the layer keeps")
  func singletonAnew() {
    var layers: [Resolver] = []
    withLayer {
      layers.append($0)
    } operation: {
      for name in ["first", "second"] {
        layers[0].double(\.singleCourier) { FakeCourier(name) }
        #expect(Container.shared.singleCourier().name == name)
        layers[0].double(\CourierDepot.single) { FakeCourier(name) }
        #expect(CourierDepot.shared.single().name == name)
      }
    }
  }

  @Test("A layer names a container that the root does not reach")
  func named() {
    withLayer {
      $0.double(\CourierDepot.courier) { FakeCourier("named") }
    } operation: {
      #expect(CourierDepot.shared.courier().name == "named")
      #expect(CourierDepot().courier().name == "named")
      #expect(Container.shared.courier().name == "van")
    }
    #expect(CourierDepot.shared.courier().name == "van")
  }

  @Test("A sandbox's root names such a container too, and a later registration wins over it")
  func namedInSandbox() {
    withSandbox {
      Resolver.root.double(\CourierDepot.courier, FakeCourier("named"))
      #expect(CourierDepot.shared.courier().name == "named")
      CourierDepot.shared.courier.register { FakeCourier("later") }
      #expect(CourierDepot.shared.courier().name == "later")
    }
  }

  @Test("A double for a property of the container itself is a registration")
  func ownDouble() {
    withLayer {
      $0.double(\.courier) { FakeCourier("own") }
    } operation: {
      #expect(Container.shared.courier().name == "own")
    }
    withLayer {
      $0.double(\.courier, FakeCourier("an instance"))
    } operation: {
      #expect(Container.shared.courier().name == "an instance")
    }
  }
}
