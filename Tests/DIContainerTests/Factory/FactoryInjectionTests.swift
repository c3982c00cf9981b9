import DICompatibility
import DIContainer
import Testing

private final class InjectedContainerType: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var courier: Factory<any Courier> { self { FakeCourier("injected") } }
  var parcel: Factory<Parcel> { self { Parcel() } }
  var cached: Factory<Parcel> { self { Parcel() }.cached }
  var weakly: Factory<Parcel> { self { Parcel() }.shared }
  var maybe: Factory<Parcel?> { self { nil } }
}

private final class Desk {
  @Injected(\.courier) var main
  @Injected(\InjectedContainerType.courier) var courier
  @Injected(\InjectedContainerType.parcel) var parcel
  @LazyInjected(\InjectedContainerType.parcel) var lazily
  @WeakLazyInjected(\InjectedContainerType.weakly) var weakly
  @OptionalInjected(\InjectedContainerType.parcel) var optional
  @OptionalInjected(\InjectedContainerType.maybe) var maybe
  @DynamicInjected(\InjectedContainerType.parcel) var dynamic
  @InjectedContainer(InjectedContainerType.self) var container
}

@Suite("Wrappers by key path")
struct FactoryInjectionTests {
  @Test("An injected property is resolved when its owner is made, and can be resolved anew")
  func injected() {
    let desk = Desk()
    #expect(desk.main.name == "van")
    #expect(desk.courier.name == "injected")
    let parcel = desk.parcel
    #expect(desk.parcel === parcel)
    desk.$parcel.resolve()
    #expect(desk.parcel !== parcel)
    #expect(desk.$parcel.factory != nil)
    let own = Parcel()
    desk.parcel = own
    #expect(desk.parcel === own)
  }

  @Test("A lazy property is resolved once, on first use")
  func lazily() {
    let desk = Desk()
    #expect(desk.$lazily.resolvedOrNil() == nil)
    let parcel = desk.lazily
    #expect(desk.lazily === parcel)
    #expect(desk.$lazily.resolvedOrNil() === parcel)
    desk.$lazily.resolve(reset: .scope)
    #expect(desk.lazily !== parcel)
  }

  @Test("A weak lazy property lets its instance go")
  func weakly() {
    let desk = Desk()
    do {
      let parcel = InjectedContainerType.shared.weakly()
      #expect(desk.weakly === parcel)
    }
    #expect(desk.weakly == nil)
    #expect(desk.$weakly.resolvedOrNil() == nil)
  }

  @Test("An optional property is nil where the factory answers nil")
  func optional() {
    let desk = Desk()
    #expect(desk.optional != nil)
    #expect(desk.maybe == nil)
  }

  @Test("A dynamic property is resolved at every access")
  func dynamic() {
    let desk = Desk()
    #expect(desk.dynamic !== desk.dynamic)
    #expect(desk.$dynamic() !== desk.dynamic)
  }

  @Test("A container is injected, and a service by type from it")
  func container() {
    let desk = Desk()
    #expect(desk.container === InjectedContainerType.shared)
    let depot = Depot()
    #expect(InjectedType<Parcel>(depot).wrappedValue == nil)
    depot.register { Parcel() }
    #expect(InjectedType<Parcel>(depot).wrappedValue != nil)
  }

  @Test("The reset of an injected container takes back what was registered in it")
  func containerReset() {
    final class OwnContainer: DefaultSharedContainer {
      let manager = ContainerManager()
      init() {}
      var courier: Factory<any Courier> { self { FakeCourier("declared") } }
    }
    struct Desk {
      @InjectedContainer(OwnContainer.self) var container
      func reset() { _container.reset() }
    }
    inSandbox {
      let desk = Desk()
      desk.container.courier.register { FakeCourier("registered") }
      desk.reset()
      #expect(desk.container.courier().name == "declared")
    }
  }
}
