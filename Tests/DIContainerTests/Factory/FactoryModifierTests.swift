import DICompatibility
import DIContainer
import Testing

private final class Journal {
  var lines: [String] = []
}

private final class DecoratedContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  let journal = Lock([String]())
  init() {}
  var parcel: Factory<Parcel> {
    self { Parcel() }
      .decorator { _, isNew in self.journal.withLock { $0.append(isNew ? "new" : "kept") } }
      .cached
  }
}

extension Container {
  fileprivate var declared: Factory<String> {
    self { "declaration" }.onArg("offline") { "declared context" }
  }
  fileprivate var plain: Factory<String> { self { "declaration" } }
  fileprivate var expiringByDuration: Factory<Parcel> {
    self { Parcel() }.cached.timeToLive(.milliseconds(90_500))
  }
  fileprivate var expiring: Factory<Parcel> { self { Parcel() }.cached.timeToLive(60) }
  fileprivate var everlasting: Factory<Parcel> {
    self { Parcel() }.cached.timeToLive(Double.infinity)
  }
  fileprivate var expiringAfterAges: Factory<Parcel> {
    self { Parcel() }.cached.timeToLive(Double.greatestFiniteMagnitude)
  }
  fileprivate var expiringByContainer: Factory<Parcel> {
    self { Parcel() }.scope(.container).timeToLive(60)
  }
}

@Suite("Modifiers")
struct FactoryModifierTests {
  @Test("A decorator sees every instance, new and kept")
  func decorator() {
    let container = DecoratedContainer()
    _ = container.parcel()
    _ = container.parcel()
    #expect(container.journal.withLock { $0 } == ["new", "kept"])
  }

  @Test("A container's decorator runs beside a factory's own")
  func containerDecorator() {
    let container = DecoratedContainer()
    let seen = Journal()
    container.decorator { seen.lines.append("\(type(of: $0))") }
    _ = container.parcel()
    #expect(seen.lines == ["Parcel"])
    #expect(container.journal.withLock { $0 } == ["new"])
    container.decorator(nil)
    _ = container.parcel()
    #expect(seen.lines == ["Parcel"])
  }

  @Test("An instance that nobody asked for in time is made anew")
  func timeToLive() {
    let container = Resolver()
    func later(_ seconds: Double) -> Parcel {
      ExpiryClock.$ahead.withValue(Lock(.seconds(seconds))) { container.expiring() }
    }
    let first = later(0)
    #expect(later(50) === first)
    // Asking started the time anew.
    #expect(later(100) === first)
    #expect(later(161) !== first)
  }

  @Test("The time that an instance lives begins when it is made")
  func timeToLiveAfterLongBuild() {
    let (container, ahead) = (Resolver(), Lock(Duration.zero))
    container.expiring.register {
      ahead.withLock { $0 += .seconds(100) }
      return Parcel()
    }
    ExpiryClock.$ahead.withValue(ahead) {
      let first = container.expiring()
      #expect(container.expiring() === first)
    }
  }

  @Test("An instance that a container keeps of another one's service is made anew likewise")
  func timeToLiveByContainer() {
    let shop = Resolver()
    shop.expiringByContainer.register { Parcel() }
    let front = Resolver(child: shop)
    func later(_ seconds: Double) -> Parcel {
      ExpiryClock.$ahead.withValue(Lock(.seconds(seconds))) { front.expiringByContainer() }
    }
    let first = later(0)
    #expect(later(50) === first)
    #expect(later(111) !== first)
  }

  @Test("The time that an instance lives goes on where the container's state is pushed")
  func timeToLiveAfterPush() {
    let container = Resolver()
    func later(_ seconds: Double) -> Parcel {
      ExpiryClock.$ahead.withValue(Lock(.seconds(seconds))) { container.expiring() }
    }
    let first = later(0)
    container.manager.push()
    #expect(later(61) !== first)
  }

  @Test("A time to live without end, or beyond what a duration holds, keeps an instance for good")
  func endlessTimeToLive() async {
    // In a process of its own, which a duration out of bounds would end.
    await #expect(processExitsWith: .success) {
      let container = Container()
      #expect(container.everlasting() === container.everlasting())
      #expect(container.expiringAfterAges() === container.expiringAfterAges())
    }
  }

  @Test("The time that an instance lives may be a duration")
  func timeToLiveAsDuration() {
    let container = Resolver()
    func later(_ duration: Duration) -> Parcel {
      ExpiryClock.$ahead.withValue(Lock(duration)) { container.expiringByDuration() }
    }
    let first = later(.zero)
    #expect(later(.seconds(60)) === first)
    #expect(later(.seconds(151)) !== first)
  }

  @Test("A context set from outside wins over what was registered in production")
  func contextOverRegistration() {
    let container = Resolver()
    container.plain.register { "registered" }.onTest { "context" }
    #expect(container.plain() == "context")
    container.plain.reset(.context)
    #expect(container.plain() == "registered")
    container.plain.reset(.registration)
    #expect(container.plain() == "declaration")
  }

  @Test("A modifier in a chain with a request counts for it")
  func chained() {
    let container = Resolver()
    #expect(container.plain.onTest { "chained" }.resolve() == "chained")
  }

  @Test("Resetting everything goes back to the declaration")
  func resetAll() {
    let container = Resolver()
    container.plain.scope(.cached).register { "registered" }.onTest { "context" }
    container.plain.reset()
    #expect(container.plain() == "declaration")
  }

  @Test("Resetting the scope forgets what was kept, and nothing else")
  func resetScope() {
    let container = Resolver()
    container.cachedCourier.register { FakeCourier() }
    let first = container.cachedCourier()
    container.cachedCourier.reset(.scope)
    #expect(container.cachedCourier() !== first)
    #expect(container.cachedCourier().name == "fake")
    container.cachedCourier.reset(.none)
    #expect(container.cachedCourier().name == "fake")
  }

  @Test("Resetting a registration forgets the instance kept for it")
  func resetRegistration() {
    let container = Resolver()
    container.cachedCourier.register { FakeCourier() }
    _ = container.cachedCourier()
    container.cachedCourier.reset(.registration)
    #expect(container.cachedCourier().name == "van")
  }
}
