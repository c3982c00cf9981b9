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

  @Test("the default scope of another container")
  func otherContainer() {
    withSandbox {
      Pier.shared.manager.defaultScope = .cached
      withLayer {
        $0.double(\Pier.courier) { FakeCourier("layer") }
      } operation: {
        #expect(Pier.shared.courier() === Pier.shared.courier())
      }
    }
  }
}
