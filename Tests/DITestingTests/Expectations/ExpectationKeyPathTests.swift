@testable import DITesting
import Testing

private final class Clock: Sendable {}

private final class Depot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension Container {
  fileprivate var clock: Factory<Clock> { self { Clock() } }
  fileprivate var spareClock: Factory<Clock> { self { Clock() } }
  fileprivate var alarm: ParameterFactory<Int, Clock> { self { _ in Clock() } }
  fileprivate var wallClock: MainActorFactory<Clock> { self { Clock() } }
  fileprivate var radioClock: AsyncFactory<Clock> { self { Clock() } }
}

extension SharedContainer {
  fileprivate var commonClock: Factory<Clock> { self { Clock() } }
}

extension Depot {
  fileprivate var clock: Factory<Clock> { self { Clock() } }
  fileprivate var alarm: ParameterFactory<Int, Clock> { self { _ in Clock() } }
  fileprivate var depotClock: Factory<Clock> { self { Clock() }.cached }
  fileprivate var depotAlarm: ParameterFactory<Int, Clock> { self { _ in Clock() } }
  fileprivate var wallClock: MainActorFactory<Clock> { self { Clock() } }
  fileprivate var radioClock: AsyncFactory<Clock> { self { Clock() }.cached }
}

@Suite("Expectations by key path", .recorded, .sandbox, .withoutWarnings)
struct ExpectationKeyPathTests {
  @Test("about doubles say how to register one for a property")
  func onlyDoubles() {
    _ = Depot.shared.depotClock()
    let line: UInt = #line
    let label = Depot.shared.manager.core.label
    let file = "DITestingTests/ExpectationKeyPathTests.swift"
    expectIssue(
      """
      Expected only doubles to be resolved, but a live service was.

        live:  `depotClock: Clock` in \(label), registered at \(file):26, requested at \
      \(file):\(line - 1)

      To fix this:
        - Register a double: `Depot.shared.depotClock.register { … }` in the sandbox, or \
      `mock.double(\\Depot.depotClock) { … }` in a layer.
        - If it may be live, exclude it: `except: \\Depot.depotClock`.

      Resolved:
        depotClock: Clock  — created live, cached, \(label)
      """, atLine: line + 18
    ) { expectOnlyDoublesResolved() }
  }

  @Test("have the recorder's events to go by, of any kind of property")
  func events() async throws {
    let recorder = try #require(ResolutionRecorder.current)
    _ = (Container.shared.clock(), Depot.shared.clock(), Depot.shared.alarm(1))
    _ = await (Container.shared.wallClock(), Depot.shared.wallClock())
    _ = try await (Container.shared.radioClock(), Depot.shared.radioClock())
    let counts = [
      recorder.resolutions(of: \.clock), recorder.resolutions(of: \.spareClock),
      recorder.resolutions(of: \.alarm), recorder.resolutions(of: \.wallClock),
      recorder.resolutions(of: \.radioClock), recorder.resolutions(of: \Depot.clock),
      recorder.resolutions(of: \Depot.alarm), recorder.resolutions(of: \Depot.wallClock),
      recorder.resolutions(of: \Depot.radioClock), recorder.resolutions(of: Clock.self),
    ].map(\.count)
    #expect(counts == [1, 0, 0, 1, 1, 1, 1, 1, 1, 7])
    #expect(recorder.resolutions(of: \Depot.alarm).map(\.kind) == [.created])
  }

  @Test("hold for the property that was asked for, and for no other")
  func holds() {
    expectNotResolved(\Container.clock)
    expectNotResolved(\Depot.depotClock)
    _ = Container.shared.clock()
    expectResolved(\Container.clock)
    expectResolved(\.clock, times: 1, built: 1)
    expectNotResolved(\.spareClock)
    expectNotResolved(\Depot.depotClock)
    _ = Depot.shared.depotClock()
    _ = Depot.shared.depotClock()
    expectResolved(\Depot.depotClock, times: 2, built: 1)
    expectResolved(\.clock, times: 1)
  }

  @Test("about an order hold for properties, whatever comes in between")
  func order() {
    _ = Container.shared.clock()
    _ = Depot.shared.depotClock()
    _ = Container.shared.spareClock()
    expectResolved(inOrder: \.clock, \.spareClock)
    expectResolved(inOrder: \.spareClock)
    expectResolved(inOrder: \Container.clock, \Depot.depotClock, \Container.spareClock)
    let resolved = """
      Resolved:
        clock: Clock  — created live, unique, main
        depotClock: Clock  — created live, cached, \(Depot.shared.manager.core.label)
        spareClock: Clock  — created live, unique, main
      """
    let line: UInt = #line
    expectIssue(
      """
      Expected to be resolved in this order: spareClock: Clock, clock: Clock. But `clock: Clock` \
      was not resolved after `spareClock: Clock`.

      \(resolved)
      """, atLine: line + 8
    ) { expectResolved(inOrder: \.spareClock, \.clock) }
    expectIssue(
      """
      Expected to be resolved in this order: spareClock: Clock, depotClock: Clock. But \
      `depotClock: Clock` was not resolved after `spareClock: Clock`.

      \(resolved)
      """, atLine: line + 16
    ) { expectResolved(inOrder: \Container.spareClock, \Depot.depotClock) }
  }

  @Test("about doubles hold where properties may be live, not all that are of their types")
  func exceptions() {
    let line: UInt = #line
    _ = Container.shared.clock()
    expectOnlyDoublesResolved(except: \.clock)
    expectOnlyDoublesResolved(except: \.spareClock, \.clock)
    _ = Depot.shared.depotClock()
    expectOnlyDoublesResolved(except: \Container.clock, \Depot.depotClock)
    let label = Depot.shared.manager.core.label
    let file = "DITestingTests/ExpectationKeyPathTests.swift"
    expectIssue(
      """
      Expected only doubles to be resolved, but a live service was.

        live:  `depotClock: Clock` in \(label), registered at \(file):26, requested at \
      \(file):\(line + 4)

      To fix this:
        - Register a double: `Depot.shared.depotClock.register { … }` in the sandbox, or \
      `mock.double(\\Depot.depotClock) { … }` in a layer.
        - If it may be live, exclude it: `except: \\Depot.depotClock`.

      Resolved:
        clock: Clock  — created live, unique, main
        depotClock: Clock  — created live, cached, \(label)
      """, atLine: line + 24
    ) { expectOnlyDoublesResolved(except: \.clock) }
    expectIssue(
      """
      Expected only doubles to be resolved, but a live service was.

        live:  `clock: Clock` in main, registered at \(file):12, requested at \
      \(file):\(line + 1)

      To fix this:
        - Register a double: `Container.shared.clock.register { … }` in the sandbox, or \
      `mock.double(\\Container.clock) { … }` in a layer.
        - If it may be live, exclude it: `except: \\Container.clock`.

      Resolved:
        clock: Clock  — created live, unique, main
        depotClock: Clock  — created live, cached, \(label)
      """, atLine: line + 41
    ) { expectOnlyDoublesResolved(except: \Depot.depotClock) }
  }

  @Test("hold for properties whose services take a parameter")
  func parameters() {
    _ = Container.shared.alarm(7)
    expectResolved(\.alarm, times: 1, built: 1)
    expectNotResolved(\Depot.depotAlarm)
    _ = Depot.shared.depotAlarm(8)
    expectResolved(\Depot.depotAlarm, times: 1)
  }

  @MainActor
  @Test("hold for properties of the main actor")
  func mainActor() {
    expectNotResolved(\.wallClock)
    _ = Container.shared.wallClock()
    expectResolved(\.wallClock, times: 1, built: 1)
    expectNotResolved(\Depot.wallClock)
    _ = Depot.shared.wallClock()
    expectResolved(\Depot.wallClock, times: 1)
    expectResolved(Clock.self, times: 2)
  }

  @Test("hold for async properties")
  func asynchronous() async throws {
    expectNotResolved(\Depot.radioClock)
    _ = try await Depot.shared.radioClock()
    _ = try await Depot.shared.radioClock()
    expectResolved(\Depot.radioClock, times: 2, built: 1)
    expectNotResolved(\.radioClock)
    _ = try await Container.shared.radioClock()
    expectResolved(\.radioClock, times: 1, built: 1)
  }

  @Test("tell two container types apart that declare one name in one file")
  func sameName() {
    _ = Container.shared.clock()
    expectNotResolved(\Depot.clock)
    _ = Depot.shared.clock()
    expectResolved(\Depot.clock, times: 1)
    expectResolved(\.clock, times: 1)
    _ = Depot.shared.alarm(7)
    expectNotResolved(\.alarm)
    expectResolved(\Depot.alarm, times: 1)
  }

  @Test("hold for a property of every container, whichever is asked")
  func common() {
    _ = Container.shared.commonClock()
    _ = Depot.shared.commonClock()
    expectResolved(\.commonClock, times: 2)
    expectResolved(\Depot.commonClock, times: 2)
  }

  @Test("hold for doubles, wherever they are registered")
  func doubles() {
    withLayer { layer in
      layer.double(\Depot.depotClock) { Clock() }
      layer.double(\.clock) { Clock() }
    } operation: {
      _ = Depot.shared.depotClock()
      _ = Container.shared.clock()
      expectResolved(\Depot.depotClock, times: 1)
      expectResolved(\.clock, times: 1)
      expectOnlyDoublesResolved()
    }
  }

  @Test("fail with the property's name, and with what comes close")
  func fails() {
    let shop = Resolver { $0.register { Clock() } }
    _ = shop.resolve(Clock.self)
    _ = shop.spareClock()
    let line: UInt = #line
    expectIssue(
      """
      Expected `clock: Clock` to be resolved, but it was not.

        close:  `Clock` was resolved, by type
        close:  `spareClock: Clock` was resolved, as another property

      Resolved:
        Clock  — created live, graph, \(shop.core.label)
        spareClock: Clock  — created live, unique, \(shop.core.label)
      """, atLine: line + 12
    ) { expectResolved(\.clock) }
    expectIssue(
      """
      Expected `spareClock: Clock` not to be resolved, but it was resolved 1 time.

        requested:  DITestingTests/ExpectationKeyPathTests.swift:\(line - 1)

      Resolved:
        Clock  — created live, graph, \(shop.core.label)
        spareClock: Clock  — created live, unique, \(shop.core.label)
      """, atLine: line + 23
    ) { expectNotResolved(\.spareClock) }
  }
}

@Suite("What was resolved in a failed test case")
struct UnshownTreeTests {
  private func tree(_ body: (Resolver) -> Void) -> String? {
    let shop = Resolver()
    shop.register { Clock() }
    let opener = ScopeOpener(
      .sandbox, recorder: ResolutionRecorder(), name: "checkout", location: CodeLocation(),
      report: { _ in })
    opener.run {
      _ = shop.resolve(Clock.self)
      body(shop)
    }
    return opener.frame.unshownTree?.replacing(shop.core.label, with: "shop")
  }

  @Test("is printed where no failure shows it")
  func unshown() {
    #expect(tree { _ in } == "Clock  — created live, graph, shop")
  }

  @Test("is not printed again where an expectation's failure shows it")
  func shown() {
    #expect(tree { _ in withKnownIssue { expectNotResolved(Clock.self) } } == nil)
  }

  @Test("is printed where more was resolved since")
  func shownInPart() {
    let tree = tree { shop in
      withKnownIssue { expectNotResolved(Clock.self) }
      _ = shop.resolve(Clock.self)
    }
    #expect(
      tree == """
        Clock  — created live, graph, shop
        Clock  — created live, graph, shop
        """)
  }
}
