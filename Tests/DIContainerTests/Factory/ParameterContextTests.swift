import DICompatibility
import DIContainer
import Testing

private final class Harbour: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var ferry: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }
      .onArg("storm") { Shipment(number: -$0, customer: "storm") }
  }
  var barge: ParameterFactory<Int, Shipment> { self { Shipment(number: $0) } }
  var crossing: ParameterFactory<(Int, String), Shipment> {
    self { Shipment(number: $0, customer: $1) }
      .onPreview { number, customer in Shipment(number: number, customer: "sample \(customer)") }
  }
  var kept: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.cached
      .onArg("storm") { Shipment(number: $0, customer: "storm") }
  }
  var idle: ParameterFactory<Void, String> { self { _ in "live" } }
}

private func sample(_ number: Int) -> Shipment { Shipment(number: number, customer: "sample") }

@Suite("Contexts of services with a parameter")
struct ParameterContextTests {
  private let harbour = Harbour()

  /// A process that none of the contexts holds for but those that are named.
  private func inProcess(
    _ change: (inout FactoryContext) -> Void = { _ in }, _ body: () -> Void
  ) {
    inSandbox {
      FactoryContext.set(change)
      body()
    }
  }

  @Test("A declaration's context makes the service from the parameter")
  func declared() {
    inProcess {
      #expect(harbour.ferry(7).number == 7)
      FactoryContext.setArg("storm", forKey: "weather")
      #expect(harbour.ferry(7).number == -7)
      FactoryContext.removeArg(forKey: "weather")
      #expect(harbour.ferry(7).number == 7)
    }
  }

  @Test("A context of several parameters takes them one by one")
  func several() {
    inProcess {
      $0.isPreview = true
    } _: {
      #expect(harbour.crossing((7, "Ada")).customer == "sample Ada")
    }
    inProcess {
      #expect(harbour.crossing((7, "Ada")).customer == "Ada")
    }
  }

  @Test(
    "Each kind of context answers where it holds, and only there",
    arguments: ["arg", "args", "preview", "test", "debug", "simulator", "device", "context"])
  func kinds(kind: String) {
    func say(_ harbour: Harbour) {
      switch kind {
      case "arg": harbour.barge.onArg("storm") { Shipment(number: $0, customer: kind) }
      case "args": harbour.barge.onArgs(["fog", "storm"]) { Shipment(number: $0, customer: kind) }
      case "preview": harbour.barge.onPreview { Shipment(number: $0, customer: kind) }
      case "test": harbour.barge.onTest { Shipment(number: $0, customer: kind) }
      case "debug": harbour.barge.onDebug { Shipment(number: $0, customer: kind) }
      case "simulator": harbour.barge.onSimulator { Shipment(number: $0, customer: kind) }
      case "device": harbour.barge.onDevice { Shipment(number: $0, customer: kind) }
      default: harbour.barge.context(.arg("fog"), .test) { Shipment(number: $0, customer: kind) }
      }
    }
    inProcess {
      switch kind {
      case "arg", "args": $0.arguments.append("storm")
      case "preview": $0.isPreview = true
      case "test", "context": $0.isTest = true
      case "debug": $0.isDebug = true
      case "device": $0.isSimulator = false
      default: break
      }
    } _: {
      say(harbour)
      #expect(harbour.barge(7).customer == kind)
      #expect(harbour.barge(7).number == 7)
    }
    inProcess {
      if kind == "simulator" { $0.isSimulator = false }
    } _: {
      say(harbour)
      #expect(harbour.barge(7).customer == "")
    }
  }

  @Test("A function answers as a closure does, and a parameter of nothing takes either")
  func functions() {
    inProcess {
      $0.isTest = true
    } _: {
      harbour.barge.onTest(factory: sample)
      #expect(harbour.barge(7).customer == "sample")
      harbour.idle.onTest { "closure" }
      #expect(harbour.idle(()) == "closure")
      harbour.idle.onTest { _ in "with the parameter" }
      #expect(harbour.idle(()) == "with the parameter")
    }
  }

  @Test("A context from outside stays with the container until it is reset")
  func outside() {
    inProcess {
      $0.isTest = true
    } _: {
      harbour.barge.onTest { Shipment(number: $0, customer: "test") }
      #expect(harbour.barge(7).customer == "test")
      #expect(Harbour().barge(7).customer == "")
      harbour.barge.register { Shipment(number: $0, customer: "registered") }
      harbour.barge.reset(.context)
      #expect(harbour.barge(7).customer == "registered")
      harbour.barge.onTest { Shipment(number: $0, customer: "test") }
      harbour.barge.reset()
      #expect(harbour.barge(7).customer == "")
    }
  }

  @Test("What a context makes is kept by parameter where the service is")
  func kept() {
    inProcess {
      FactoryContext.setArg("storm", forKey: "weather")
      let seven = harbour.kept(7)
      #expect(seven.customer == "storm")
      #expect(harbour.kept(7) === seven)
      #expect(harbour.kept(8) !== seven)
    }
  }
}
