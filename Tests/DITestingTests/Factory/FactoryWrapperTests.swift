import DICompatibility
import DIContainer
import DITesting
import TestSupport
import Testing

private final class OtherDepot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var courier: Factory<any Courier> { self { VanCourier() } }
}

private final class Desk {
  @Injected(\.courier) var courier
  @LazyInjected(\.courier) var lazily
  @DynamicInjected(\.courier) var dynamic
  @Injected(\CourierDepot.courier) var depot
}

@Suite("Wrappers by key path")
struct FactoryWrapperTests {
  @Test("Wrappers find the double before and after it is registered")
  func wrappers() {
    withSandbox {
      let before = Desk()
      Container.shared.courier.register { FakeCourier("double") }
      let after = Desk()
      #expect(before.courier.name == "van")
      #expect(before.lazily.name == "double")
      #expect(before.dynamic.name == "double")
      #expect(after.courier.name == "double")
    }
    withLayer {
      $0.double(\CourierDepot.courier) { FakeCourier("named") }
    } operation: {
      #expect(Desk().depot.name == "named")
    }
  }

  @Test("A lazy wrapper that resets what it names does so in the context that it remembers")
  func lazyReset() {
    withSandbox {
      CourierDepot.shared.courier.register { FakeCourier("outside") }
      withSandbox {
        CourierDepot.shared.courier.register { FakeCourier("inside") }
        let lazy = Unchecked(LazyInjected(\CourierDepot.courier))
        let name = onThread { [lazy] in
          lazy.value.resolve(reset: .registration)
          return lazy.value.wrappedValue.name
        }
        #expect(name == "van")
      }
      #expect(CourierDepot.shared.courier().name == "outside")
    }
  }

  @Test("A dynamic property asks the context of each access, else the one it was made in")
  func dynamic() async {
    let outside = Desk()
    #expect(outside.dynamic.name == "van")
    await withSandbox {
      Container.shared.courier.register { FakeCourier("first") }
      let desk = Desk()
      #expect(outside.dynamic.name == "first")
      withSandbox {
        Container.shared.courier.register { FakeCourier("second") }
        #expect(desk.dynamic.name == "second")
        #expect(desk.$dynamic().name == "second")
        #expect(outside.dynamic.name == "second")
      }
      let carried = Unchecked(desk)
      // Where there is no context, what it was made in answers: in full, later doubles included.
      #expect(await Task.detached { carried.value.dynamic.name }.value == "first")
      Container.shared.courier.register { FakeCourier("third") }
      #expect(await Task.detached { carried.value.dynamic.name }.value == "third")
      #expect(desk.dynamic.name == "third")
    }
    #expect(outside.dynamic.name == "van")
  }

  @Test("An assigned shared container answers wrappers and generic code, and no other type")
  func sharedInWrappers() {
    func courier<C: DefaultSharedContainer>(
      of type: C.Type, _ path: KeyPath<C, Factory<any Courier>>
    ) -> String {
      C.shared[keyPath: path]().name
    }
    withSandbox {
      let depot = CourierDepot()
      depot.courier.register { FakeCourier("assigned") }
      CourierDepot.shared = depot
      #expect(Desk().depot.name == "assigned")
      #expect(courier(of: CourierDepot.self, \.courier) == "assigned")
      #expect(OtherDepot.shared.courier().name == "van")
      withSandbox {
        #expect(CourierDepot.shared === depot)
        CourierDepot.shared = CourierDepot()
        #expect(Desk().depot.name == "van")
      }
      #expect(CourierDepot.shared === depot)
      withLayer { _ in
      } operation: {
        CourierDepot.shared = CourierDepot()
        #expect(CourierDepot.shared !== depot)
      }
      #expect(Desk().depot.name == "assigned")
    }
    #expect(Desk().depot.name == "van")
  }
}
