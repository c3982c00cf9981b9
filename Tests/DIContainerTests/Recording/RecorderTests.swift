import DIContainer
import DITesting
import TestSupport
import Testing

private protocol Payments: AnyObject {}
private protocol Billing: AnyObject {}
private final class LivePayments: Payments, Billing {}
private final class Catalog {}

private final class Checkout {
  let payments: any Payments
  let catalog: Catalog

  init(payments: any Payments, catalog: Catalog) {
    self.payments = payments
    self.catalog = catalog
  }
}

/// What a recorder hears, event by event.
@Suite("Recorder")
struct RecorderTests {
  private static let madeAt = #line + 2
  private let recorder: ResolutionRecorder = ResolutionRecorder()
  private let resolver: Resolver = Resolver()

  private var container: String {
    "container made at DIContainerTests/RecorderTests.swift:\(Self.madeAt)"
  }

  /// An event of this container, in short.
  private func event(
    _ index: Int, _ kind: ResolutionEvent.Kind, _ key: ServiceKey, parent: Int? = nil,
    depth: Int = 0, scope: String? = nil, registered: CodeLocation? = nil,
    requested: CodeLocation? = nil
  ) -> ResolutionEvent {
    ResolutionEvent(
      index: index, parent: parent, depth: depth, kind: kind, key: key, container: container,
      scope: scope, registeredAt: registered, requestedAt: requested)
  }

  /// The event without its locations, which other tests look at.
  private func unplaced(_ events: [ResolutionEvent]) -> [ResolutionEvent] {
    events.map { event in
      var event = event
      event.registeredAt = nil
      event.requestedAt = nil
      return event
    }
  }

  @Test("Registrations, nested requests, hits and misses, in request order")
  func wholeStory() {
    withRecorder(recorder) {
      resolver.register { LivePayments() as any Payments }.scope(.cached)
      resolver.register(Catalog.init)
      resolver.register(Checkout.init).scope(.unique)
      _ = resolver.resolve(Checkout.self)
      _ = resolver.resolve((any Payments).self)
      _ = resolver.optional(String.self, name: "motto")
    }
    let payments = ServiceKey((any Payments).self)
    let catalog = ServiceKey(Catalog.self)
    let checkout = ServiceKey(Checkout.self)
    #expect(
      unplaced(recorder.events) == [
        event(0, .registered, payments, scope: "cached"),
        event(1, .registered, catalog, scope: "graph"),
        event(2, .registered, checkout, scope: "unique"),
        event(3, .created, checkout, scope: "unique"),
        event(4, .created, payments, parent: 3, depth: 1, scope: "cached"),
        event(5, .created, catalog, parent: 3, depth: 1, scope: "graph"),
        event(6, .kept, payments, scope: "cached"),
        event(7, .missed, ServiceKey(String.self, name: "motto")),
      ])
  }

  @Test("Events say where a registration and a request were made")
  func locations() throws {
    let registered = UInt(#line + 1)
    resolver.register { Catalog() }
    let requested = UInt(#line + 1)
    withRecorder(recorder) { _ = resolver.resolve(Catalog.self) }
    let event = try #require(recorder.events.first)
    #expect(event.registeredAt?.line == registered)
    #expect(event.requestedAt?.line == requested)
    #expect(event.registeredAt?.fileID == "DIContainerTests/RecorderTests.swift")
    #expect(event.duration > .zero)
    #expect(
      event.description == "Catalog: created live in \(container) (graph)")
  }

  @Test("An event's duration is what the system's clock says of the factory")
  func duration() throws {
    let clock = ContinuousClock()
    var inside = Duration.zero
    resolver.register {
      inside = clock.measure {
        let end = clock.now + .milliseconds(2)
        while clock.now < end {}
      }
      return Catalog()
    }
    let outside = clock.measure { withRecorder(recorder) { _ = resolver.resolve(Catalog.self) } }
    let event = try #require(recorder.events.first)
    // The ticks that it is counted in are told from two looks at that clock.
    #expect(event.duration >= inside * 0.99)
    #expect(event.duration <= outside * 1.01)
  }

  @Test("A protocol answered by way of implements is one event, in the scope of what stands behind")
  func implements() {
    resolver.register { LivePayments() }.implements((any Payments).self).scope(.cached)
    withRecorder(recorder) {
      _ = resolver.resolve((any Payments).self)
      _ = resolver.resolve((any Payments).self)
    }
    let key = ServiceKey((any Payments).self)
    #expect(
      unplaced(recorder.events) == [
        event(0, .created, key, scope: "cached"), event(1, .kept, key, scope: "cached"),
      ])
  }

  @Test("However many stand for each other, the scope is that of what is made in the end")
  func implementsByWayOfAnother() {
    resolver.register { LivePayments() as any Payments }.implements((any Billing).self)
    inSandbox {
      resolver.register { LivePayments() }.implements((any Payments).self).scope(.cached)
      withRecorder(recorder) {
        _ = resolver.resolve((any Billing).self)
        _ = resolver.resolve((any Billing).self)
      }
    }
    #expect(recorder.events.map(\.kind) == [.created, .kept])
    #expect(recorder.events.map(\.scope) == ["cached", "cached"])
    #expect(recorder.events.map(\.isDouble) == [true, true])
  }

  @Test("An instance shared within a cycle is created once and kept then")
  func graph() {
    resolver.register { Catalog() }
    resolver.register(name: "both") { r -> Bool in
      r.resolve(Catalog.self) === r.resolve(Catalog.self)
    }
    withRecorder(recorder) { _ = resolver.resolve(Bool.self, name: "both") }
    #expect(recorder.events.map(\.kind) == [.created, .created, .kept])
    #expect(recorder.events.map(\.parent) == [nil, 0, 0])
  }

  @Test("A request that comes to nothing is a miss: nil, an error, and what it asked for before")
  func failures() {
    struct Broken: Error {}
    resolver.register { () -> Catalog? in nil }
    resolver.register(name: "broken") { () throws -> Int in throw Broken() }
    resolver.register(name: "needs") { r -> Int in try r.require(name: "none") }
    withRecorder(recorder) {
      _ = resolver.optional(Catalog.self)
      _ = try? resolver.require(Int.self, name: "broken")
      _ = try? resolver.require(Int.self, name: "needs")
    }
    #expect(recorder.events.map(\.kind) == [.missed, .missed, .missed, .missed])
    #expect(recorder.events.map(\.parent) == [nil, nil, nil, 2])
    #expect(recorder.events.map(\.key.name) == [nil, "broken", "needs", "none"])
  }

  @Test("An optional that is asked for is one event, hit or miss")
  func optionals() {
    withRecorder(recorder) {
      let none: Catalog? = resolver.resolve()
      #expect(none == nil)
      resolver.register { Catalog() }
      let some: Catalog? = resolver.resolve()
      #expect(some != nil)
    }
    #expect(recorder.events.map(\.kind) == [.missed, .registered, .created])
    #expect(Set(recorder.events.map(\.key)) == [ServiceKey(Catalog.self)])
  }

  @Test("Recorders inside each other all hear, each with places of its own")
  func nested() {
    let inner = ResolutionRecorder()
    resolver.register { Catalog() }
    resolver.register(name: "outer") { r -> Int in
      withRecorder(inner) {
        #expect(ResolutionRecorder.current === inner)
        _ = r.resolve(Catalog.self)
      }
      return 1
    }
    withRecorder(recorder) {
      #expect(ResolutionRecorder.current === recorder)
      _ = resolver.resolve(Int.self, name: "outer")
    }
    #expect(ResolutionRecorder.current == nil)
    #expect(recorder.events.map(\.parent) == [nil, 0])
    #expect(inner.events.map(\.parent) == [nil])
    #expect(inner.events.map(\.depth) == [0])
  }

  @Test("Looking leaves events, popping takes them, clearing forgets them")
  func popAndClear() {
    resolver.register { Catalog() }
    withRecorder(recorder) {
      _ = resolver.resolve(Catalog.self)
      #expect(recorder.events.count == 1)
      #expect(recorder.pop().map(\.index) == [0])
      #expect(recorder.events.isEmpty)
      _ = resolver.resolve(Catalog.self)
      #expect(recorder.events.map(\.index) == [0])
      recorder.clear()
    }
    #expect(recorder.events.isEmpty)
  }

  @Test("Resolutions are found by type, and by name")
  func resolutions() {
    resolver.register { 1 }
    resolver.register(name: "a") { 2 }
    withRecorder(recorder) {
      _ = resolver.resolve(Int.self)
      _ = resolver.resolve(Int.self, name: "a")
      _ = resolver.optional(Int.self, name: "b")
    }
    #expect(recorder.resolutions(of: Int.self).count == 2)
    #expect(recorder.resolutions(of: Int.self, name: "a").map(\.index) == [1])
    #expect(recorder.resolutions(of: Int.self, name: "b").isEmpty)
    #expect(recorder.resolutions(of: String.self).isEmpty)
  }

  @Test("Nothing is heard outside, nor from another thread")
  func outside() {
    resolver.register { Catalog() }
    withRecorder(recorder) {
      onOwnThreads(1) { [resolver] _ in _ = resolver.optional(Int.self) }
    }
    _ = resolver.resolve(Catalog.self)
    #expect(recorder.events.isEmpty)
  }

  @Test("Child tasks are heard, and an async operation returns what it returns")
  func asynchronous() async throws {
    resolver.register { Catalog() }
    let count = try await withRecorder(recorder) { [resolver] () async throws -> Int in
      async let one = Task { resolver.optional(Int.self) == nil }.value
      async let other = resolver.optional(String.self) == nil
      _ = await (one, other)
      return 2
    }
    #expect(count == 2)
    #expect(recorder.events.count == 2)
    #expect(recorder.events.allSatisfy { $0.kind == .missed && $0.parent == nil })
  }

  @Test("An operation that throws ends the recording, and its error goes through")
  func throwing() {
    struct Failed: Error {}
    #expect(throws: Failed.self) { try withRecorder(recorder) { throw Failed() } }
    #expect(ResolutionRecorder.current == nil)
  }

  @Test("Events are values: all but the duration is compared")
  func equality() {
    let key = ServiceKey(Int.self)
    let one = ResolutionEvent(kind: .created, key: key, container: "main", duration: .seconds(1))
    var other = ResolutionEvent(kind: .created, key: key, container: "main")
    #expect(one == other)
    other.kind = .kept
    #expect(one != other)
    #expect(one.isRequest)
    #expect(!ResolutionEvent(kind: .registered, key: key, container: "main").isRequest)
    #expect(one.description == "Int: created live in main")
    #expect(
      ResolutionEvent(kind: .missed, key: key, container: "main").description
        == "Int: missed in main")
  }

  @Test("The tree shows who was resolved for whom")
  func tree() {
    resolver.register { LivePayments() as any Payments }.scope(.cached)
    resolver.register(Checkout.init)
    withRecorder(recorder) {
      _ = try? resolver.require(Checkout.self)
      resolver.register(Catalog.init)
      _ = resolver.resolve(Checkout.self)
    }
    #expect(
      recorder.tree == """
        Checkout  — failed in \(container)
          any Payments  — created live, cached, \(container)
          Catalog  — missing in \(container)
        Checkout  — created live, graph, \(container)
          any Payments  — kept live, cached, \(container)
          Catalog  — created live, graph, \(container)
        """)
  }

  @Test("The flow chart has a node for each service and an edge for each use")
  func mermaid() {
    let chart = ResolutionRecorder()
    withRecorder(chart) {
      let shop = Resolver { r in
        r.register(name: "a \"b\" #1") { LivePayments() as any Payments }
        r.register { r in
          Checkout(payments: r.resolve(name: "a \"b\" #1"), catalog: r.optional() ?? Catalog())
        }
      }
      _ = shop.resolve(Checkout.self)
      _ = shop.resolve(Checkout.self)
    }
    let label = chart.events.first?.container ?? ""
    #expect(
      chart.mermaid == """
        flowchart TD
          n0["Checkout<br/>graph · \(label)"]
          n1["any Payments #quot;a \\#quot;b\\#quot; #35;1#quot;<br/>graph · \(label)"]
          n2{{"Catalog<br/>missing · \(label)"}}
          n0 --> n1
          n0 --> n2
        """)
    #expect(ResolutionRecorder().mermaid == "flowchart TD")
    #expect(ResolutionRecorder().tree == "")
  }
}
