import DITesting
import Testing

extension Container {
  fileprivate var porter: Factory<FakeCourier> { self { FakeCourier("declared") } }
}

@Suite("Contexts that a container has for a property")
struct ContextsBelowTests {
  @Test("apply below a layer that has another, and yield to one of the same kind")
  func sameKind() {
    withSandbox {
      let shared = Container.shared
      shared.porter.onTest { FakeCourier("context") }
      withLayer {
        $0.porter.onTest { FakeCourier("layer") }
      } operation: {
        #expect(shared.porter().name == "layer")
      }
      withLayer {
        $0.porter.onArg("unset") { FakeCourier("unset") }
      } operation: {
        #expect(shared.porter().name == "context")
      }
    }
  }

  @Test("yield to a double that a test registers, if production made them")
  func double() {
    withSandbox {
      let shared = Container.shared
      Resolver.production { shared.porter.onTest { FakeCourier("context") } }
      shared.porter.register { FakeCourier("double") }
      withLayer {
        $0.porter.onArg("offline") { FakeCourier("offline") }
      } operation: {
        #expect(shared.porter().name == "double")
      }
    }
  }

  @Test("do not apply in a sandbox that reset them, whatever it then sets")
  func resetInSandbox() {
    withSandbox {
      let shared = Container.shared
      shared.porter.onTest { FakeCourier("context") }
      withSandbox {
        shared.porter.reset()
        shared.porter.onArg("unset") { FakeCourier("unset") }
        #expect(shared.porter().name == "declared")
      }
      #expect(shared.porter().name == "context")
    }
  }
}
