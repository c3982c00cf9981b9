import DICompatibility
import DIContainer
import Testing

@Suite("Services declared as properties")
struct FactoryTests {
  @Test("A declaration answers where nothing is registered")
  func declaration() {
    #expect(Resolver().courier().name == "van")
  }

  @Test("What is registered for the property answers instead")
  func registered() {
    let container = Resolver()
    container.courier.register { FakeCourier() }
    #expect(container.courier().name == "fake")
    #expect(container.dispatch().courier.name == "fake")
  }

  @Test("A cached service is made once per container")
  func cached() {
    let (one, two) = (Resolver(), Resolver())
    #expect(one.cachedCourier() === one.cachedCourier())
    #expect(one.cachedCourier() !== two.cachedCourier())
  }

  @Test("Registering forgets what was kept")
  func registeringForgets() {
    let container = Resolver()
    let first = container.cachedCourier()
    container.cachedCourier.register { FakeCourier() }
    #expect(container.cachedCourier().name == "fake")
    #expect(container.cachedCourier() !== first)
    #expect(container.cachedCourier() === container.cachedCourier())
  }

  @Test("A container on top of another overrides a property by a registration")
  func nested() {
    let below = Resolver()
    let above = Resolver(child: below)
    below.courier.register { FakeCourier("below") }
    #expect(above.courier().name == "below")
    #expect(above.dispatch().courier.name == "below")
    above.courier.register { FakeCourier("above") }
    #expect(above.dispatch().courier.name == "above")
    #expect(below.dispatch().courier.name == "below")
  }

  @Test("A parameter reaches the closure")
  func parameter() {
    #expect(Resolver().shipment(7).number == 7)
  }
}

@Suite("A container handed to a closure")
struct FactoryTransformTests {
  @Test("A closure called on the container registers in it")
  func transform() async {
    let container = Resolver()
    container { $0.courier.register { FakeCourier() } }
    #expect(container.courier().name == "fake")
    await container.with { container in
      await Task.yield()
      container.courier.register { FakeCourier("async") }
    }
    #expect(container.courier().name == "async")
  }

  @Test("A container made with a closure is a container")
  func made() {
    let container = Resolver { $0.courier.register { FakeCourier() } }
    #expect(container.courier().name == "fake")
    let other = Resolver { r in
      r.courier.register { FakeCourier("other") }
      r.register { Parcel() }
    }
    #expect(other.courier().name == "other")
  }
}
