import DITesting
import Testing

extension Container {
  fileprivate var porter: Factory<FakeCourier> { self { FakeCourier("declared") } }
}

@Suite("Settings that a container has for a property")
struct SettingsBelowTests {
  @Test("apply below a layer that has others")
  func layer() {
    withSandbox {
      let shared = Container.shared
      shared.porter.onTest { FakeCourier("context") }.scope(.cached)
      withLayer {
        $0.porter.decorator { _ in }
      } operation: {
        #expect(shared.porter().name == "context")
        #expect(shared.porter() === shared.porter())
      }
      withLayer {
        $0.porter.timeToLive(60)
      } operation: {
        #expect(shared.porter().name == "context")
        #expect(shared.porter() === shared.porter())
      }
    }
  }

  @Test("apply below a layer in a layer, each with others")
  func layers() {
    withSandbox {
      let shared = Container.shared
      var seen: [String] = []
      shared.porter.onTest { FakeCourier("context") }
      withLayer {
        $0.porter.decorator { seen.append($0.name) }
      } operation: {
        withLayer {
          $0.porter.scope(.cached)
        } operation: {
          #expect(shared.porter() === shared.porter())
        }
      }
      #expect(seen == ["context", "context"])
    }
  }

  @Test("apply where a container that nests it has others")
  func nested() {
    let nested = Container()
    let container = Resolver(child: nested)
    nested.porter.onTest { FakeCourier("context") }
    container.porter.decorator { _ in }
    #expect(container.porter().name == "context")
  }

  @Test("yield to those of the same kind that a layer has")
  func sameKind() {
    withSandbox {
      let shared = Container.shared
      var seen: [String] = []
      shared.porter.onTest { FakeCourier("context") }.scope(.cached)
      shared.porter.decorator { _ in seen.append("below") }
      withLayer {
        $0.porter.onTest { FakeCourier("layer") }.scope(.unique)
        $0.porter.decorator { _ in seen.append("layer") }
      } operation: {
        #expect(shared.porter().name == "layer")
        #expect(shared.porter() !== shared.porter())
      }
      #expect(seen == ["layer", "layer", "layer"])
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
        shared.porter.decorator { _ in }
        #expect(shared.porter().name == "declared")
      }
      #expect(shared.porter().name == "context")
    }
  }
}
