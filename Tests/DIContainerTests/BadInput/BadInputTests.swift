import DIContainer
import Foundation
import TestSupport
import Testing

private final class Catalog: Sendable {}

private final class Probe {
  let onDeinit: () -> Void
  init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
  deinit { onDeinit() }
}

/// What nobody should do, and the answer that it gets.
@Suite("Bad input")
struct BadInputTests {
  private let resolver: Resolver = Resolver()

  // MARK: Names

  @Test("The empty name is a name, and not the same as none")
  func emptyName() {
    resolver.register(name: "") { 1 }
    #expect(resolver.optional(Int.self) == nil)
    #expect(resolver.optional(Int.self, name: "") == 1)
    resolver.register { 2 }
    #expect(resolver.optional(Int.self, name: "") == 1)
    #expect(resolver.optional(Int.self) == 2)
  }

  @Test(
    "A name may be any Unicode",
    arguments: [
      " ", "\n", "\0", "\u{1B}[2J", "\"", "`", "é", "日本語", "👩‍👩‍👧‍👦", "\u{202E}abc", "a:b",
      String(repeating: "x", count: 100_000),
    ])
  func unicode(name: String) {
    resolver.register(name: Resolver.Name(name)) { name.count }
    #expect(resolver.optional(Int.self, name: .init(name)) == name.count)
    #expect(resolver.optional(Int.self, name: .init(name + " ")) == nil)
    #expect(resolver.registrations.map(\.key.name) == [Resolver.Name(name)])
  }

  @Test("Names that are written differently but are the same text are one")
  func canonicalEquivalence() {
    resolver.register(name: "caf\u{E9}") { 1 }
    #expect(resolver.optional(Int.self, name: "cafe\u{301}") == 1)
    resolver.register(name: "cafe\u{301}") { 2 }
    #expect(resolver.optional(Int.self, name: "caf\u{E9}") == 2)
    #expect(resolver.registrations.count == 1)
  }

  @Test("A name cannot break a diagnosis, nor command a terminal")
  func nameInDiagnosis() {
    let error = #expect(throws: ResolutionError.self) {
      try resolver.require(Int.self, name: "a\"\n\u{1B}[2J")
    }
    #expect(
      error?.description.hasPrefix(
        "Nothing is registered for `Int \"a\\\"\\n\\u{1B}[2J\"`.\n\n  requested:") ?? false)
    #expect(error?.description.contains("\u{1B}") == false)
  }

  // MARK: At the wrong moment

  @Test("An instance that resolves in its deinit, let go by a cache")
  func deinitOfKept() {
    let found = Counter()
    resolver.register { Catalog() }.scope(.cached)
    let own = Scope.cache()
    resolver.register { [resolver] in
      Probe { if resolver.optional(Catalog.self) != nil { found.increment() } }
    }.scope(own)
    _ = resolver.resolve(Probe.self)
    own.reset()
    #expect(found.value == 1)
    _ = resolver.resolve(Probe.self)
    resolver.remove(Probe.self)
    #expect(found.value == 2)
  }

  @Test("An instance that resolves in its deinit, let go at the end of its resolution")
  func deinitAtEndOfCycle() {
    let found = Counter()
    resolver.register { Catalog() }
    resolver.register { [resolver] in
      Probe {
        // The very service whose resolution has just ended, and one that was shared in it.
        if found.increment() == 1 { _ = resolver.resolve(String.self) }
        _ = resolver.resolve(Catalog.self)
      }
    }
    resolver.register { r -> String in
      _ = r.resolve(Probe.self)
      _ = r.resolve(Catalog.self)
      return "made"
    }
    #expect(resolver.resolve(String.self) == "made")
    #expect(found.value == 2)
  }

  @Test("A kept instance's factory uses something whose deinit asks for the instance")
  func deinitAsksForTheKept() {
    let answers = Lock<[String]>([])
    resolver.register { [resolver] in
      Probe {
        let text = (try? resolver.require(String.self)) ?? "none"
        answers.withLock { $0.append(text) }
      }
    }
    resolver.register { r -> String in
      _ = r.resolve(Probe.self)
      return "kept"
    }.scope(.cached)
    #expect(resolver.resolve(String.self) == "kept")
    #expect(answers.withLock { $0 } == ["kept"])
  }

  @Test("An instance that resolves itself in its deinit gets another")
  func deinitResolvesItself() {
    final class Phoenix {
      let reborn: () -> Void
      init(reborn: @escaping () -> Void) { self.reborn = reborn }
      deinit { reborn() }
    }
    let made = Counter()
    resolver.register { [resolver] in
      let number = made.increment()
      return Phoenix { if number < 3 { _ = resolver.resolve(Phoenix.self) } }
    }.scope(.shared)
    _ = resolver.resolve(Phoenix.self)
    #expect(made.value == 3)
  }

  @Test("A factory that registers: the newcomers are there at once")
  func factoryRegisters() {
    resolver.register { r -> Int in
      for number in 0..<100 {
        r.register(name: Resolver.Name("\(number)")) { "\(number)" }
      }
      return r.resolve(String.self, name: "99").count
    }
    #expect(resolver.resolve(Int.self) == 2)
    #expect(resolver.resolve(Int.self) == 2)
  }

  @Test("A factory that replaces itself: its answer counts, and the next comes from the new one")
  func factoryReplacesItself() {
    resolver.register { r -> Int in
      r.register { 2 }
      return 1
    }
    #expect(resolver.resolve(Int.self) == 1)
    #expect(resolver.resolve(Int.self) == 2)
  }

  @Test("A factory that removes its own registration is answered once")
  func factoryRemovesItself() {
    resolver.register { r -> Catalog in
      r.remove(Catalog.self)
      return Catalog()
    }.scope(.cached)
    #expect(resolver.optional(Catalog.self) != nil)
    #expect(resolver.optional(Catalog.self) == nil)
  }

  @Test("A factory that adds a child finds what is in it")
  func factoryNests() {
    resolver.register { r -> String in
      r.add(child: Resolver { $0.register { 7 } })
      return "\(r.resolve(Int.self))"
    }
    #expect(resolver.resolve(String.self) == "7")
  }

  @Test("A container that is let go while its factory runs")
  func containerReleasedInFactory() {
    final class Owner { var container: Resolver? = Resolver() }
    let owner = Owner()
    weak let reference = owner.container
    owner.container?.register { r -> String in
      owner.container = nil
      return r.resolve(name: "rest")
    }.scope(.cached)
    owner.container?.register(name: "rest") { "rest" }
    #expect(owner.container?.resolve(String.self) == "rest")
    #expect(reference == nil)
  }

  @Test("A container that is let go by one thread while another is in its factory")
  func containerReleasedByAnotherThread() {
    for _ in 0..<50 {
      let container = Lock<Resolver?>(Resolver())
      let isInside = Barrier(2)
      let isGone = Barrier(2)
      container.withLock { $0 }?.register { r -> String in
        isInside.wait()
        isGone.wait()
        return r.resolve(name: "rest")
      }.scope(.cached)
      container.withLock { $0 }?.register(name: "rest") { "rest" }
      let answer = Lock<String?>(nil)
      onOwnThreads(2) { thread in
        if thread == 0 {
          let text = container.withLock { $0 }?.resolve(String.self)
          answer.withLock { $0 = text }
        } else {
          isInside.wait()
          container.withLock { $0 = nil }
          isGone.wait()
        }
      }
      #expect(answer.withLock { $0 } == "rest")
    }
  }

  @Test("A registration that was replaced still takes options, which change nothing")
  func staleOptions() {
    let old = resolver.register { 1 }
    resolver.register { 2 }
    old.scope(.cached).resolveProperties { _, _ in Issue.record("the old one was made") }
    #expect(resolver.resolve(Int.self) == 2)
    let removed = resolver.register(name: "x") { 1 }
    resolver.remove(Int.self, name: "x")
    removed.scope(.cached)
    #expect(resolver.optional(Int.self, name: "x") == nil)
  }

  @Test("A name that is asked for by a type that nobody could register")
  func uninhabited() {
    #expect(resolver.optional(Never.self) == nil)
    #expect(throws: ResolutionError.self) { try resolver.require(Never.self) }
    resolver.register { () }
    #expect(resolver.optional(Void.self) != nil)
  }

  @Test("Large values, and values of no size, pass through every scope")
  func sizes() {
    struct Large: Equatable {
      var a = (1, 2, 3, 4, 5, 6, 7, 8)
      var text = "large"
      static func == (left: Self, right: Self) -> Bool {
        left.a.0 == right.a.0 && left.a.7 == right.a.7 && left.text == right.text
      }
    }
    struct Empty: Equatable {}
    for scope in [Scope.unique, .graph, .shared, .cached, .container] {
      resolver.register { Large() }.scope(scope)
      resolver.register { Empty() }.scope(scope)
      #expect(resolver.resolve(Large.self) == resolver.resolve(Large.self))
      #expect(resolver.resolve(Empty.self) == Empty())
    }
  }
}
