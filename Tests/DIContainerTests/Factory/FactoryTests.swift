import DIContainer
import Testing

@Suite("Services declared as properties")
struct FactoryTests {
  @Test("A declaration answers where nothing is registered")
  func declaration() {
    #expect(Resolver().payments().name == "card")
  }

  @Test("What is registered for the property answers instead")
  func registered() {
    let container = Resolver()
    container.payments.register { FakePayments() }
    #expect(container.payments().name == "fake")
    #expect(container.till().payments.name == "fake")
  }

  @Test("A cached service is made once per container")
  func cached() {
    let (one, two) = (Resolver(), Resolver())
    #expect(one.cachedPayments() === one.cachedPayments())
    #expect(one.cachedPayments() !== two.cachedPayments())
  }

  @Test("Registering forgets what was kept")
  func registeringForgets() {
    let container = Resolver()
    let first = container.cachedPayments()
    container.cachedPayments.register { FakePayments() }
    #expect(container.cachedPayments().name == "fake")
    #expect(container.cachedPayments() !== first)
    #expect(container.cachedPayments() === container.cachedPayments())
  }

  @Test("A container on top of another overrides a property by a registration")
  func nested() {
    let below = Resolver()
    let above = Resolver(child: below)
    below.payments.register { FakePayments("below") }
    #expect(above.payments().name == "below")
    #expect(above.till().payments.name == "below")
    above.payments.register { FakePayments("above") }
    #expect(above.till().payments.name == "above")
    #expect(below.till().payments.name == "below")
  }

  @Test("A parameter reaches the closure")
  func parameter() {
    #expect(Resolver().order(7).number == 7)
  }
}

@Suite("A container handed to a closure")
struct FactoryTransformTests {
  @Test("A closure called on the container registers in it")
  func transform() async {
    let container = Resolver()
    container { $0.payments.register { FakePayments() } }
    #expect(container.payments().name == "fake")
    await container { $0.payments.register { FakePayments("async") } }
    #expect(container.payments().name == "async")
  }

  @Test("A container made with a closure is a container")
  func made() {
    let container = Resolver { $0.payments.register { FakePayments() } }
    #expect(container.payments().name == "fake")
    let other = Resolver { r in
      r.payments.register { FakePayments("other") }
      r.register { Basket() }
    }
    #expect(other.payments().name == "other")
  }
}
