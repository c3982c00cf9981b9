@testable import DIContainer
import DICompatibility
import DITesting
import TestSupport
import Testing

private final class AutoContainer: DefaultSharedContainer, AutoRegistering {
  let manager = ContainerManager()
  let runs = Lock(0)
  init() {}
  var courier: Factory<any Courier> { self { VanCourier() } }
  var single: Factory<any Courier> { self { VanCourier() }.singleton }
  func autoRegister() {
    runs.withLock { $0 += 1 }
    courier.register { FakeCourier("auto") }
    single.register { FakeCourier("auto") }
  }
}

private final class TypedContainer: DefaultSharedContainer, AutoRegistering {
  let manager = ContainerManager()
  init() {}
  func autoRegister() { register { FakeCourier("typed") as any Courier } }
}

@Suite("Managers of containers")
struct FactoryManagerTests {
  @Test("A pop goes back to what was registered and kept at the push")
  func pushPop() {
    let container = Depot()
    container.courier.register { FakeCourier("one") }
    let parcel = container.parcel()
    container.manager.push()
    #expect(container.courier().name == "one")
    #expect(container.parcel() === parcel)
    container.courier.register { FakeCourier("two") }
    container.parcel.register { Parcel() }
    #expect(container.courier().name == "two")
    #expect(container.parcel() !== parcel)
    container.manager.pop()
    #expect(container.courier().name == "one")
    #expect(container.parcel() === parcel)
    // Without a push there is nothing to go back to.
    container.manager.pop()
    #expect(container.courier().name == "one")
  }

  @Test("A pop leaves what was kept at the push, although it was decorated since")
  func decoratedSince() {
    let container = Container()
    container.register { Parcel() }.scope(.cached)
    let parcel = container.resolve(Parcel.self)
    container.manager.push()
    container.decorate(Parcel.self) { $0 }
    container.manager.pop()
    #expect(container.resolve(Parcel.self) === parcel)
  }

  @Test("A default scope set later leaves the scope that a registration was given")
  func defaultScopeAfterwards() {
    let container = Depot()
    container.courier.scope(.cached).register { FakeCourier("one") }
    container.manager.defaultScope = .unique
    let (first, second) = (container.courier(), container.courier())
    #expect(first as AnyObject === second as AnyObject)
  }

  @Test("A pop brings back nothing that a reset of its scope has released")
  func scopeResetBetween() {
    final class SessionContainer: DefaultSharedContainer {
      static let session = Scope.cache("session")
      let manager = ContainerManager()
      init() {}
      var parcel: Factory<Parcel> { self { Parcel() }.scope(Self.session) }
      var parcelOf: ParameterFactory<Int, Parcel> {
        self { (_: Int) in Parcel() }.scopeOnParameters.scope(Self.session)
      }
    }
    func check() {
      let container = SessionContainer()
      let parcels = (container.parcel(), container.parcelOf(1))
      container.manager.push()
      SessionContainer.session.reset()
      container.manager.pop()
      #expect(container.parcel() !== parcels.0)
      #expect(container.parcelOf(1) !== parcels.1)
    }
    check()
    inSandbox(check)
  }

  @Test("A pop after a push that came before the first use leaves autoRegister to run again")
  func pushBeforeUse() {
    let container = AutoContainer()
    for _ in 0..<2 {
      container.manager.push()
      container.courier.register { FakeCourier("fake") }
      #expect(container.courier().name == "fake")
      container.manager.pop()
    }
    #expect(container.courier().name == "auto")
    container.manager.reset()
    container.manager.push()
    _ = container.courier()
    container.manager.pop()
    #expect(container.courier().name == "auto")
  }

  @Test("A reset keeps registrations by type of a container that declared nothing")
  func resetByType() {
    for options in [FactoryResetOptions.all, .registration, .context, .scope] {
      let container = Resolver()
      container.register { Parcel() }
      container.manager.reset(options: options)
      #expect(container.optional(Parcel.self) != nil)
    }
  }

  @Test("A factory that was made before a reset has what autoRegister registers after it")
  func factoryBeforeReset() {
    let container = AutoContainer()
    let courier = container.courier
    #expect(courier().name == "auto")
    container.manager.reset()
    #expect(courier().name == "auto")
  }

  @Test("autoRegister leaves what was registered by type before as it is")
  func registeredBefore() {
    let container = TypedContainer()
    container.manager.resolver.register { FakeCourier("explicit") as any Courier }
    let courier: (any Courier)? = container.resolve()
    #expect(courier?.name == "explicit")
  }

  @Test("What autoRegister registers by type is there again after a reset", arguments: [1, 2])
  func resetOfRegisteredByType(times: Int) {
    let container = TypedContainer()
    for _ in 0..<times {
      container.manager.reset()
      let courier: (any Courier)? = container.resolve()
      #expect(courier?.name == "typed")
    }
    container.manager.reset(options: .registration)
    let courier: (any Courier)? = container.resolve()
    #expect(courier?.name == "typed")
  }

  @Test("A property that is injected by type is from a container that has run autoRegister")
  func injectedByType() {
    struct Desk {
      @InjectedType(TypedContainer()) var courier: (any Courier)?
    }
    #expect(Desk().courier?.name == "typed")
  }

  @Test("The default scope is that of the moment a service is asked for, registered or not")
  func defaultScope() {
    let container = Depot()
    container.counter.register { Parcel() }
    container.manager.defaultScope = .cached
    let parcel = container.counter()
    #expect(container.counter() === parcel)
    // One that was named stays.
    container.parcel.scope(.unique).register { Parcel() }
    container.manager.defaultScope = .shared
    #expect(container.parcel() !== container.parcel())
    container.manager.defaultScope = nil
    #expect(container.counter() !== container.counter())
  }

  @Test("A pop goes back to all services that were registered as one protocol")
  func pushPopMany() {
    let container = Resolver()
    container.register(name: "one") { FakeCourier("one") }.implements(AnyObject.self)
    container.register(name: "two") { FakeCourier("two") }.implements(AnyObject.self)
    #expect(container.resolveMany(AnyObject.self).count == 2)
    container.manager.push()
    #expect(container.resolveMany(AnyObject.self).count == 2)
    container.manager.pop()
    #expect(container.resolveMany(AnyObject.self).count == 2)
  }

  @Test("A pop does not tear down what was kept at the push, and leaves it to be torn down later")
  func tearDownAfterPop() {
    let container = Depot()
    let closed = Lock([String]())
    func register(_ name: String) {
      container.register { FakeCourier(name) }.scope(.cached).onRelease { courier in
        closed.withLock { $0.append(courier.name) }
      }
    }
    func current() -> FakeCourier? { container.resolve() }
    register("x")
    let first = current()
    container.manager.push()
    container.manager.pop()
    #expect(closed.withLock { $0 } == [])
    #expect(current() === first)
    // The same, where another one took its place meanwhile.
    container.manager.push()
    register("y")
    #expect(current()?.name == "y")
    container.manager.pop()
    #expect(closed.withLock { $0 } == ["y"])
    #expect(current() === first)
    container.manager.reset(scope: .cached)
    #expect(closed.withLock { $0 } == ["y", "x"])
    #expect(current() !== first)
  }

  @Test("A container goes, with all that it kept, although a push has saved its state")
  func deallocatedAfterPush() {
    weak var kept: Parcel?
    weak var core: ContainerCore?
    do {
      let container = Depot()
      kept = container.parcel()
      core = container.manager.core
      container.manager.push()
    }
    #expect(kept == nil)
    #expect(core == nil)
  }

  @Test("What is made after a push is forgotten by the pop")
  func madeAfterPush() {
    let container = Depot()
    container.manager.push()
    let parcel = container.parcel()
    #expect(container.parcel() === parcel)
    container.manager.pop()
    #expect(container.parcel() !== parcel)
  }

  @Test("A reset takes back what was registered, set and kept")
  func reset() {
    let container = Depot()
    let parcel = container.parcel()
    container.courier.register { FakeCourier("registered") }
    container.counter.onTest { Parcel() }
    container.reset()
    #expect(container.courier().name == "depot")
    #expect(container.parcel() !== parcel)
    #expect(container.counter() !== container.counter())
  }

  @Test("A reset of registrations leaves contexts, one of contexts leaves registrations")
  func resetParts() {
    let container = Depot()
    container.courier.register { FakeCourier("registered") }.onTest { FakeCourier("context") }
    container.manager.reset(options: .context)
    #expect(container.courier().name == "registered")
    container.courier.onTest { FakeCourier("context") }
    container.manager.reset(options: .registration)
    #expect(container.courier().name == "context")
    container.manager.reset(options: .context)
    #expect(container.courier().name == "depot")
  }

  @Test("autoRegister runs once, before the first registration or request, and after a reset")
  func autoRegister() {
    let container = AutoContainer()
    #expect(container.courier().name == "auto")
    container.courier.register { FakeCourier("mine") }
    #expect(container.courier().name == "mine")
    #expect(container.runs.withLock { $0 } == 1)
    container.reset()
    #expect(container.courier().name == "auto")
    #expect(container.runs.withLock { $0 } == 2)
    let other = AutoContainer()
    other.courier.register { FakeCourier("first") }
    #expect(other.courier().name == "first")
  }

  @Test("autoRegister does not forget a singleton that another container made")
  func autoRegisterAndSingleton() {
    let one = AutoContainer()
    one.single.register { FakeCourier("mine") }
    #expect(one.single().name == "mine")
    #expect(AutoContainer().single().name == "mine")
  }

  @Test("autoRegister runs once for eight threads, and they wait for it")
  func autoRegisterOnce() {
    for _ in 0..<20 {
      let container = AutoContainer()
      let names = Lock([String]())
      onOwnThreads(8) { _ in
        let name = container.courier().name
        names.withLock { $0.append(name) }
      }
      #expect(names.withLock { $0 } == Array(repeating: "auto", count: 8))
      #expect(container.runs.withLock { $0 } == 1)
    }
  }

  @Test("A container of one's own registers and resolves by type too")
  func byType() {
    let container = Depot()
    let none: Parcel? = container.resolve()
    #expect(none == nil)
    container.register { Parcel() }
    container.factory(Parcel.self)?.scope(.cached)
    let one: Parcel? = container.resolve()
    let two: Parcel? = container.resolve()
    #expect(one != nil)
    #expect(one === two)
  }
}
