import DIContainer
import DITesting
import Testing

@Suite("Parameters by key path")
struct FactoryParameterTests {
  @Test("A kept instance is made with the first parameter")
  func kept() {
    let container = Resolver()
    #expect(container.keptShipment(6).number == 6)
    #expect(container.keptShipment(7).number == 6)
  }

  @Test("A scope on parameters keeps one instance for each")
  func scopeOnParameters() {
    let container = Resolver()
    let six = container.shipmentByNumber(6)
    #expect(container.shipmentByNumber(7).number == 7)
    #expect(container.shipmentByNumber(6) === six)
    container.shipmentByNumber.reset(.scope)
    #expect(container.shipmentByNumber(6) !== six)
  }

  @Test("A closure for a tuple may take its elements one by one, in a registration as well")
  func tupleElements() {
    let resolver = Resolver()
    #expect(resolver.addressedByElements((3, "Ada")).customer == "Ada")
    resolver.addressed.register { number, customer in
      Shipment(number: number + 1, customer: customer + "!")
    }
    #expect(resolver.addressed((3, "Ada")).number == 4)
    #expect(resolver.addressed.resolve((3, "Ada")).customer == "Ada!")
    inSandbox {
      resolver.double(\.addressed) { Shipment(number: -$0.0, customer: $0.1) }
      #expect(resolver.addressed((3, "Ada")).number == -3)
    }
    #expect(resolver.addressed((3, "Ada")).number == 4)
    resolver.addressed.reset()
    #expect(resolver.addressed((3, "Ada")).customer == "Ada")
  }

  @Test("A tuple with labels, and no parameter at all, are parameters too")
  func otherParameters() {
    let resolver = Resolver()
    #expect(resolver.labelled((number: 4, customer: "Bob")).customer == "Bob")
    #expect(resolver.unparameterised(()).number == 1)
    #expect(resolver.unparameterised(()) === resolver.unparameterised(()))
  }

  @Test("Several parameters are a tuple")
  func tuple() {
    let shipment = Resolver().addressed((3, "Ada"))
    #expect(shipment.number == 3)
    #expect(shipment.customer == "Ada")
  }

  @Test("Parameters that collide by hash are told apart, and let go with the container")
  func colliding() {
    let container = Resolver()
    weak var weakly: Colliding?
    do {
      let (one, two) = (Colliding(1), Colliding(2))
      weakly = one
      #expect(container.byColliding(one).number == 1)
      #expect(container.byColliding(two).number == 2)
      #expect(container.byColliding(one) === container.byColliding(Colliding(1)))
    }
    #expect(weakly != nil)
    container.manager.reset(options: .scope)
    #expect(weakly == nil)
  }

  @Test("A sandbox keeps by parameter, resets and lets go on its own")
  func sandboxed() {
    let container = Resolver()
    let live = container.shipmentByNumber(6)
    weak var weakly: Colliding?
    inSandbox {
      let own = container.shipmentByNumber(6)
      #expect(own !== live)
      #expect(container.shipmentByNumber(6) === own)
      container.shipmentByNumber.reset(.scope)
      #expect(container.shipmentByNumber(6) !== own)
      let parameter = Colliding(1)
      weakly = parameter
      _ = container.byColliding(parameter)
    }
    #expect(container.shipmentByNumber(6) === live)
    #expect(weakly == nil)
  }

  @Test("A sandbox forgets what it kept by parameter for a registration that is replaced in it")
  func replacedInSandbox() {
    let container = Resolver()
    let live = container.shipmentByNumber(6)
    inSandbox {
      weak let ofDeclaration = container.shipmentByNumber(6)
      #expect(ofDeclaration != nil)
      container.shipmentByNumber.register { Shipment(number: $0 * 10) }
      #expect(ofDeclaration == nil)
      weak let double = container.shipmentByNumber(6)
      #expect(double?.number == 60)
      container.shipmentByNumber.register { Shipment(number: $0 * 100) }
      #expect(double == nil)
      #expect(container.shipmentByNumber(6).number == 600)
    }
    #expect(container.shipmentByNumber(6) === live)
  }

  @Test("What is kept by parameter is there again after push and pop")
  func pushed() {
    let container = Resolver()
    let six = container.shipmentByNumber(6)
    container.manager.push()
    #expect(container.shipmentByNumber(6) === six)
    container.shipmentByNumber.reset(.scope)
    #expect(container.shipmentByNumber(6) !== six)
    container.manager.pop()
    #expect(container.shipmentByNumber(6) === six)
  }

  @Test("One resolution cycle shares the instances for a parameter")
  func graphByParameter() {
    let container = Resolver()
    let (one, two, other) = container.waybill()
    #expect(one === two)
    #expect(one !== other)
    #expect(container.waybill().0 !== one)
  }

  @Test("A cycle shares one instance for a parameter, also where comparing parameters resolves it")
  func graphComparing() {
    let (whileComparing, one, again) = Resolver().comparingWaybill()
    #expect(whileComparing === one)
    #expect(again === one)
  }

  @Test("What is registered gets the parameter too")
  func registered() {
    let container = Resolver()
    container.shipment.register { Shipment(number: $0 * 10) }
    #expect(container.shipment(7).number == 70)
  }
}

private final class Colliding: Hashable {
  let number: Int
  init(_ number: Int) { self.number = number }
  static func == (left: Colliding, right: Colliding) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

/// A parameter that runs a closure whenever it is compared.
private final class Comparing: Hashable {
  let number: Int
  private let whenCompared: () -> Void
  init(_ number: Int, whenCompared: @escaping () -> Void = {}) {
    (self.number, self.whenCompared) = (number, whenCompared)
  }
  static func == (left: Comparing, right: Comparing) -> Bool {
    right.whenCompared()
    return left.number == right.number
  }
  func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

extension Container {
  fileprivate var keptShipment: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.cached
  }
  fileprivate var shipmentByNumber: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.cached
  }
  fileprivate var addressed: ParameterFactory<(Int, String), Shipment> {
    self { Shipment(number: $0.0, customer: $0.1) }
  }
  fileprivate var addressedByElements: ParameterFactory<(Int, String), Shipment> {
    self { Shipment(number: $0, customer: $1) }
  }
  fileprivate var labelled: ParameterFactory<(number: Int, customer: String), Shipment> {
    self { Shipment(number: $0.number, customer: $0.customer) }
  }
  fileprivate var unparameterised: ParameterFactory<Void, Shipment> {
    self { (_: Void) in Shipment(number: 1) }.cached
  }
  fileprivate var shipmentOfCycle: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.graph
  }
  fileprivate var waybill: Factory<(Shipment, Shipment, Shipment)> {
    self { (self.shipmentOfCycle(1), self.shipmentOfCycle(1), self.shipmentOfCycle(2)) }
  }
  fileprivate var ofCycleComparing: ParameterFactory<Comparing, Shipment> {
    self { Shipment(number: $0.number) }.scopeOnParameters.graph
  }
  fileprivate var comparingWaybill: Factory<(Shipment, Shipment, Shipment)> {
    self {
      _ = self.ofCycleComparing(Comparing(2))
      var nested: Shipment?
      let one = self.ofCycleComparing(
        Comparing(1) { if nested == nil { nested = self.ofCycleComparing(Comparing(1)) } })
      return (nested!, one, self.ofCycleComparing(Comparing(1)))
    }
  }
  fileprivate var byColliding: ParameterFactory<Colliding, Shipment> {
    self { Shipment(number: $0.number) }.scopeOnParameters.cached
  }
}
