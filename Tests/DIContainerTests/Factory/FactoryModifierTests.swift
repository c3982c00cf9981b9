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

  @Test("A decorator of what was registered is not called for what another registration makes")
  func decoratorOfAnother() {
    let container = Resolver()
    let seen = Journal()
    container.plain.register { "registered" }.decorator { seen.lines.append($0) }
    let layer = Resolver(child: container)
    layer.plain.register { "layer" }
    #expect(layer.plain() == "layer")
    #expect(seen.lines == [])
    #expect(container.plain() == "registered")
    #expect(seen.lines == ["registered"])
  }

  @Test("A decorator of what was registered goes with it")
  func decoratorOfReplaced() {
    let container = Resolver()
    let seen = Journal()
    container.plain.register { "one" }.decorator { seen.lines.append($0) }
    container.plain.register { "two" }
    #expect(container.plain() == "two")
    #expect(seen.lines == [])
  }

  @Test("A decorator that another replaces is released, also beside a registration")
  func decoratorReleased() {
    let container = Container()
    weak var released: Journal?
    do {
      let journal = Journal()
      released = journal
      _ = container.plain()
      container.plain.decorator { journal.lines.append($0) }
      _ = container.plain()
      #expect(journal.lines == ["declaration"])
      container.plain.register { "registered" }
      container.plain.decorator { _ in }
    }
    #expect(released == nil)
    #expect(container.plain() == "registered")
  }

  @Test("A decorator that was set alone is called for what any registration makes")
  func decoratorOfAll() {
    let container = Resolver()
    let seen = Journal()
    container.plain.decorator { seen.lines.append($0) }
    let layer = Resolver(child: container)
    layer.plain.register { "layer" }
    #expect(layer.plain() == "layer")
    #expect(seen.lines == ["layer"])
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

  @Test("A decorator of what was registered takes the place of the declaration's")
  func registeredDecorator() {
    let container = DecoratedContainer()
    let seen = Journal()
    container.parcel.register { Parcel() }.decorator { _ in seen.lines.append("own") }
    _ = container.parcel()
    #expect(seen.lines == ["own"])
    #expect(container.journal.withLock { $0 } == [])
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

  @Test("The time that an instance lives may be a duration, in the declaration and from outside")
  func timeToLiveAsDuration() {
    let container = Resolver()
    func later(_ duration: Duration) -> Parcel {
      ExpiryClock.$ahead.withValue(Lock(duration)) { container.expiringByDuration() }
    }
    let first = later(.zero)
    #expect(later(.seconds(60)) === first)
    let second = later(.seconds(151))
    #expect(second !== first)
    container.expiringByDuration.timeToLive(.seconds(600))
    #expect(later(.seconds(400)) === second)
    container.expiringByDuration.timeToLive(.zero)
    #expect(later(.seconds(401)) !== second)
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

  @Test("What is set from outside stays with the container, and wins over the declaration")
  func outside() {
    let container = Resolver()
    container.plain.scope(.cached)
    container.expiring.scope(.unique)
    container.plain.onTest { "test" }
    #expect(container.plain() == "test")
    #expect(container.expiring() !== container.expiring())
    #expect(Resolver().plain() == "declaration")
  }

  @Test("Resetting everything goes back to the declaration")
  func resetAll() {
    let container = Resolver()
    container.plain.register { "registered" }.scope(.cached).onTest { "context" }
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
