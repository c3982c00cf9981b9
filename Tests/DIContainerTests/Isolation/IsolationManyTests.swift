import DIContainer
import Testing

private final class Press: Sendable {}
private struct Printed: TeaCatalog {
  let press: Press
  var source: String { "printed" }
}

private struct Composite: TeaCatalog {
  let parts: [any TeaCatalog]
  var source: String { parts.map(\.source).joined(separator: "+") }
}

/// Catalogues of every kind, in an order that is not the one of their names.
private func shop(_ made: Lock<[String]> = Lock([])) -> Resolver {
  let resolver = Resolver()
  func note(_ name: String) -> LocalTeaCatalog {
    made.withLock { $0.append(name) }
    return LocalTeaCatalog(source: name)
  }
  resolver.register(name: "sync") { note("sync") as any TeaCatalog }
  resolver.registerAsync(name: "async") {
    await Task.yield()
    return LocalTeaCatalog(source: "async") as any TeaCatalog
  }
  resolver.registerMain(name: "main", factory: { note("main") as any TeaCatalog })
  resolver.registerAsync(factory: { await RemoteTeaCatalog.load() }).scope(.cached)
    .implements((any TeaCatalog).self)
  return resolver
}

@Suite("Isolation: all services of a type")
struct IsolationManyTests {
  @Test("Those of every kind are there, in the order registered, wherever their factories run")
  func everyKind() async throws {
    let resolver = shop()
    let sources = ["sync", "async", "main", "remote"]
    #expect(await resolver.resolveManyAsync((any TeaCatalog).self).map(\.source) == sources)
    #expect(try await resolver.requireManyAsync((any TeaCatalog).self).map(\.source) == sources)
    let catalogs: [any TeaCatalog] = await resolver.resolveManyAsync()
    #expect(catalogs.map(\.source) == sources)
  }

  @Test("They are made one after the other, in that order")
  func oneAfterTheOther() async {
    let made = Lock<[String]>([])
    _ = await shop(made).resolveManyAsync((any TeaCatalog).self)
    #expect(made.withLock { $0 } == ["sync", "main"])
  }

  @Test("Those of the containers below come after, and nothing registered is an empty list")
  func nested() async {
    let below = shop()
    let resolver = Resolver(child: below)
    resolver.register { LocalTeaCatalog(source: "own") as any TeaCatalog }
    #expect(
      await resolver.resolveManyAsync((any TeaCatalog).self).map(\.source)
        == ["own", "sync", "async", "main", "remote"])
    #expect(await resolver.resolveManyAsync(Int.self) == [])
  }

  @Test("A kept one is built once, and is the one that is had alone")
  func kept() async throws {
    let resolver = shop()
    let alone = await resolver.resolveAsync(RemoteTeaCatalog.self)
    let last = await resolver.resolveManyAsync((any TeaCatalog).self).last
    #expect(last as? RemoteTeaCatalog === alone)
  }

  @Test("A list of optionals holds the services that they wrap, without what answers nil")
  func optionals() async {
    let resolver = Resolver()
    resolver.registerAsync(factory: { LocalTeaCatalog() as any TeaCatalog })
    resolver.registerAsync(name: "none", factory: { () async -> (any TeaCatalog)? in nil })
    let catalogs: [(any TeaCatalog)?] = await resolver.resolveManyAsync()
    #expect(catalogs.map { $0?.source } == ["local"])
    let nothing: [Int?] = await resolver.resolveManyAsync()
    #expect(nothing == [])
  }

  @Test("Arguments reach every factory")
  func arguments() async {
    let resolver = Resolver()
    for name in ["a", "b"] as [Resolver.Name] {
      resolver.registerAsync(
        (any TeaCatalog).self, name: name,
        factory: { _, args in LocalTeaCatalog(source: "\(name) \(args() as String)") })
    }
    #expect(
      await resolver.resolveManyAsync((any TeaCatalog).self, args: "here").map(\.source)
        == ["a here", "b here"])
  }

  @Test("An async service may be composed of all the others, async ones too")
  func composite() async {
    let resolver = shop()
    resolver.registerAsync(factory: { r in Composite(parts: try await r.requireManyAsync()) })
      .scope(.cached).implements((any TeaCatalog).self)
    #expect(await resolver.resolveAsync(Composite.self).source == "sync+async+main+remote")
    #expect(await resolver.resolveManyAsync((any TeaCatalog).self).count == 5)
  }

  @Test(
    "An async service may be composed of all the others without await, if none of them is async")
  func syncComposite() async {
    let resolver = Resolver()
    resolver.register(name: "sync") { LocalTeaCatalog() as any TeaCatalog }
    resolver.registerAsync(factory: { r in Composite(parts: r.resolveMany()) as any TeaCatalog })
    #expect(await resolver.resolveAsync((any TeaCatalog).self).source == "local")
  }

  @Test("An async initialiser takes all services of a type as a parameter, async ones too")
  func parameter() async throws {
    let resolver = shop()
    resolver.registerAsync { Composite(parts: many($0)) }
    #expect(await resolver.resolveAsync(Composite.self).source == "sync+async+main+remote")
    let all = try await resolver.requireAsync(
      Resolver.AllServices<any TeaCatalog>.self, name: "async")
    #expect(many(all).map(\.source) == ["async"])
  }

  @Test("They share what one resolution shares, wherever it is made", arguments: [false, true])
  func oneCycle(isAsync: Bool) async throws {
    let resolver = Resolver()
    if isAsync {
      resolver.registerAsync(factory: { Press() })
    } else {
      resolver.register { Press() }
      resolver.register(name: "sync") { r in Printed(press: r.resolve()) as any TeaCatalog }
    }
    resolver.registerAsync(
      name: "async", factory: { r in Printed(press: try await r.requireAsync()) as any TeaCatalog })
    resolver.registerAsync(
      name: "other", factory: { r in Printed(press: try await r.requireAsync()) as any TeaCatalog })
    let first = await resolver.resolveManyAsync((any TeaCatalog).self)
    let second = try await resolver.requireManyAsync((any TeaCatalog).self, isolation: #isolation)
    func presses(_ catalogs: [any TeaCatalog]) -> Set<ObjectIdentifier> {
      Set(catalogs.map { ObjectIdentifier(($0 as! Printed).press) })
    }
    #expect(first.count == (isAsync ? 2 : 3))
    #expect(presses(first).count == 1)
    #expect(presses(second).count == 1)
    #expect(presses(first) != presses(second))
  }

  @Test("One that cannot be had is thrown with its chain")
  func broken() async {
    let resolver = shop()
    resolver.registerAsync(name: "broken") { r in
      LocalTeaCatalog(source: try await r.requireAsync(String.self)) as any TeaCatalog
    }
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.requireManyAsync((any TeaCatalog).self)
    }
    #expect(error?.chain.map(\.description) == ["any TeaCatalog \"broken\"", "String"])
  }

  @MainActor
  @Test("Services that are not Sendable stay on the caller's actor")
  func notSendable() async throws {
    let resolver = Resolver()
    resolver.registerAsync(factory: { TeaBasket() })
    resolver.registerMain(name: "main", factory: { TeaBasket() })
    let baskets = await resolver.resolveManyAsync(TeaBasket.self, isolation: #isolation)
    #expect(baskets.count == 2)
    resolver.register(on: StoreActor.self, name: "store") { @StoreActor in TeaBasket() }
    let error = await #expect(throws: ResolutionError.self) {
      _ = try await resolver.requireManyAsync(TeaBasket.self, isolation: #isolation)
    }
    #expect(error?.reason == .leavesActor("`StoreActor`"))
  }
}

@Suite("Isolation: all services of a type, asked for without await")
struct IsolationManyDiagnosisTests {
  @Test("One that is async: the advice is to ask for all with await")
  func needsAwait() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.registerAsync(
      name: "async", factory: { await RemoteTeaCatalog.load() as any TeaCatalog })
    let error = #expect(throws: ResolutionError.self) {
      try resolver.requireMany((any TeaCatalog).self)
    }
    #expect(
      error?.description == """
        The factory of `any TeaCatalog "async"` is async, and was requested without `await`.

          requested:   \(#fileID):\(line + 2)
          registered:  \(#fileID):\(line)

        To fix this:
          - Request it with `await`: `try await resolver.requireManyAsync((any TeaCatalog).self)`.
        """)
  }

  @Test("One of the main actor: the advice is to ask for all with await, or there")
  func needsMain() async {
    let resolver = Resolver()
    let line = #line + 1
    resolver.registerMain(name: "main", factory: { LocalTeaCatalog() as any TeaCatalog })
    let error = await Task.detached {
      #expect(throws: ResolutionError.self) {
        try resolver.requireMany((any TeaCatalog).self)
      }
    }.value
    #expect(
      error?.description == """
        The factory of `any TeaCatalog "main"` runs on the main actor, and was requested from elsewhere \
        without `await`.

          requested:   \(#fileID):\(line + 2)
          registered:  \(#fileID):\(line)

        To fix this:
          - Request it with `await`: `try await resolver.requireManyAsync((any TeaCatalog).self)`.
          - Or request it on the main actor: `resolver.resolveMany((any TeaCatalog).self)`.
        """)
  }

  @Test("What one of them needs that is async is asked for alone")
  func needsAwaitBelow() {
    let resolver = Resolver()
    resolver.registerAsync(factory: { await RemoteTeaCatalog.load() })
    let line = #line + 1
    resolver.register { r in try r.require(RemoteTeaCatalog.self) as any TeaCatalog }
    let error = #expect(throws: ResolutionError.self) {
      try resolver.requireMany((any TeaCatalog).self)
    }
    #expect(
      error?.description == """
        The factory of `RemoteTeaCatalog` is async, and was requested without `await`.

          chain:       any TeaCatalog → RemoteTeaCatalog
          requested:   \(#fileID):\(line)
          registered:  \(#fileID):\(line - 2)

        To fix this:
          - Request it with `await`: `try await resolver.requireAsync(RemoteTeaCatalog.self)`.
          - A factory that needs it is async in turn: `registerAsync { r in … }`.
        """)
  }
}
