import DICompatibility
import DIContainer
import DITesting
import TestSupport
import Testing

private final class TeaFront: SharedContainer {
  static let shared = TeaFront()
  let manager = ContainerManager()
  let guests = Counter()

  /// Returns nil at first.
  fileprivate func nextGuest() -> RemoteTeaCatalog? {
    guests.increment() == 1 ? nil : RemoteTeaCatalog()
  }
}

extension TeaFront {
  fileprivate var window: MainActorFactory<ShopWindow> { self { ShopWindow() }.cached }
  fileprivate var basket: MainActorFactory<TeaBasket> { self { TeaBasket() } }
  fileprivate var catalog: AsyncFactory<any TeaCatalog> {
    self { await RemoteTeaCatalog.load() }.cached
  }
  fileprivate var offline: AsyncFactory<RemoteTeaCatalog> { self { throw NotOnline() } }
  fileprivate var stock: AsyncFactory<TeaStock> { self { @StoreActor in TeaStock() } }
  fileprivate var local: Factory<LocalTeaCatalog> { self { LocalTeaCatalog() } }
  fileprivate var guest: AsyncFactory<RemoteTeaCatalog?> { self { self.nextGuest() }.cached }
  fileprivate var expiring: AsyncFactory<RemoteTeaCatalog> {
    self { await RemoteTeaCatalog.load() }.cached.timeToLive(60)
  }
  fileprivate var brand: AsyncFactory<RemoteTeaCatalog> {
    self { await RemoteTeaCatalog.load() }.singleton
  }
}

/// A container of one test, whose singleton is kept in the process.
private final class TeaKiosk: SharedContainer {
  static let shared = TeaKiosk()
  let manager = ContainerManager()
  var brand: AsyncFactory<RemoteTeaCatalog> {
    self { await RemoteTeaCatalog.load() }.singleton
  }
}

/// A container that calls a closure while a factory runs.
private final class TeaCellar: ManagedContainer {
  let manager = ContainerManager()
  private let whileBuilding: @Sendable () -> Void
  init(whileBuilding: @escaping @Sendable () -> Void) { self.whileBuilding = whileBuilding }

  var catalog: AsyncFactory<RemoteTeaCatalog> { self { await self.load() } }
  var kept: AsyncFactory<RemoteTeaCatalog> { self { await self.load() }.cached }

  private func load() async -> RemoteTeaCatalog {
    whileBuilding()
    return await RemoteTeaCatalog.load()
  }
}

@MainActor
private final class FrontModel {
  @Injected(\TeaFront.window) var window
  @Injected(\TeaFront.basket) var basket
}

@Suite("Isolation: services declared as properties")
struct IsolationKeyPathTests {
  @MainActor
  @Test("A main-actor factory answers on the main actor at once")
  func onMain() throws {
    let front = TeaFront()
    #expect(front.window() === front.window.resolve())
    #expect(try front.window.require() === front.window())
    #expect(front.basket() !== front.basket())
    front.window.register { ShopWindow(title: "Mugs") }
    #expect(front.window().title == "Mugs")
    front.window { ShopWindow(title: "Cups") }
    #expect(front.window().title == "Cups")
  }

  @Test("A main-actor factory answers elsewhere with await")
  func offMain() async {
    let front = TeaFront()
    let window = await front.window()
    #expect(window.title == "Tea")
    #expect(await front.window() === window)
  }

  @Test("A task that an async factory leaves behind does not hold the container")
  func leftBehind() async {
    let gate = AsyncGate()
    let left = Lock<[Task<Void, Never>]>([])
    weak var gone: TeaCellar?
    do {
      let cellar = TeaCellar {
        left.withLock { $0.append(Task { await gate.pass() }) }
      }
      gone = cellar
      _ = await cellar.catalog.resolve()
      _ = await cellar.kept.resolve()
    }
    await until { gate.waiterCount == 2 }
    #expect(gone == nil)
    gate.open()
    for task in left.withLock({ $0 }) { await task.value }
  }

  @Test("An async factory answers with await, once for all who keep")
  func asynchronous() async throws {
    let front = TeaFront()
    let catalog = try await front.catalog() as? RemoteTeaCatalog
    #expect(try await front.catalog.require() as? RemoteTeaCatalog === catalog)
    #expect(await front.catalog.resolve() as? RemoteTeaCatalog === catalog)
    #expect(try await front.stock().shelf == "A1")
  }

  @Test("An async factory throws what its closure throws, with the chain")
  func throwing() async {
    let front = TeaFront()
    let error = await #expect(throws: ResolutionError.self) { try await front.offline() }
    #expect(error?.reason == .factoryFailed("not online"))
    #expect(error?.chain.map(\.description) == ["offline: RemoteTeaCatalog"])
  }

  @Test("A double of an async service may be sync, async, or set for a context")
  func doubles() async throws {
    let front = TeaFront()
    let sources = try await inSandboxLater {
      front.catalog.register { LocalTeaCatalog(source: "sync") }
      var sources = [try await front.catalog().source]
      front.catalog.register {
        await Task.yield()
        return LocalTeaCatalog(source: "async")
      }
      sources.append(try await front.catalog().source)
      front.offline.context(.debug, .test, .device) { RemoteTeaCatalog(source: "context") }
      sources.append(try await front.offline().source)
      return sources
    }
    #expect(sources == ["sync", "async", "context"])
    #expect(try await front.catalog().source == "remote")
  }

  @Test("The nil of an optional async service is returned, and not kept")
  func optional() async throws {
    let front = TeaFront()
    #expect(try await front.guest() == nil)
    let guest = try await front.guest()
    #expect(guest != nil)
    #expect(try await front.guest() === guest)
    front.guest.register { nil }
    #expect(try await front.guest() == nil)
    #expect(await front.guest.resolve() == nil)
    front.guest.register { () async -> RemoteTeaCatalog? in nil }
    #expect(try await front.guest.require() == nil)
    front.guest.register { throw NotOnline() }
    let error = await #expect(throws: ResolutionError.self) { try await front.guest() }
    #expect(error?.reason == .factoryFailed("not online"))
  }

  @Test("A decoration of an optional async service receives its nil")
  func decoratedNil() async throws {
    let front = TeaFront()
    let isDecorated = try await inSandboxLater {
      front.guest.register { () async -> RemoteTeaCatalog? in nil }
      front.guest._registration.decorate(at: CodeLocation()) { $0 ?? RemoteTeaCatalog() }
      return try await front.guest() != nil
    }
    #expect(isDecorated)
  }

  @Test("An instance whose build takes longer than it lives is built once, and kept")
  func buildLongerThanTimeToLive() async throws {
    let front = TeaFront()
    let (builds, gate) = (Counter(), AsyncGate())
    front.expiring.register {
      builds.increment()
      await gate.pass()
      return RemoteTeaCatalog()
    }
    let ahead = Lock(Duration.zero)
    func later(_ time: Duration) -> Task<RemoteTeaCatalog, any Error> {
      ahead.withLock { $0 = time }
      return ExpiryClock.$ahead.withValue(ahead) {
        Task { try await front.expiring() }
      }
    }
    let first = later(.zero)
    await until { gate.waiterCount == 1 }
    let second = later(.seconds(100))
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    let kept = try await first.value
    #expect(try await second.value === kept)
    #expect(try await later(.seconds(150)).value === kept)
    #expect(builds.value == 1)
  }

  @Test("The time to live of an instance begins when it is kept, though who asked first gave up")
  func timeToLiveAfterCancelledRequest() async throws {
    let front = TeaFront()
    let (builds, gate) = (Counter(), AsyncGate())
    front.expiring.register {
      builds.increment()
      await gate.pass()
      return RemoteTeaCatalog()
    }
    let ahead = Lock(Duration.zero)
    func request() -> Task<RemoteTeaCatalog, any Error> {
      ExpiryClock.$ahead.withValue(ahead) { Task { try await front.expiring() } }
    }
    let first = request()
    await until { gate.waiterCount == 1 }
    let second = request()
    for _ in 0..<100 { await Task.yield() }
    first.cancel()
    await #expect(throws: ResolutionError.self) { try await first.value }
    ahead.withLock { $0 = .seconds(50) }
    gate.open()
    let kept = try await second.value
    ahead.withLock { $0 = .seconds(100) }
    #expect(try await request().value === kept)
    #expect(builds.value == 1)
  }

  @MainActor
  @Test("A sync double of an async singleton runs where it is requested, once for all")
  func syncSingleton() async throws {
    let kiosk = TeaKiosk()
    var isOnMain = false
    kiosk.brand.register {
      isOnMain = MainActor.isCurrent
      return RemoteTeaCatalog()
    }
    let brand = try await kiosk.brand()
    #expect(isOnMain)
    #expect(try await TeaKiosk().brand() === brand)
    kiosk.brand.register { throw NotOnline() }
    let error = await #expect(throws: ResolutionError.self) { try await kiosk.brand() }
    #expect(error?.reason == .factoryFailed("not online"))
    #expect(error?.chain.map(\.description) == ["brand: RemoteTeaCatalog"])
  }

  @Test("1,000 concurrent awaits of an async factory build once")
  func once() async throws {
    let front = TeaFront()
    let (builds, gate) = (Counter(), AsyncGate())
    front.catalog.register {
      builds.increment()
      await gate.pass()
      return RemoteTeaCatalog()
    }
    let catalogs = try await withThrowingTaskGroup(of: (any TeaCatalog).self) { group in
      for _ in 0..<1000 { group.addTask { try await front.catalog() } }
      await until { gate.waiterCount == 1 }
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(builds.value == 1)
    #expect(Set(catalogs.map { ObjectIdentifier($0 as! RemoteTeaCatalog) }).count == 1)
  }

  @Test("A recorder hears async factories, with what they ask for below them")
  func recorder() async throws {
    let front = TeaFront()
    front.offline.register {
      RemoteTeaCatalog(source: try await front.catalog().source + front.local().source)
    }
    let recorder = ResolutionRecorder()
    try await withRecorder(recorder) { _ = try await front.offline() }
    #expect(
      recorder.events.filter(\.isRequest).map { "\($0.depth) \($0.key)" } == [
        "0 offline: RemoteTeaCatalog", "1 catalog: any TeaCatalog", "1 local: LocalTeaCatalog",
      ])
  }

  @MainActor
  @Test("Property wrappers of a main-actor model resolve main-actor properties")
  func injected() {
    let model = FrontModel()
    #expect(model.window === TeaFront.shared.window())
    model.basket.lines.append("MUG")
  }
}
