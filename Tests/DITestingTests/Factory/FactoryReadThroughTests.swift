import DICompatibility
import DIContainer
import DITesting
import Testing

@Suite("Key paths that are asked for in a sandbox before somebody registers outside")
struct FactoryReadThroughTests {
  private let depot = CourierDepot()

  /// Runs with the property known to the container already, with another scope than in the
  /// sandbox, which then has a place of its own for what the declaration makes.
  private func inSandbox(_ operation: (_ outside: ResolutionContext) -> Void) {
    _ = depot.courier()
    withSandbox {
      let outside = ResolutionContext.current
      withSandbox {
        depot.manager.defaultScope = .cached
        #expect(depot.courier() === depot.courier())
        operation(outside)
      }
    }
  }

  @Test("show what a sandbox further out registers")
  func sandbox() {
    inSandbox { outside in
      outside.run { depot.courier.register { FakeCourier("outside") } }
      #expect(depot.courier().name == "outside")
      withSandbox { #expect(depot.courier().name == "outside") }
      withRoot(Resolver()) { #expect(depot.courier().name == "outside") }
    }
  }

  @Test("show what production code registers")
  func base() {
    inSandbox { _ in
      _ = Resolver { _ in depot.courier.register { FakeCourier("production") } }
      #expect(depot.courier().name == "production")
    }
  }

  @Test("show it inside a layer, by which the root's properties are found")
  func layer() {
    withSandbox {
      _ = Resolver { _ in _ = Container.shared.courier() }
      withLayer { _ in
      } operation: {
        let outside = ResolutionContext.current
        withSandbox {
          Container.shared.manager.defaultScope = .cached
          #expect(Container.shared.courier().name == "van")
          outside.run { Container.shared.courier.register { FakeCourier("outside") } }
          #expect(Container.shared.courier().name == "outside")
        }
      }
    }
  }

  @Test("go on showing it when only what was said of contexts is taken back")
  func resetContexts() {
    inSandbox { outside in
      depot.courier.onArg("offline") { FakeCourier("offline") }
      outside.run { depot.courier.register { FakeCourier("outside") } }
      #expect(depot.courier().name == "outside")
      depot.courier.reset(.context)
      #expect(depot.courier().name == "outside")
      depot.manager.reset(options: .context)
      #expect(depot.courier().name == "outside")
    }
  }

  @Test("are modified and taken back with what was registered there")
  func changes() {
    inSandbox { outside in
      outside.run { depot.courier.register { FakeCourier("outside") } }
      var delivered: [String] = []
      depot.decorator { delivered.append(($0 as! any Courier).name) }
      #expect(depot.courier().name == "outside")
      #expect(delivered == ["outside"])
      depot.manager.reset()
      #expect(depot.courier().name == "van")
    }
  }

  @Test(
    "show it after a reset that had nothing to take back, asked for before or not",
    .withoutWarnings, arguments: [true, false], [true, false])
  func reset(isAskedFor: Bool, isOfAll: Bool) {
    withSandbox {
      let outside = ResolutionContext.current
      withSandbox {
        if isAskedFor { _ = depot.courier() }
        if isOfAll { depot.manager.reset() } else { depot.courier.reset() }
        outside.run { depot.courier.register { FakeCourier("outside") } }
        #expect(depot.courier().name == "outside")
        depot.courier.reset()
        outside.run { depot.courier.register { FakeCourier("later") } }
        #expect(depot.courier().name == "van")
        depot.courier.onArg("unset") { FakeCourier("unset") }
        depot.manager.defaultScope = .cached
        #expect(depot.courier().name == "van")
      }
    }
  }

  @Test("keep what they make where a sandbox further out took something back")
  func keptAfterReset() {
    withSandbox {
      depot.courier.register { FakeCourier("double") }
      depot.courier.reset()
      withSandbox {
        depot.manager.defaultScope = .cached
        #expect(depot.courier().name == "van")
        #expect(depot.courier() === depot.courier())
      }
    }
  }

  @Test(
    "leave what the sandbox says of contexts in the sandbox, whatever the default scope becomes")
  func contexts() {
    withSandbox {
      FactoryContext.setArg("offline", forKey: "mode")
      depot.courier.onArg("offline") { FakeCourier("offline") }
      depot.manager.defaultScope = .cached
      #expect(depot.courier().name == "offline")
      depot.manager.defaultScope = nil
    }
    withSandbox {
      FactoryContext.setArg("offline", forKey: "mode")
      #expect(depot.courier().name == "van")
    }
  }
}
