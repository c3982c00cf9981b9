import DITesting
import Testing

@Suite("A recorder")
struct RecorderTests {
  let recorder = ResolutionRecorder()

  /// One pass over a hit, a kept instance, a nested request, an alias, a miss and a double.
  @Test("keeps what was registered and resolved, in order, as values")
  func wholeList() {
    let line: UInt = #line
    let shop = Resolver { r in
      r.register { LivePayments() }.implements((any Payments).self).scope(.cached)
      r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
    }
    withSandbox {
      withRecorder(recorder) {
        shop.register(name: "spare") { FakePayments() as any Payments }
        _ = shop.resolve((any Mailer).self)
        _ = shop.resolve((any Payments).self)
        _ = shop.optional(Basket.self)
        _ = shop.resolve((any Payments).self, name: "spare")
      }
    }
    let container = shop.core.label
    func at(_ offset: UInt, column: UInt) -> CodeLocation {
      CodeLocation(line: line + offset, column: column)
    }
    let payments = ServiceKey((any Payments).self)
    let spare = ServiceKey((any Payments).self, name: "spare")
    let expected = [
      ResolutionEvent(
        index: 0, kind: .registered, key: spare, container: container, scope: "graph",
        isDouble: true, registeredAt: at(7, column: 22)),
      ResolutionEvent(
        index: 1, kind: .created, key: ServiceKey((any Mailer).self), container: container,
        scope: "graph", registeredAt: at(3, column: 17), requestedAt: at(8, column: 17)),
      ResolutionEvent(
        index: 2, parent: 1, depth: 1, kind: .created, key: payments, container: container,
        scope: "cached", registeredAt: at(2, column: 46), requestedAt: at(3, column: 52)),
      ResolutionEvent(
        index: 3, kind: .kept, key: payments, container: container, scope: "cached",
        registeredAt: at(2, column: 46), requestedAt: at(9, column: 17)),
      ResolutionEvent(
        index: 4, kind: .missed, key: ServiceKey(Basket.self), container: container,
        requestedAt: at(10, column: 17)),
      ResolutionEvent(
        index: 5, kind: .created, key: spare, container: container, scope: "graph",
        isDouble: true, registeredAt: at(7, column: 22), requestedAt: at(11, column: 17)),
    ]
    for (event, expected) in zip(recorder.events, expected) {
      #expect(withoutColumns(event) == withoutColumns(expected))
    }
    #expect(recorder.events.count == expected.count)
  }

  /// Columns shift with every edit of the line.
  private func withoutColumns(_ event: ResolutionEvent) -> ResolutionEvent {
    var event = event
    event.registeredAt = event.registeredAt.map { CodeLocation(line: $0.line, column: 1) }
    event.requestedAt = event.requestedAt.map { CodeLocation(line: $0.line, column: 1) }
    return event
  }

  @Test("ignores durations in comparisons, but measures them")
  func durations() {
    let key = ServiceKey(Basket.self)
    let event = ResolutionEvent(kind: .kept, key: key, container: "main", duration: .seconds(1))
    #expect(event == ResolutionEvent(kind: .kept, key: key, container: "main"))
    #expect(event != ResolutionEvent(kind: .created, key: key, container: "main"))
    let shop = Resolver { r in
      r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
      r.register { LivePayments() as any Payments }
    }
    withRecorder(recorder) { _ = shop.resolve((any Mailer).self) }
    let durations = recorder.events.map(\.duration)
    #expect(durations.count == 2)
    #expect(durations[0] >= durations[1] && durations[1] > .zero)
  }

  @Test("describes an event in a line")
  func descriptions() {
    let key = ServiceKey((any Payments).self, name: "card")
    #expect(
      ResolutionEvent(kind: .created, key: key, container: "main", scope: "cached", isDouble: true)
        .description == #"any Payments "card": created double in main (cached)"#)
    #expect(
      ResolutionEvent(kind: .missed, key: key, container: "main").description
        == #"any Payments "card": missed in main"#)
  }

  @Test("answers by type and by name")
  func queries() {
    let shop = Resolver { r in
      r.register { LivePayments() as any Payments }
      r.register(name: "card") { LivePayments() as any Payments }
    }
    withRecorder(recorder) {
      _ = shop.resolve((any Payments).self)
      _ = shop.resolve((any Payments).self, name: "card")
      _ = shop.optional(Basket.self)
    }
    #expect(recorder.resolutions(of: (any Payments).self).map(\.key.name) == [nil, "card"])
    #expect(recorder.resolutions(of: (any Payments).self, name: "card").count == 1)
    #expect(recorder.resolutions(of: (any Payments).self, name: "cash").isEmpty)
    #expect(recorder.resolutions(of: Basket.self).isEmpty)
  }

  @Test("hears each request once, though it is told to listen again while it does")
  func listensTwice() {
    let outer = ResolutionRecorder()
    let shop = Resolver { $0.register { Basket() } }
    withRecorder(outer) {
      withRecorder(recorder) {
        withRecorder(outer) {
          _ = shop.resolve(Basket.self)
          #expect(ResolutionRecorder.current === outer)
        }
        _ = shop.resolve(Basket.self)
      }
    }
    #expect(outer.resolutions(of: Basket.self).count == 2)
    #expect(recorder.resolutions(of: Basket.self).count == 2)
  }

  @Test("hands over with pop, and forgets with clear")
  func popAndClear() {
    let shop = Resolver { $0.register { Basket() } }
    withRecorder(recorder) {
      _ = shop.resolve(Basket.self)
      #expect(recorder.pop().map(\.index) == [0])
      #expect(recorder.events.isEmpty)
      _ = shop.resolve(Basket.self)
      #expect(recorder.events.map(\.index) == [0])
      recorder.clear()
      #expect(recorder.pop().isEmpty)
    }
  }

  @Test("cleared in the middle of a resolution starts anew, with what was asked for after that")
  func clearedMidway() {
    let shop = Resolver { r in
      r.register { [recorder] r in
        recorder.clear()
        return LiveMailer(payments: r.resolve()) as any Mailer
      }
      r.register { LivePayments() as any Payments }
    }
    withRecorder(recorder) { _ = shop.resolve((any Mailer).self) }
    #expect(recorder.events.map(\.key) == [ServiceKey((any Payments).self)])
    #expect(recorder.events.map(\.parent) == [nil])
    #expect(recorder.events.map(\.depth) == [0])
  }

  @Test("is current in its scope, the innermost first, and all of them hear")
  func nested() {
    let shop = Resolver { $0.register { Basket() } }
    let inner = ResolutionRecorder()
    withRecorder(recorder) {
      #expect(ResolutionRecorder.current === recorder)
      withSandbox {
        withRecorder(inner) {
          #expect(ResolutionRecorder.current === inner)
          _ = shop.resolve(Basket.self)
        }
        #expect(ResolutionRecorder.current === recorder)
      }
      _ = shop.resolve(Basket.self)
    }
    _ = shop.resolve(Basket.self)
    #expect(recorder.events.count == 2)
    #expect(inner.events.count == 1)
  }

  @Test("that begins in the middle of a resolution has its own first event")
  func beginsMidway() {
    let inner = ResolutionRecorder()
    let shop = Resolver { r in
      r.register { r in
        withRecorder(inner) { LiveMailer(payments: r.resolve()) as any Mailer }
      }
      r.register { LivePayments() as any Payments }
    }
    withRecorder(recorder) { _ = shop.resolve((any Mailer).self) }
    #expect(recorder.events.map(\.parent) == [nil, 0])
    #expect(inner.events.map(\.parent) == [nil])
  }

  @Test("returns and rethrows, sync and async, on the caller's actor")
  @MainActor func forms() async {
    #expect(withRecorder(recorder) { 1 } == 1)
    #expect(throws: OutOfStock.self) { try withRecorder(recorder) { throw OutOfStock() } }
    let spy = SpyMailer()
    let number = await withRecorder(recorder) {
      MainActor.assertIsolated()
      await Task.yield()
      spy.send("hello")
      return 2
    }
    #expect(number == 2)
    await #expect(throws: OutOfStock.self) {
      try await withRecorder(recorder) {
        await Task.yield()
        throw OutOfStock()
      }
    }
    #expect(spy.sent == ["hello"])
  }

  @Test("hears every task of its scope, each request under its own parent")
  func concurrent() async {
    let shop = Resolver { r in
      r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }.scope(.unique)
      r.register { LivePayments() as any Payments }.scope(.unique)
    }
    await withRecorder(recorder) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<200 { group.addTask { _ = shop.resolve((any Mailer).self) } }
      }
    }
    let events = recorder.events
    #expect(events.count == 400)
    #expect(events.map(\.index) == Array(0..<400))
    let mailers = events.filter { $0.key.type == (any Mailer).self }
    #expect(mailers.allSatisfy { $0.parent == nil && $0.depth == 0 && $0.kind == .created })
    let payments = events.filter { $0.key.type == (any Payments).self }
    #expect(Set(payments.map(\.parent)) == Set(mailers.map { Optional($0.index) }))
  }

  @Test("hears of a scope only if it heard of the registration")
  func scopeOfAnother() {
    let shop = Resolver()
    func register() -> ResolverOptions<Basket> { shop.register { Basket() } }
    let earlier = register()
    withRecorder(recorder) {
      _ = register()
      earlier.scope(.cached)
    }
    #expect(recorder.events.map(\.scope) == [Scope.graph.description])
  }

  @Test("keeps the misses, and what failed, where they were asked for")
  func failures() {
    let shop = Resolver { r in
      r.register { r in LiveMailer(payments: try r.require((any Payments).self)) as any Mailer }
      r.register { () throws -> Basket in throw OutOfStock() }
      r.register(name: "full") { r -> Basket in try r.require() }
      r.register(name: "none") { () -> Basket? in nil }
    }
    withRecorder(recorder) {
      _ = try? shop.require((any Mailer).self)
      _ = try? shop.require(Basket.self, name: "full")
      _ = shop.optional(Basket.self, name: "none")
    }
    #expect(recorder.events.map(\.kind) == Array(repeating: .missed, count: 5))
    #expect(recorder.events.map(\.depth) == [0, 1, 0, 1, 0])
    #expect(
      recorder.tree == """
        any Mailer  — failed in \(shop.core.label)
          any Payments  — missing in \(shop.core.label)
        Basket "full"  — failed in \(shop.core.label)
          Basket  — threw OutOfStock() in \(shop.core.label)
        Basket "none"  — returned nil in \(shop.core.label)
        """)
  }

  @Test("keeps what an async factory threw or did not return")
  func asyncFailures() async {
    let shop = Resolver { r in
      r.registerAsync { () async throws -> Basket in throw OutOfStock() }
      r.registerAsync(name: "kept") { () async throws -> Basket in throw OutOfStock() }
        .scope(.cached)
    }
    await withRecorder(recorder) {
      _ = try? await shop.requireAsync(Basket.self)
      _ = try? await shop.requireAsync(Basket.self, name: "kept")
    }
    #expect(
      recorder.tree == """
        Basket  — threw OutOfStock() in \(shop.core.label)
        Basket "kept"  — threw OutOfStock() in \(shop.core.label)
        """)
  }

  @Test("draws who was resolved for whom, as a tree and for Mermaid")
  func pictures() {
    let shop = Resolver { r in
      r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
      r.register { LivePayments() as any Payments }
    }
    withSandbox {
      shop.register { FakePayments() as any Payments }.scope(.cached)
      withRecorder(recorder) {
        _ = shop.resolve((any Mailer).self)
        _ = shop.resolve((any Payments).self)
      }
    }
    let label = shop.core.label
    #expect(
      recorder.tree == """
        any Mailer  — created live, graph, \(label)
          any Payments  — created double, cached, \(label)
        any Payments  — kept double, cached, \(label)
        """)
    #expect(
      recorder.mermaid == """
        flowchart TD
          n0["any Mailer<br/>graph · \(label)"]
          n1(["any Payments<br/>cached · \(label)"])
          n0 --> n1
        """)
  }

  @Test("shows the scope that a registration is given after it was made")
  func scopeOfRegistration() {
    withSandbox {
      withRecorder(recorder) {
        let shop = Resolver()
        shop.register { Basket() }.scope(.cached)
        shop.register(name: "plain") { Basket() }
        _ = (shop.resolve(Basket.self), shop.resolve(Basket.self, name: "plain"))
      }
    }
    #expect(recorder.events.map(\.scope) == ["cached", "graph", "cached", "graph"])
  }

  @Test("has nothing to say where nothing happened")
  func empty() {
    #expect(recorder.tree == "")
    #expect(recorder.mermaid == "flowchart TD")
    #expect(ResolutionRecorder.current == nil || ResolutionRecorder.current !== recorder)
  }
}
