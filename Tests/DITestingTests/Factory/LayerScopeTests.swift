import DITesting
import Testing

extension Container {
  fileprivate var postman: Factory<any Courier> { self { VanCourier() } }
}

private final class Pier: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var courier: Factory<any Courier> { self { VanCourier() } }
}

@Suite("A layer's double for a property is in the scope that the service has without it:")
struct LayerScopeTests {
  @Test("the default scope of the root")
  func defaultScope() {
    withSandbox {
      Container.shared.manager.defaultScope = .cached
      withLayer {
        $0.postman.register { FakeCourier("layer") }
      } operation: {
        #expect(Container.shared.postman().name == "layer")
        #expect(Container.shared.postman() === Container.shared.postman())
      }
    }
  }

  @Test("the scope that was set from outside")
  func outside() {
    withSandbox {
      Container.shared.postman.scope(.cached)
      withLayer {
        $0.postman.register { FakeCourier("layer") }
      } operation: {
        #expect(Container.shared.postman().name == "layer")
        #expect(Container.shared.postman() === Container.shared.postman())
      }
    }
  }

  @Test("the scope that an enclosing layer has set")
  func layer() {
    withLayer {
      $0.postman.scope(.cached)
    } operation: {
      withLayer {
        $0.postman.register { FakeCourier("layer") }
      } operation: {
        #expect(Container.shared.postman().name == "layer")
        #expect(Container.shared.postman() === Container.shared.postman())
      }
    }
  }

  @Test("the scope that another container has set, or its default one")
  func otherContainer() {
    withSandbox {
      Pier.shared.courier.scope(.cached)
      withLayer {
        $0.double(\Pier.courier) { FakeCourier("layer") }
      } operation: {
        #expect(Pier.shared.courier().name == "layer")
        #expect(Pier.shared.courier() === Pier.shared.courier())
      }
      Pier.shared.courier.reset()
      Pier.shared.manager.defaultScope = .cached
      withLayer {
        $0.double(\Pier.courier) { FakeCourier("layer") }
      } operation: {
        #expect(Pier.shared.courier() === Pier.shared.courier())
      }
    }
  }

  @Test("unless the layer sets another one")
  func ofItsOwn() {
    withSandbox {
      Container.shared.manager.defaultScope = .cached
      withLayer {
        $0.postman.register { FakeCourier("layer") }.scope(.unique)
      } operation: {
        #expect(Container.shared.postman() !== Container.shared.postman())
      }
      withLayer {
        $0.postman.scope(.unique)
        $0.postman.register { FakeCourier("layer") }
      } operation: {
        #expect(Container.shared.postman() !== Container.shared.postman())
      }
    }
  }
}
