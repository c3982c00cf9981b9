import DICompatibility
import DIContainer
import DITesting
import Testing

private final class FormsDepot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var parcel: Factory<Parcel> { self { Parcel() } }
  var shipment: ParameterFactory<Int, Shipment> { makes { Shipment(number: $0) } }
  var sharedShipment: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.shared
  }
  var singleShipment: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.singleton
  }
  var promisedShipment: ParameterFactory<Int, Shipment?> { promised() }
  var promisedParcel: Factory<Parcel?> { promised() }
  var greeting: Factory<String> {
    self { "declaration" }.context(.arg("forms")) { "context" }
  }
}

/// Each form in which a property is declared, registered and changed.
@Suite("Forms by key path")
struct FactoryFormsTests {
  private let depot = FormsDepot()

  @Test("A closure after the property registers it")
  func closures() {
    let parcel = Parcel()
    depot.parcel { parcel }
    #expect(depot.parcel() === parcel)
    depot.shipment { Shipment(number: $0 * 10) }
    #expect(depot.shipment(7).number == 70)
  }

  @Test("A service with a parameter is declared with makes, too")
  func makes() {
    #expect(depot.shipment(7).number == 7)
    #expect(depot.shipment(7) !== depot.shipment(7))
  }

  @Test("A promised service with a parameter is nil until it is registered")
  func promised() {
    #expect(depot.promisedShipment(7) == nil)
    depot.promisedShipment.register { Shipment(number: $0) }
    #expect(depot.promisedShipment(7)?.number == 7)
  }

  @Test("What is shared by parameter goes with its last holder")
  func sharedByParameter() {
    var seven: Shipment? = depot.sharedShipment(7)
    #expect(depot.sharedShipment(7) === seven)
    #expect(depot.sharedShipment(8) !== seven)
    weak let weakly = seven
    seven = nil
    #expect(weakly == nil)
  }

  @Test("A singleton with a parameter is one for the container's type")
  func singleByParameter() {
    inSandbox {
      let seven = depot.singleShipment(7)
      #expect(depot.singleShipment(7) === seven)
      #expect(depot.singleShipment(8) !== seven)
      #expect(FormsDepot().singleShipment(7) === seven)
      depot.manager.reset()
      #expect(depot.singleShipment(7) === seven)
      depot.manager.push()
      #expect(depot.singleShipment(7) === seven)
      depot.manager.pop()
      #expect(depot.singleShipment(7) === seven)
      FormsDepot().singleShipment.reset(.scope)
      #expect(depot.singleShipment(7) !== seven)
    }
  }

  @Test("A sandbox never sees a singleton with a parameter from outside, and leaves none")
  func singleByParameterInSandbox() {
    let live = depot.singleShipment(9)
    inSandbox {
      let own = depot.singleShipment(9)
      #expect(own !== live)
      #expect(FormsDepot().singleShipment(9) === own)
      _ = depot.singleShipment(10)
    }
    #expect(FormsDepot().singleShipment(9) === live)
    weak let left = inSandbox { depot.singleShipment(10) }
    #expect(left == nil)
  }

  @Test("What is registered is in the scope of the factory that registers it")
  func scopeOfRegistered() {
    depot.parcel.cached.register { Parcel() }
    #expect(depot.parcel() === depot.parcel())
    depot.parcel.unique.register { Parcel() }
    #expect(depot.parcel() !== depot.parcel())
    depot.parcel.shared.register { Parcel() }
    let parcel = depot.parcel()
    #expect(depot.parcel() === parcel)
    depot.shipment.cached.register { Shipment(number: $0) }
    #expect(depot.shipment(7) === depot.shipment(8))
  }

  @Test("A container says which scope its services have by default")
  func defaultScope() {
    #expect(depot.manager.defaultScope == nil)
    depot.manager.defaultScope = .cached
    #expect(depot.manager.defaultScope === Scope.cached)
    #expect(depot.parcel() === depot.parcel())
  }

  @Test("Pop brings back what the container said about scopes and decorators")
  func popSettings() {
    var decorated = 0
    depot.manager.push()
    depot.manager.defaultScope = .cached
    depot.decorator { _ in decorated += 1 }
    _ = depot.parcel()
    #expect(decorated == 1)
    depot.manager.pop()
    #expect(depot.manager.defaultScope == nil)
    _ = depot.parcel()
    #expect(decorated == 1)
  }

  @Test("A container is handed to a closure, and comes back")
  func with() {
    let same = depot.with { $0.parcel.scope(.cached).register { Parcel() } }
    #expect(same === depot)
    #expect(depot.parcel() === depot.parcel())
  }

  @Test("A double is registered by type, as a closure or an instance, and by property")
  func doubles() {
    let resolver = Resolver { r in r.register { Parcel() } }
    inSandbox {
      let parcel = Parcel()
      resolver.double(Parcel.self, parcel)
      #expect(resolver.resolve(Parcel.self) === parcel)
      resolver.double { Parcel() }
      #expect(resolver.resolve(Parcel.self) !== parcel)
      Resolver.root.double(\FormsDepot.shipment) { Shipment(number: -$0) }
      #expect(depot.shipment(7).number == -7)
      Resolver.root.double(\FormsDepot.parcel, parcel)
      #expect(depot.parcel() === parcel)
    }
    #expect(depot.shipment(7).number == 7)
  }
}

private final class FormsDesk {
  @InjectedContainer var container
  @WeakLazyInjected(\.sharedCourier) var courier
  @LazyInjected var parcel: Parcel
  @WeakLazyInjected var weakParcel: Parcel?
  @OptionalInjected var optional: Parcel?
  @InjectedType var byType: Parcel?
}

@Suite("Forms of injected properties")
struct InjectedFormsTests {
  @Test("A weak lazy property by key path is resolved anew on demand, after a reset if need be")
  func weakly() {
    inSandbox {
      let desk = FormsDesk()
      let first = desk.$courier.factory?()
      #expect(desk.courier === first)
      withExtendedLifetime(first) {
        desk.$courier.resolve(reset: .scope)
        #expect(desk.courier == nil)
      }
    }
  }

  @Test("The shared container is held, and reset, by a property")
  func container() {
    inSandbox {
      let container = Resolver()
      Container.shared = container
      var desk = InjectedContainer()
      #expect(desk.wrappedValue === container)
      #expect(FormsDesk().container === container)
      container.cachedCourier.register { FakeCourier() }
      #expect(container.cachedCourier().name == "fake")
      desk.reset(options: .registration)
      #expect(container.cachedCourier().name == "van")
      desk = InjectedContainer()
    }
  }

  @Test("What a wrapper asks is changed by assigning another wrapper")
  func projected() {
    inSandbox {
      let (main, other) = (Parcel(), Parcel())
      Resolver.register { main }
      let resolver = Resolver { r in r.register { other } }
      let desk = FormsDesk()
      desk.$parcel = LazyInjected(container: resolver)
      #expect(desk.parcel === other)
      desk.$weakParcel = WeakLazyInjected(container: resolver)
      #expect(desk.weakParcel === other)
      desk.$weakParcel.container = nil
      desk.$weakParcel.release()
      #expect(desk.weakParcel === main)
      #expect(desk.optional === main)
      desk.$optional = OptionalInjected(container: resolver)
      #expect(desk.optional === other)
      #expect(desk.byType === main)
      desk.byType = other
      #expect(desk.byType === other)
    }
  }
}
