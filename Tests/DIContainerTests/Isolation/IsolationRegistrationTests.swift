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
    #expect(resolver.resolve(ShopWindow.self, name: "copy").title == "Tea!")
    #expect(resolver.resolve(ShopWindow.self, name: "made", args: "Mugs").title == "Mugs")
    #expect(resolver.resolve(Front.self).catalog.source == "local")
    #expect(resolver.optional(ShopWindow.self, name: "none") == nil)
    #expect(throws: ResolutionError.self) {
      try resolver.require(ShopWindow.self, name: "none")
    }
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

  @Test("The static forms register in main")
  func staticForms() async {
    await inSandboxLater {
      Resolver.register { LocalTeaCatalog() as any TeaCatalog }
      Resolver.registerMain { ShopWindow() }
      Resolver.registerMain(name: "made") { r in
        ShopWindow(title: r.resolve(ShopWindow.self).title + "!")
      }
      Resolver.registerAsync { RemoteTeaCatalog() }
      Resolver.registerAsync(name: "made") { r in
        RemoteTeaCatalog(source: try await r.requireAsync(RemoteTeaCatalog.self).source + "!")
      }
      let main = Resolver.main
      #expect(await main.resolveAsync(ShopWindow.self, name: "made").title == "Tea!")
      let made: RemoteTeaCatalog = await main.resolveAsync(name: "made")
      #expect(made.source == "remote!")
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
            try? resolver.require(ShopWindow.self).title,
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
}
