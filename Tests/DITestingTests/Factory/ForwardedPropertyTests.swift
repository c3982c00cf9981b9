import DITesting
import Testing

private final class Gate: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

private final class Yard: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

// Properties that return the factory of another container's property.
extension Gate {
  fileprivate var courier: Factory<any Courier> { self { FakeCourier("gate") } }
  fileprivate var single: Factory<any Courier> { self { FakeCourier("gate") }.singleton }
  fileprivate var mainCourier: Factory<any Courier> { Container.shared.courier }
  fileprivate var yardCourier: Factory<any Courier> { Yard.shared.courier }
  fileprivate var backCourier: Factory<any Courier> { Self.backYard.courier }
  /// A container that the root does not reach.
  fileprivate static let backYard = Container()
}

extension Yard {
  fileprivate var courier: Factory<any Courier> { self { FakeCourier("yard") } }
}

extension Container {
  fileprivate var gate: Gate { Gate.shared }
  fileprivate var gateCourier: Factory<any Courier> { Gate.shared.courier }
}

@Suite("A layer's double for a property that returns another container's")
struct ForwardedPropertyTests {
  @Test("is used where the property of one's own container returns the root's")
  func customToRoot() {
    withLayer {
      $0.double(\Gate.mainCourier) { FakeCourier("layer") }
    } operation: {
      #expect(Gate.shared.mainCourier().name == "layer")
      #expect(Container.shared.courier().name == "layer")
    }
    #expect(Gate.shared.mainCourier().name == "van")
  }

  @Test("is used where the property of one's own container returns one that the root is not over")
  func customToUnreached() {
    #expect(Gate.shared.backCourier().name == "van")
    withLayer {
      $0.double(\Gate.backCourier) { FakeCourier("layer") }
    } operation: {
      #expect(Gate.shared.backCourier().name == "layer")
      #expect(Container.shared.courier().name == "van")
      withSandbox {
        Gate.backYard.courier.register { FakeCourier("sandbox") }
        #expect(Gate.shared.backCourier().name == "sandbox")
      }
      #expect(Gate.shared.backCourier().name == "layer")
    }
    #expect(Gate.shared.backCourier().name == "van")
    withLayer {
      $0.decorate(\Gate.backCourier) { FakeCourier("layer over \($0.name)") }
    } operation: {
      #expect(Gate.shared.backCourier().name == "layer over van")
    }
  }

  @Test("ends with the layer where the root's property returns that of one's own container")
  func rootToCustom() {
    withSandbox {
      withLayer {
        $0.double(\.gateCourier) { FakeCourier("layer") }
      } operation: {
        #expect(Container.shared.gateCourier().name == "layer")
        #expect(Gate.shared.courier().name == "layer")
      }
      #expect(Gate.shared.courier().name == "gate")
    }
  }

  @Test("ends with the layer where the key path leads through the other container")
  func nestedPath() {
    withSandbox {
      withLayer {
        $0.double(\.gate.courier) { FakeCourier("layer") }
      } operation: {
        #expect(Container.shared.gate.courier().name == "layer")
      }
      #expect(Gate.shared.courier().name == "gate")
    }
  }

  @Test("is used where both containers are one's own")
  func customToCustom() {
    withLayer {
      $0.double(\Gate.yardCourier) { FakeCourier("layer") }
    } operation: {
      #expect(Gate.shared.yardCourier().name == "layer")
      #expect(Yard.shared.courier().name == "layer")
    }
    #expect(Yard.shared.courier().name == "yard")
  }

  @Test("wraps what that returns")
  func decoration() {
    withSandbox {
      withLayer {
        $0.decorate(\.gateCourier) { FakeCourier("layer over \($0.name)") }
        $0.decorate(\Gate.mainCourier) { FakeCourier("layer over \($0.name)") }
      } operation: {
        #expect(Container.shared.gateCourier().name == "layer over gate")
        #expect(Gate.shared.mainCourier().name == "layer over van")
      }
      #expect(Gate.shared.courier().name == "gate")
      #expect(Container.shared.courier().name == "van")
    }
  }
}

@Suite("A double that main has for a property of another container")
struct DoubleInMainTests {
  @Test("is used whether or not anything is recorded meanwhile")
  func recorded() async {
    // In a process of its own, since it affects all of it.
    await #expect(processExitsWith: .success) {
      #expect(Gate.shared.courier().name == "gate")
      Resolver.main.double(\Gate.courier) { FakeCourier("main") }
      #expect(Gate.shared.courier().name == "main")
      #expect(withRecorder(ResolutionRecorder()) { Gate.shared.courier().name } == "main")
    }
  }
  @Test("takes the place of the one before, be it a singleton")
  func singleton() async {
    await #expect(processExitsWith: .success) {
      for name in ["first", "second"] {
        Resolver.main.double(\Gate.single) { FakeCourier(name) }
        #expect(Gate.shared.single().name == name)
      }
    }
  }
}
