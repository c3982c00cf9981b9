import DIContainer
import DITesting
import Testing

private final class Catalog {}

private final class Checkout {
  let catalogs: [Catalog]
  init(_ catalogs: [Catalog]) { self.catalogs = catalogs }
}

/// What a recorder keeps, and what it does not.
@Suite("Recorder: memory")
struct RecorderMemoryTests {
  private let recorder = ResolutionRecorder()
  private let resolver = Resolver()

  @Test("No container, factory or instance lives longer for being recorded")
  func nothingKept() {
    final class Captured {}
    weak var container: Resolver?
    weak var captured: Captured?
    weak var kept: Catalog?
    do {
      let resolver = Resolver()
      let own = Captured()
      resolver.register { [own] () -> Catalog in
        withExtendedLifetime(own) { Catalog() }
      }.scope(.cached)
      withRecorder(recorder) { kept = resolver.resolve(Catalog.self) }
      #expect(kept != nil)
      (container, captured) = (resolver, own)
    }
    #expect(container == nil)
    #expect(captured == nil)
    #expect(kept == nil)
    #expect(recorder.events.map(\.key) == [ServiceKey(Catalog.self)])
  }

  @Test("A request that asks for a thousand things is ended where it was begun")
  func manyInside() throws {
    resolver.register { Catalog() }.scope(.unique)
    resolver.register { r in
      Checkout((0..<1_000).map { _ in r.resolve() })
    }.scope(.unique)
    withRecorder(recorder) { _ = resolver.resolve(Checkout.self) }
    let events = recorder.events
    #expect(events.map(\.index) == Array(0...1_000))
    #expect(events.allSatisfy { $0.kind == .created })
    #expect(events.dropFirst().allSatisfy { $0.parent == 0 && $0.depth == 1 })
    let inside = events.dropFirst().reduce(Duration.zero) { $0 + $1.duration }
    #expect(events[0].duration >= inside)
  }

  @Test("Registrations that are asked for in turn are told apart, however many there are")
  func manyRegistrations() {
    let names = (0..<300).map { Resolver.Name("\($0)") }
    for name in names { resolver.register(name: name) { Catalog() } }
    withRecorder(recorder) {
      for _ in 0..<3 { for name in names { _ = resolver.resolve(Catalog.self, name: name) } }
    }
    #expect(recorder.events.map(\.key.name) == names + names + names)
  }

  @Test("Events tell the scope that a registration had when it was asked for")
  func rescoped() {
    let options = resolver.register { Catalog() }
    withRecorder(recorder) {
      _ = resolver.resolve(Catalog.self)
      options.scope(.cached)
      _ = resolver.resolve(Catalog.self)
      _ = resolver.resolve(Catalog.self)
    }
    #expect(recorder.events.map(\.scope) == ["graph", "cached", "cached"])
    #expect(recorder.events.map(\.kind) == [.created, .created, .kept])
  }

  @Test("A registration that is given its scope a thousand events later tells it")
  func rescopedLate() {
    withRecorder(recorder) {
      let options = resolver.register { Catalog() }
      for _ in 0..<1_000 { _ = resolver.resolve(Catalog.self) }
      options.scope(.unique)
    }
    #expect(recorder.events[0].kind == .registered)
    #expect(recorder.events[0].scope == "unique")
    #expect(recorder.events.dropFirst().allSatisfy { $0.scope == "graph" })
  }

  @Test("Events that were looked at stay as they were")
  func snapshots() {
    resolver.register(name: "before") { Catalog() }
    resolver.register { [recorder] r -> Catalog in
      let early = recorder.events
      #expect(early.map(\.kind) == [.missed])
      return r.resolve(name: "before")
    }
    withRecorder(recorder) { _ = resolver.resolve(Catalog.self) }
    #expect(recorder.events.map(\.kind) == [.created, .created])
  }

  @Test("A request that is under way when its recorder is emptied leaves nothing in what follows")
  func emptiedMidway() {
    let outer = ResolutionRecorder()
    resolver.register(name: "inside") { Catalog() }
    resolver.register { [recorder] r -> Catalog in
      #expect(recorder.pop().map(\.kind) == [.missed])
      return r.resolve(name: "inside")
    }
    withRecorder(outer) {
      withRecorder(recorder) { _ = resolver.resolve(Catalog.self) }
    }
    #expect(recorder.events.map(\.key.name) == ["inside"])
    #expect(recorder.events.map(\.parent) == [nil])
    #expect(outer.events.map(\.kind) == [.created, .created])
    #expect(outer.events.map(\.parent) == [nil, 0])
  }
}
