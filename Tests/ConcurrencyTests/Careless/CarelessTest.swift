import DITesting

// Tests written the careless way: none of them cleans up, each believes to be alone in the process.
// They are values, so that one suite can run them with the trait and another without. Each gives
// way between what it sets up and what it looks at, so that others come in between.

/// A test that changes the process's containers and never puts anything back.
struct CarelessTest: Sendable, CustomStringConvertible {
  let name: String
  let number: Int
  let run: @Sendable (_ label: String) async throws -> Void

  var description: String { "\(name) \(number)" }
  var label: String { "till \(number)" }

  /// Two hundred of them: every idiom with eight tills of its own.
  static let all: [CarelessTest] = idioms.flatMap { name, run in
    (0..<8).map { CarelessTest(name: name, number: $0, run: run) }
  }

  private static let idioms: [(String, @Sendable (String) async throws -> Void)] =
    registering + keeping + injecting + containers + settings
}

/// What a careless test throws when it sees what is not its own.
struct NotAlone: Error, CustomStringConvertible {
  let description: String
}

func check(
  _ isAsExpected: Bool, _ expectation: String = "", line: UInt = #line
) throws(NotAlone) {
  if !isAsExpected { throw NotAlone(description: "line \(line) \(expectation)") }
}

private func till() -> any Till { Resolver.resolve() }

extension CarelessTest {
  fileprivate static let registering: [(String, @Sendable (String) async throws -> Void)] = [
    (
      "registers into main",
      { label in
        try check(Resolver.optional((any Till).self) == nil)
        Resolver.main.register { LiveTill(label) as any Till }
        await Task.yield()
        try check(till().label == label)
      }
    ),
    (
      "re-registers what it used before",
      { label in
        Resolver.register { LiveTill("old") as any Till }.scope(.cached)
        _ = till()
        Resolver.register { LiveTill(label) as any Till }.scope(.cached)
        await Task.yield()
        try check(till().label == label && till().sales == 0)
        till().sales = 1
        try check(till().sales == 1)
      }
    ),
    (
      "registers under names",
      { label in
        try check(Resolver.optional((any Till).self, name: "spare") == nil)
        Resolver.register(name: "spare") { LiveTill("spare \(label)") as any Till }
        Resolver.register { LiveTill(label) as any Till }
        await Task.yield()
        try check(Resolver.resolve((any Till).self, name: "spare").label == "spare \(label)")
        try check(till().label == label)
      }
    ),
    (
      "registers a spy that it looks at afterwards",
      { label in
        let spy = LiveTill(label)
        Resolver.register { spy as any Till }
        Resolver.register { r in SalesDesk(till: r.resolve()) }
        Resolver.resolve(SalesDesk.self).till.sales += 1
        try check(spy.sales == 1)
      }
    ),
    (
      "takes a registration away",
      { label in
        try check(Resolver.optional(Stamp.self) == nil)
        Resolver.register { Stamp(label) }
        await Task.yield()
        try check(Resolver.optional(Stamp.self)?.label == label)
        Resolver.main.remove(Stamp.self)
        await Task.yield()
        try check(Resolver.optional(Stamp.self) == nil)
        Resolver.register { Stamp(label) }
        try check(Resolver.resolve(Stamp.self).label == label)
      }
    ),
    (
      "registers an implementation with properties",
      { label in
        Resolver.register { LiveTill(label) }.implements((any Till).self).scope(.shared)
        Resolver.register { Stamp(label) }
          .resolveProperties { r, stamp in stamp.till = r.resolve() }
        await Task.yield()
        try check(Resolver.resolve(Stamp.self).till?.label == label)
      }
    ),
  ]

  fileprivate static let keeping: [(String, @Sendable (String) async throws -> Void)] = [
    ("keeps a till in .cached", { try await keeps($0, .cached) }),
    ("keeps a till in .application", { try await keeps($0, .application) }),
    ("keeps a till in .singleton", { try await keeps($0, .singleton) }),
    ("keeps a till in .container", { try await keeps($0, .container) }),
    ("keeps a till in a scope of its own", { try await keeps($0, .shift) }),
    (
      "keeps a till weakly",
      { label in
        Resolver.register { LiveTill(label) as any Till }.scope(.shared)
        let held = till()
        await Task.yield()
        try check(till() === held && held.label == label)
      }
    ),
    (
      "resets the caches",
      { label in
        Resolver.register { LiveTill(label) as any Till }.scope(.cached)
        let first = till()
        Scope.cached.reset()
        let second = till()
        try check(first !== second)
        await Task.yield()
        try check(till() === second)
        Scope.shift.reset()
        Scope.application.reset()
      }
    ),
    (
      "resets everything",
      { label in
        Resolver.register { LiveTill("old") as any Till }.scope(.application)
        _ = till()
        Resolver.reset()
        try check(Resolver.optional((any Till).self) == nil)
        Resolver.register { LiveTill(label) as any Till }
        await Task.yield()
        try check(till().label == label)
      }
    ),
  ]

  private static func keeps(_ label: String, _ scope: Scope) async throws {
    try check(Resolver.optional((any Till).self) == nil)
    Resolver.register { LiveTill(label) as any Till }.scope(scope)
    let first = till()
    try check(first.label == label && first.sales == 0)
    first.sales += 1
    await Task.yield()
    try check(till() === first && first.sales == 1)
  }

  fileprivate static let injecting: [(String, @Sendable (String) async throws -> Void)] = [
    (
      "injects when made",
      { label in
        Resolver.register { LiveTill(label) as any Till }
        Resolver.register(name: "spare") { LiveTill("spare \(label)") as any Till }
        await Task.yield()
        let desk = InjectedDesk()
        try check(desk.till.label == label && desk.spare.label == "spare \(label)")
      }
    ),
    (
      "injects on first use",
      { label in
        let desk = LazyDesk()
        Resolver.register { LiveTill(label) as any Till }
        Resolver.register { Stamp(label) }.scope(.application)
        await Task.yield()
        try check(desk.till.label == label && desk.stamp?.label == label)
      }
    ),
    (
      "injects what may be absent",
      { label in
        try check(OptionalDesk().stamp == nil)
        Resolver.register { Stamp(label) }
        await Task.yield()
        try check(OptionalDesk().stamp?.label == label)
      }
    ),
    (
      "resolves by way of Resolving, in child tasks too",
      { label in
        Resolver.register { LiveTill(label) as any Till }.scope(.singleton)
        let sales = await withTaskGroup(of: Int.self) { group in
          group.addTask { ResolvingDesk().sell() }
          return await group.next()!
        }
        try check(sales == 1 && ResolvingDesk().sell() == 2)
      }
    ),
  ]

  fileprivate static let containers: [(String, @Sendable (String) async throws -> Void)] = [
    (
      "swaps the root for a mock",
      { label in
        try check(Resolver.root === Resolver.main)
        Resolver.register { LiveTill("live") as any Till }
        Resolver.carelessMock.register { LiveTill(label) as any Till }
        Resolver.root = .carelessMock
        await Task.yield()
        try check(Resolver.root === Resolver.carelessMock && till().label == label)
      }
    ),
    (
      "replaces Container.shared",
      { label in
        let mine = Resolver()
        mine.register { LiveTill(label) as any Till }
        Container.shared = mine
        await Task.yield()
        try check(Container.shared === mine && till().label == label)
      }
    ),
    (
      "uses production's container and what it keeps",
      { label in
        let first = Resolver.tills.resolve((any Till).self)
        try check(first.label == "live" && first.sales == 0)
        first.sales += 1
        let back = Resolver.tills.resolve((any Till).self, name: "back")
        try check(back.label == "back" && back.sales == 0)
        back.sales += 1
        Resolver.tills.register { LiveTill(label) as any Till }
        await Task.yield()
        try check(Resolver.tills.resolve((any Till).self).label == label)
      }
    ),
    (
      "fills an empty container",
      { label in
        try check(Resolver.drawer.optional((any Till).self) == nil)
        Resolver.drawer.register { LiveTill(label) as any Till }.scope(.cached)
        await Task.yield()
        try check(Resolver.drawer.resolve((any Till).self).label == label)
      }
    ),
    (
      "adds a child to main",
      { label in
        let child = Resolver()
        child.register { Stamp(label) }
        try check(Resolver.optional(Stamp.self) == nil)
        Resolver.main.add(child: child)
        Resolver.main.add(child: .tills)
        await Task.yield()
        try check(Resolver.resolve(Stamp.self).label == label && till().label == "live")
      }
    ),
  ]

  fileprivate static let settings: [(String, @Sendable (String) async throws -> Void)] = [
    (
      "changes the default scope",
      { label in
        try check(Resolver.defaultScope === Scope.graph)
        Resolver.defaultScope = .cached
        Resolver.register { LiveTill(label) as any Till }
        await Task.yield()
        try check(till() === till() && till().label == label)
      }
    ),
    (
      "decorates everything",
      { label in
        try check(Resolver.decorate == nil)
        Resolver.decorate = { ($0 as? any Till)?.sales += 1 }
        Resolver.register { LiveTill(label) as any Till }.scope(.cached)
        _ = till()
        await Task.yield()
        try check(till().sales == 2)
      }
    ),
  ]
}
