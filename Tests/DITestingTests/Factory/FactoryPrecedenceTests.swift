import DICompatibility
import DIContainer
import DITesting
import Testing

@Suite("Who wins by key path")
struct FactoryPrecedenceTests {
  @Test("A double wins over contexts, a context over what production registered")
  func doubleOverContext() {
    let container = Resolver()
    container.plain.register { "registered" }.onTest { "context" }
    #expect(container.plain() == "context")
    withSandbox {
      #expect(container.plain() == "context")
      container.plain.register { "double" }
      #expect(container.plain() == "double")
    }
    #expect(container.plain() == "context")
  }

  @Test("A layer's double for a property of any container wins over the declaration's contexts")
  func layerOverDeclaredContext() {
    func check(_ name: String) {
      withLayer {
        $0.double(\CourierDepot.contextual) { "double" }
      } operation: {
        #expect(CourierDepot().contextual() == "double", "in the layer, \(name)")
        withSandbox { #expect(CourierDepot().contextual() == "double", "in a sandbox, \(name)") }
        let depot = CourierDepot()
        withSandbox { #expect(depot.contextual() == "double", "in a sandbox, \(name)") }
      }
    }
    withSandbox {
      check("before")
      FactoryContext.setArg("offline", forKey: "mode")
      #expect(CourierDepot().contextual() == "context")
      check("after")
    }
  }

  @Test("A context that the test sets after its double wins over it")
  func laterContext() {
    withSandbox {
      Container.shared.plain.register { "double" }
      #expect(Container.shared.plain() == "double")
      Container.shared.plain.onTest { "context" }
      #expect(Container.shared.plain() == "context")
      Container.shared.plain.register { "last" }
      #expect(Container.shared.plain() == "last")
    }
  }

  @Test("A context of the declaration wins over the declaration, a double over both")
  func declaredContext() {
    withSandbox {
      #expect(Container.shared.contextual() == "declaration")
      FactoryContext.setArg("offline", forKey: "mode")
      #expect(Container.shared.contextual() == "declared context")
      Container.shared.contextual.register { "double" }
      #expect(Container.shared.contextual() == "double")
    }
    #expect(Container.shared.contextual() == "declaration")
  }

  @Test("The same holds for a service with a parameter")
  func contextWithParameter() {
    withSandbox {
      FactoryContext.setArg("offline", forKey: "mode")
      #expect(Container.shared.label(7) == "context 7")
      Container.shared.label.register { "double \($0)" }
      #expect(Container.shared.label(7) == "double 7")
      Container.shared.label.onArg("offline") { "later \($0)" }
      #expect(Container.shared.label(7) == "later 7")
      withSandbox {
        Container.shared.label.onArg("offline") { "inner \($0)" }
        #expect(Container.shared.label(7) == "inner 7")
      }
      #expect(Container.shared.label(7) == "later 7")
    }
    #expect(Container.shared.label(7) == "label 7")
  }

  @Test("Process arguments that a sandbox sets are its own")
  func arguments() {
    withSandbox {
      FactoryContext.setArg("offline", forKey: "mode")
      withSandbox {
        #expect(Container.shared.contextual() == "declared context")
        FactoryContext.removeArg(forKey: "mode")
        #expect(Container.shared.contextual() == "declaration")
      }
      #expect(Container.shared.contextual() == "declared context")
    }
    #expect(Container.shared.contextual() == "declaration")
  }

  @Test("Kinds of contexts have an order: arguments, test, debug")
  func kinds() {
    withSandbox {
      FactoryContext.current.isTest = true
      FactoryContext.current.isDebug = true
      let container = Resolver()
      container.plain.onDebug { "debug" }
      #expect(container.plain() == "debug")
      container.plain.onTest { "test" }
      #expect(container.plain() == "test")
      container.plain.onArgs(["offline", "slow"]) { "argument" }
      #expect(container.plain() == "test")
      FactoryContext.setArg("slow", forKey: "mode")
      #expect(container.plain() == "argument")
    }
  }

  @Test("A container-wide decorator applies to everything")
  func decorators() {
    withSandbox {
      let depot = CourierDepot()
      var seen: [String] = []
      depot.decorator { seen.append("container: \(($0 as! any Courier).name)") }
      _ = depot.courier()
      depot.courier.register { FakeCourier("double") }
      _ = depot.courier()
      #expect(seen == ["container: van", "container: double"])
    }
  }
}
