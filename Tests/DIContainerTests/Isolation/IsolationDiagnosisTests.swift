import DIContainer
import Testing

private struct TeaBasketLabel: Sendable {}

extension Container {
  fileprivate var checkedWindow: MainActorFactory<ShopWindow> { self { ShopWindow() } }
}

@Suite("Isolation: what errors say")
struct IsolationDiagnosisTests {
  @Test("A main-actor factory asked elsewhere without await")
  func needsMain() async {
    let resolver = Resolver()
    let line = #line + 1
    resolver.registerMain(name: "front", factory: { ShopWindow() })
    let error = await Task {
      #expect(throws: ResolutionError.self) {
        try resolver.require(ShopWindow.self, name: "front")
      }
    }.value
    #expect(
      error?.description == """
        The factory of `ShopWindow "front"` runs on the main actor, and was requested from elsewhere \
        without `await`.

          requested:   \(#fileID):\(line + 2)
          registered:  \(#fileID):\(line)

        To fix this:
          - Request it with `await`: `try await Resolver.root.requireAsync(ShopWindow.self, name: "front")`.
          - Or request it on the main actor: `Resolver.resolve(ShopWindow.self, name: "front")`.
        """)
  }

  @Test("A check of an async factory that returned nil")
  func checkReturnsNil() async throws {
    let resolver = Resolver()
    resolver.registerAsync { () -> TeaBasketLabel? in nil }
    let registration = try #require(resolver.registrations.first)
    let error = await #expect(throws: ResolutionError.self) { try await registration.checkAsync() }
    #expect(error?.reason == .factoryReturnedNil)
  }

  @Test("An async factory that a sync factory asks for")
  func needsAwait() {
    let resolver = Resolver()
    let line = #line + 1
    resolver.registerAsync(factory: { await RemoteTeaCatalog.load() as any TeaCatalog })
    resolver.register { r in LocalTeaCatalog(source: try r.require((any TeaCatalog).self).source) }
    let error = #expect(throws: ResolutionError.self) {
      try resolver.require(LocalTeaCatalog.self)
    }
    #expect(
      error?.description == """
        The factory of `any TeaCatalog` is async, and was requested without `await`.

          chain:       LocalTeaCatalog → any TeaCatalog
          from:        \(#fileID):\(line + 2)
          requested:   \(#fileID):\(line + 1)
          registered:  \(#fileID):\(line)

        To fix this:
          - Request it with `await`: `try await Resolver.root.requireAsync((any TeaCatalog).self)`.
          - A factory that needs it is async in turn: `registerAsync { r in … }`.
        """)
  }

  @Test("An async factory that throws: where it was asked for, and where it was registered")
  func factoryThrows() async {
    let resolver = Resolver()
    let line = #line + 1
    resolver.registerAsync { () -> TeaBasketLabel in throw NotOnline() }
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.requireAsync(TeaBasketLabel.self)
    }
    #expect(
      error?.description == """
        The factory of `TeaBasketLabel` threw: not online

          requested:   \(#fileID):\(line + 1)
          registered:  \(#fileID):\(line)

        To fix this:
          - Handle the error where the service is resolved, or in the factory.
        """)
  }

  @Test("What is missing further down an async chain is named with the chain")
  func missing() async {
    let resolver = Resolver()
    resolver.registerAsync { r in
      RemoteTeaCatalog(source: try await r.requireAsync((any TeaCatalog).self).source)
    }
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.requireAsync(RemoteTeaCatalog.self)
    }
    #expect(error?.reason == .notRegistered)
    #expect(error?.chain.map(\.description) == ["RemoteTeaCatalog", "any TeaCatalog"])
  }

  @Test("A factory that throws says so, with its error")
  func throwing() async {
    let resolver = Resolver()
    resolver.registerAsync(factory: { () async throws -> RemoteTeaCatalog in throw NotOnline() })
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.requireAsync(RemoteTeaCatalog.self)
    }
    #expect(error?.reason == .factoryFailed("not online"))
    #expect(error?.chain.map(\.description) == ["RemoteTeaCatalog"])
  }

  @Test("Registrations check themselves with await, wherever their factories run")
  func check() async throws {
    let resolver = Resolver()
    resolver.register { LocalTeaCatalog() }
    resolver.registerMain { ShopWindow() }
    resolver.registerAsync { await RemoteTeaCatalog.load() }
    resolver.registerAsync(name: "off", factory: { () async throws -> Int in throw NotOnline() })
    let catalog = resolver.registrations.first { $0.key == ServiceKey(RemoteTeaCatalog.self) }
    let error = #expect(throws: ResolutionError.self) { try catalog?.check() }
    let fix = """
      To fix this:
        - Check it with `await`: `try await registration.checkAsync()`.
      """
    #expect(error?.description.hasSuffix(fix) == true)
    var failures: [ResolutionError.Reason] = []
    for registration in resolver.registrations {
      do throws(ResolutionError) {
        try await registration.checkAsync()
      } catch {
        failures.append(error.reason)
      }
    }
    #expect(failures == [.factoryFailed("not online")])
  }

  @Test("A factory of the main actor that takes no arguments runs in its check with await")
  func checkRunsOnMain() async throws {
    let resolver = Resolver()
    resolver.registerMain { () throws -> ShopWindow in throw NotOnline() }
    resolver.registerMain(name: "mugs") { (_: Resolver) throws -> ShopWindow in throw NotOnline() }
    for shop in resolver.registrations {
      let error = await #expect(throws: ResolutionError.self) { try await shop.checkAsync() }
      #expect(error?.reason == .factoryFailed("not online"))
    }
  }

  @Test("A factory that takes arguments passes its check with await, wherever it runs")
  func checkWithArguments() async throws {
    let resolver = Resolver()
    resolver.register(Int.self, name: "sync") { _, args in args() as Int }
    resolver.registerAsync(Int.self, name: "async") { _, args in args() as Int }
    resolver.registerAsync(Int.self, name: "throwing") { _, args in
      try args.require() as Int
    }
    resolver.registerMain(Int.self, name: "main") { _, args in args() as Int }
    resolver.registerAsync(RemoteTeaCatalog.self) { _, args in RemoteTeaCatalog(source: args()) }
      .implements((any TeaCatalog).self)
    for registration in resolver.registrations { try await registration.checkAsync() }
    #expect(resolver.registrations.count == 6)
  }

  @Test("A factory that needs one which takes arguments fails its check with await")
  func checkOfMissingArguments() async throws {
    let resolver = Resolver()
    resolver.registerAsync(Int.self) { _, args in try args.require() as Int }
    resolver.registerAsync { r in [try await r.requireAsync(Int.self)] }
    let failing = try #require(resolver.registrations.last)
    let error = await #expect(throws: ResolutionError.self) { try await failing.checkAsync() }
    #expect(error?.reason == .missingArgument(key: nil, type: "Int", given: []))
  }

  @Test("What is registered for a property of the main actor is checked there")
  func checkOnMain() async throws {
    let container = Container()
    container.checkedWindow.register { ShopWindow(title: "Mugs") }
    for registration in container.registrations { try await registration.checkAsync() }
    #expect(container.registrations.count == 1)
  }

  @Test("A dry run finds a sync factory that asks for an async service, and nothing else")
  func dryRun() {
    let resolver = Resolver()
    resolver.registerMain { ShopWindow() }
    resolver.registerAsync { await RemoteTeaCatalog.load() }
    resolver.register { r in
      LocalTeaCatalog(source: try r.require(RemoteTeaCatalog.self).source)
    }
    let error = #expect(throws: ValidationError.self) { try resolver.validate(dryRun: true) }
    #expect(
      error?.description.contains(
        "The factory of `RemoteTeaCatalog` is async, and was requested without `await`.") == true)
    #expect(error?.report.errors.map(\.key?.description) == ["RemoteTeaCatalog"])
  }

  @Test("A plain resolve of an async registration traps with the fix")
  func trap() async throws {
    let line = #line + 1
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let resolver = Resolver()
      resolver.registerAsync(factory: { await RemoteTeaCatalog.load() })
      _ = resolver.resolve(RemoteTeaCatalog.self)
    }
    // Within the macro, all lines are the line of the macro.
    let text = fatal(
      line,
      """
      The factory of `RemoteTeaCatalog` is async, and was requested without `await`.

        requested:   \(#fileID):\(line)
        registered:  \(#fileID):\(line)

      To fix this:
        - Request it with `await`: `try await Resolver.root.requireAsync(RemoteTeaCatalog.self)`.
      """)
    #expect(result.start(of: text) == text)
  }
}
