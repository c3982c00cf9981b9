import DIContainer
import Dispatch
import Synchronization
import Testing

@MainActor
private final class WindowModel {
  @Injected var window: ShopWindow
  @LazyInjected var late: ShopWindow
  @OptionalInjected var maybe: ShopWindow?

  init() {}
}

@MainActor
private final class Front {
  let window: ShopWindow
  let catalog: any TeaCatalog

  init(window: ShopWindow, catalog: any TeaCatalog) {
    self.window = window
    self.catalog = catalog
  }
}

private final class Shelves: Sendable {
  let catalog: RemoteTeaCatalog
  let fallback: (any TeaCatalog)?

  init(catalog: RemoteTeaCatalog, fallback: (any TeaCatalog)?) async {
    await Task.yield()
    self.catalog = catalog
    self.fallback = fallback
  }
}

/// An actor that runs a closure whenever a task begins to wait for it.
private actor Counter {
  let executor = Executor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  final class Executor: SerialExecutor {
    let beforeJob = Mutex<(@Sendable () -> Void)?>(nil)
    private let queue = DispatchQueue(label: "counter")

    func enqueue(_ job: consuming ExecutorJob) {
      beforeJob.withLock { $0 }?()
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}

@Suite("Isolation: the forms of registering and asking")
struct IsolationRegistrationTests {
  @MainActor
  @Test("Main-actor factories take the container, arguments, or what they need by type")
  func mainForms() {
    let resolver = Resolver()
    resolver.registerMain(factory: { ShopWindow() })
    resolver.registerMain(
      name: "copy", factory: { r in ShopWindow(title: r.resolve(ShopWindow.self).title + "!") })
    resolver.registerMain(name: "made", factory: { _, args in ShopWindow(title: args()) })
    resolver.register { LocalTeaCatalog() as any TeaCatalog }
    resolver.registerMain(Front.init)
    #expect(resolver.resolveOnMain(ShopWindow.self, name: "copy").title == "Tea!")
    #expect(resolver.resolveOnMain(ShopWindow.self, name: "made", args: "Mugs").title == "Mugs")
    #expect(resolver.resolveOnMain(Front.self).catalog.source == "local")
    #expect(resolver.optionalOnMain(ShopWindow.self, name: "none") == nil)
    #expect(throws: ResolutionError.self) {
      try resolver.requireOnMain(ShopWindow.self, name: "none")
    }
  }

  @Test("Global actors and actor instances run their factories")
  func actorForms() async throws {
    let resolver = Resolver()
    resolver.register(on: StoreActor.self) { @StoreActor in TeaStock() }
    resolver.register(on: StoreActor.self, name: "next") { @StoreActor r in
      TeaStock(shelf: "next to " + r.resolve(TeaStock.self).shelf)
    }
    let warehouse = TeaWarehouse(label: "North")
    resolver.register(on: warehouse, name: "shelf") { warehouse in
      warehouse.assertIsolated()
      return "\(warehouse.label) \(warehouse.addShelf())"
    }
    resolver.register(on: warehouse, name: "given") { _, _, args -> String in args() }
    let next: TeaStock = await resolver.resolveAsync(name: "next")
    #expect(next.shelf == "next to A1")
    #expect(await resolver.resolveAsync(String.self, name: "shelf") == "North 1")
    #expect(await resolver.resolveAsync(String.self, name: "shelf") == "North 2")
    #expect(await resolver.resolveAsync(String.self, name: "given", args: "B7") == "B7")
  }

  @Test("Async factories take the container, arguments, or what they need by type")
  func asyncForms() async throws {
    let resolver = Resolver()
    resolver.registerAsync(factory: { await RemoteTeaCatalog.load() }).scope(.cached)
    resolver.registerAsync(name: "copy") { r in
      RemoteTeaCatalog(source: await r.resolveAsync(RemoteTeaCatalog.self).source + "!")
    }
    resolver.registerAsync(name: "made") { _, args in
      let source: String = args("source")
      await Task.yield()
      return RemoteTeaCatalog(source: source)
    }
    resolver.registerAsync(Shelves.init)
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self, name: "copy").source == "remote!")
    #expect(
      await resolver.resolveAsync(
        RemoteTeaCatalog.self, name: "made", args: ["source": "book"]
      ).source == "book")
    let shelves: Shelves = await resolver.resolveAsync()
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) === shelves.catalog)
    #expect(shelves.fallback == nil)
    #expect(
      resolver.registrations.first { $0.key.type == Shelves.self }?.dependencies?.map(\.description)
        == ["RemoteTeaCatalog", "any TeaCatalog?"])
  }

  @Test("An async factory may be isolated itself, and may answer nil")
  func isolatedAsync() async {
    let resolver = Resolver()
    resolver.registerAsync { @MainActor in
      await Task.yield()
      MainActor.assertIsolated()
      return ShopWindow()
    }
    resolver.registerAsync(factory: { () async -> RemoteTeaCatalog? in nil }).scope(.cached)
    _ = await resolver.resolveAsync(ShopWindow.self)
    #expect(await resolver.optionalAsync(RemoteTeaCatalog.self) == nil)
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.requireAsync(RemoteTeaCatalog.self)
    }
    #expect(error?.reason == .factoryReturnedNil)
  }

  @Test("An optional asked for with await is an optional answer")
  func optionals() async throws {
    let resolver = Resolver()
    let none: RemoteTeaCatalog? = await resolver.resolveAsync()
    #expect(none == nil)
    resolver.registerAsync(factory: { await RemoteTeaCatalog.load() })
    let some: RemoteTeaCatalog? = await resolver.resolveAsync()
    #expect(some != nil)
    if let catalog = await resolver.resolveAsync(RemoteTeaCatalog?.self) {
      #expect(catalog.source == "remote")
    } else {
      Issue.record("nothing was answered")
    }
  }

  @Test("Services that are not Sendable stay where they are asked for")
  func nonSendable() async throws {
    let resolver = Resolver()
    resolver.register { TeaBasket() }
    resolver.registerAsync(name: "filled") {
      await Task.yield()
      let basket = TeaBasket()
      basket.lines = ["TEA-GREEN"]
      return basket
    }
    let basket = await resolver.resolveAsync(TeaBasket.self, isolation: #isolation)
    basket.lines.append("MUG")
    let filled = try await resolver.requireAsync(
      TeaBasket.self, name: "filled", isolation: #isolation)
    #expect(filled.lines == ["TEA-GREEN"])
  }

  @MainActor
  @Test("A main-actor service that is not Sendable is had on the main actor")
  func nonSendableOnMain() async {
    let resolver = Resolver()
    resolver.registerMain(factory: { TeaBasket() }).scope(.cached)
    let basket = await resolver.resolveAsync(TeaBasket.self, isolation: #isolation)
    #expect(resolver.resolveOnMain(TeaBasket.self) === basket)
  }

  @Test("The static forms register in main")
  func staticForms() async {
    await inSandboxLater {
      Resolver.register { LocalTeaCatalog() as any TeaCatalog }
      Resolver.registerMain { ShopWindow() }
      Resolver.registerMain(name: "made") { _, args in ShopWindow(title: args()) }
      Resolver.registerMain(Front.init)
      Resolver.registerAsync { RemoteTeaCatalog() }
      Resolver.registerAsync(name: "made") { _, args in RemoteTeaCatalog(source: args()) }
      Resolver.registerAsync { (catalog: RemoteTeaCatalog, shelf: any TeaCatalog) in
        await Shelves(catalog: catalog, fallback: shelf)
      }
      Resolver.register(on: StoreActor.self) { @StoreActor in TeaStock() }
      Resolver.register(on: StoreActor.self, name: "shelf") { @StoreActor _ in
        TeaStock(shelf: "B2")
      }
      Resolver.register(on: StoreActor.self, name: "asked") { @StoreActor _, args in
        TeaStock(shelf: args())
      }
      let main = Resolver.main
      #expect(await main.resolveAsync(ShopWindow.self, name: "made", args: "Mugs").title == "Mugs")
      #expect(await main.resolveAsync(Front.self).catalog.source == "local")
      let made: RemoteTeaCatalog = await main.resolveAsync(name: "made", args: "made")
      #expect(made.source == "made")
      #expect(await main.resolveAsync(Shelves.self).fallback?.source == "local")
      #expect(await main.resolveAsync(TeaStock.self).shelf == "A1")
      #expect(await main.resolveAsync(TeaStock.self, name: "shelf").shelf == "B2")
      #expect(await main.resolveAsync(TeaStock.self, name: "asked", args: "C3").shelf == "C3")
    }
  }

  @Test("A block of the main queue is on the main actor, whichever thread serves the queue")
  func mainQueue() async {
    let resolver = Resolver()
    resolver.registerMain(factory: { ShopWindow() })
    let titles = await withCheckedContinuation { continuation in
      let block = ResolutionContext.carrying { () -> [String?] in
        MainActor.assumeIsolated {
          [
            try? resolver.requireOnMain(ShopWindow.self).title,
            try? resolver.require(ShopWindow.self).title,
          ]
        }
      }
      DispatchQueue.main.async { continuation.resume(returning: block()) }
    }
    #expect(titles == ["Tea", "Tea"])
  }

  @MainActor
  @Test("Property wrappers of a main-actor model resolve main-actor registrations")
  func injected() {
    inSandbox {
      let resolver = Resolver()
      Resolver.root = resolver
      resolver.registerMain(factory: { ShopWindow() }).scope(.cached)
      let model = WindowModel()
      #expect(model.window === model.late)
      #expect(model.maybe === model.window)
    }
  }

  @Test("The static twins register in main and ask the root")
  func statics() async throws {
    await inSandboxLater {
      Resolver.registerMain(factory: { ShopWindow() }).scope(.cached)
      Resolver.main.register(on: StoreActor.self) { @StoreActor in TeaStock() }
      Resolver.registerAsync(factory: { await RemoteTeaCatalog.load() })
      let window = await Resolver.root.resolveOnMain(ShopWindow.self)
      let same: ShopWindow = await Resolver.resolveAsync()
      #expect(same === window)
      let shelf = await Resolver.resolveAsync(TeaStock.self).shelf
      #expect(shelf == "A1")
      let source = await Resolver.optionalAsync(RemoteTeaCatalog.self)?.source
      #expect(source == "remote")
    }
  }

  @Test("Plain register stays what it is beside the labelled forms")
  func plainForms() {
    let resolver = Resolver()
    resolver.register { LocalTeaCatalog() as any TeaCatalog }
    resolver.register { r in LocalTeaCatalog(source: r.resolve((any TeaCatalog).self).source) }
    resolver.register { (catalog: any TeaCatalog, local: LocalTeaCatalog) in
      RemoteTeaCatalog(source: catalog.source + local.source)
    }
    resolver.register(name: "given") { _, args in RemoteTeaCatalog(source: args()) }
    #expect(resolver.resolve(RemoteTeaCatalog.self).source == "locallocal")
    #expect(resolver.resolve(RemoteTeaCatalog.self, name: "given", args: "x").source == "x")
  }

  @Test("A request that waits for its actor gets what was registered meanwhile")
  func registeredMeanwhile() async throws {
    let (resolver, counter) = (Resolver(), Counter())
    resolver.register(on: counter) { _ in RemoteTeaCatalog(source: "counter") }
    counter.executor.beforeJob.withLock {
      $0 = { resolver.registerAsync { () async -> RemoteTeaCatalog in RemoteTeaCatalog() } }
    }
    #expect(try await resolver.requireAsync(RemoteTeaCatalog.self).source == "remote")
  }
}
