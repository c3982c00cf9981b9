import DIContainer
import DITesting
import TestSupport
import Testing

@Suite("Isolation: sandboxes, layers, recorders, decorations")
struct IsolationContextTests {
  @Test("A kept instance that is built in a sandbox lives in the sandbox")
  func sandboxKeeps() async {
    let resolver = Resolver()
    let builds = Counter()
    resolver.registerAsync {
      builds.increment()
      return await RemoteTeaCatalog.load()
    }.scope(.cached)
    let inside = await inSandboxLater {
      let first: RemoteTeaCatalog = await resolver.resolveAsync()
      let second: RemoteTeaCatalog = await resolver.resolveAsync()
      #expect(second === first)
      return first
    }
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) !== inside)
    #expect(builds.value == 2)
  }

  @Test("A build that outlives its sandbox is delivered and leaves nothing in the base")
  func sandboxEnds() async {
    let resolver = Resolver()
    let gate = AsyncGate()
    let isFirst = Counter()
    resolver.registerAsync {
      if isFirst.increment() == 1 { await gate.pass() }
      return RemoteTeaCatalog()
    }.scope(.cached)
    let task = await inSandboxLater {
      let task = Task { await resolver.resolveAsync(RemoteTeaCatalog.self) }
      await until { gate.waiterCount == 1 }
      return task
    }
    let base = await resolver.resolveAsync(RemoteTeaCatalog.self)
    gate.open()
    #expect(await task.value !== base)
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) === base)
  }

  @Test(
    "A reset of everything reaches what a task is building in the sandbox",
    arguments: [Scope.application, .cached, .shared])
  func resetBesideBuild(scope: Scope) async {
    let (resolver, gate, builds) = (Resolver(), AsyncGate(), Counter())
    resolver.registerAsync {
      if builds.increment() == 1 { await gate.pass() }
      return RemoteTeaCatalog()
    }.scope(scope)
    await inSandboxLater {
      let task = Task { await resolver.resolveAsync(RemoteTeaCatalog.self) }
      await until { gate.waiterCount == 1 }
      Resolver.reset()
      gate.open()
      let first = await task.value
      let second: RemoteTeaCatalog = await resolver.resolveAsync()
      #expect(second !== first)
      #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) === second)
    }
  }

  @Test("A double reaches the dependencies of a build that runs in a task of its own")
  func doubleReaches() async {
    let resolver = Resolver()
    resolver.registerMain(factory: { LocalTeaCatalog() as any TeaCatalog }).scope(.cached)
    resolver.registerAsync(
      factory: { r in RemoteTeaCatalog(source: await r.resolveAsync((any TeaCatalog).self).source) }
    ).scope(.cached)
    let source = await inSandboxLater {
      resolver.register { LocalTeaCatalog(source: "double") as any TeaCatalog }
      return await resolver.resolveAsync(RemoteTeaCatalog.self).source
    }
    #expect(source == "double")
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self).source == "local")
  }

  @Test("An alias of an async service is answered by whatever is registered for it")
  func alias() async throws {
    let resolver = Resolver()
    resolver.registerAsync(factory: { await RemoteTeaCatalog.load() })
      .implements((any TeaCatalog).self).scope(.cached)
    let catalog: any TeaCatalog = await resolver.resolveAsync()
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) === catalog as? RemoteTeaCatalog)
    #expect(throws: ResolutionError.self) { try resolver.require((any TeaCatalog).self) }
  }

  @Test("A layer decorates an async service")
  func decoration() async {
    let resolver = Resolver()
    resolver.registerAsync(factory: { LocalTeaCatalog(source: "live") as any TeaCatalog })
    let layer = Resolver()
    let frame = ContextFrame(.root, parent: nil, installed: resolver, caches: .all)
    await ContextFrame.$bound.withValue(frame) {
      let top = ContextFrame(.layer, parent: frame, installed: layer, caches: .all)
      await ContextFrame.$bound.withValue(top) {
        layer.decorate(ServiceKey((any TeaCatalog).self), at: CodeLocation()) {
          (live: any TeaCatalog) in LocalTeaCatalog(source: live.source + ", spied on")
        }
        let catalog: any TeaCatalog = await resolver.resolveAsync()
        #expect(catalog.source == "live, spied on")
      }
    }
    #expect(await resolver.resolveAsync((any TeaCatalog).self).source == "live")
  }

  @Test("A recorder hears async requests in order, with what they ask for below them")
  func recorder() async {
    let resolver = Resolver()
    resolver.register { LocalTeaCatalog() }
    resolver.registerMain { r in
      LocalTeaCatalog(source: r.resolve(LocalTeaCatalog.self).source) as any TeaCatalog
    }
    resolver.registerAsync(
      factory: { r in RemoteTeaCatalog(source: await r.resolveAsync((any TeaCatalog).self).source) }
    ).scope(.cached)
    let recorder = ResolutionRecorder()
    await withRecorder(recorder) {
      _ = await resolver.resolveAsync(RemoteTeaCatalog.self)
      _ = await resolver.resolveAsync(RemoteTeaCatalog.self)
    }
    let label = resolver.core.label
    #expect(
      recorder.tree == """
        RemoteTeaCatalog  — created live, cached, \(label)
          any TeaCatalog  — created live, graph, \(label)
            LocalTeaCatalog  — created live, graph, \(label)
        RemoteTeaCatalog  — kept live, cached, \(label)
        """)
  }

  @Test("What a decoration of everything sees includes async instances")
  func decorateAll() async {
    await inSandboxLater {
      let seen = Counter()
      let resolver = Resolver()
      Resolver.decorate = { _ in seen.increment() }
      resolver.registerAsync(factory: { await RemoteTeaCatalog.load() })
      _ = await resolver.resolveAsync(RemoteTeaCatalog.self)
      #expect(seen.value == 1)
    }
  }

  @Test("Properties are set and a release is torn down for async instances too")
  func options() async {
    let resolver = Resolver()
    let (set, released) = (Counter(), Counter())
    let scope = Scope.cache("catalogues")
    resolver.registerAsync(factory: { await RemoteTeaCatalog.load() })
      .resolveProperties { _, _ in set.increment() }
      .onRelease { _ in released.increment() }
      .scope(scope)
    _ = await resolver.resolveAsync(RemoteTeaCatalog.self)
    _ = await resolver.resolveAsync(RemoteTeaCatalog.self)
    #expect(set.value == 1)
    scope.reset()
    #expect(released.value == 1)
  }

  /// A shop with a sign, and a branch with an async service that looks at it when it is let go.
  private final class Shops {
    let shop = Resolver()
    let seen = Lock<[String]>([])
    var branch: Resolver? = Resolver()

    init() {
      shop.register(name: "sign") { "live" }
      branch!.registerAsync(factory: { await RemoteTeaCatalog.load() })
        .onRelease { [shop, seen] _ in
          let sign: String = shop.resolve(name: "sign")
          seen.withLock { $0.append(sign) }
        }
        .scope(.cached)
    }
  }

  @Test("What the process keeps of an async service is torn down outside of every sandbox")
  func releaseOutside() async {
    let shops = Shops()
    _ = await shops.branch!.resolveAsync(RemoteTeaCatalog.self)
    await inSandboxLater {
      shops.shop.register(name: "sign") { "double" }
      shops.branch = nil
    }
    #expect(shops.seen.withLock { $0 } == ["live"])
  }

  @Test("A sandbox's instance of an async service is torn down in the sandbox, when that ends")
  func releaseInside() async {
    let shops = Shops()
    await inSandboxLater {
      shops.shop.register(name: "sign") { "double" }
      _ = await shops.branch!.resolveAsync(RemoteTeaCatalog.self)
    }
    #expect(shops.seen.withLock { $0 } == ["double"])
  }
}
