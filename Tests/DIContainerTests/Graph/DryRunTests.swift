import DICompatibility
@testable import DIContainer
import DITesting
import Foundation
import Testing

private final class Clock {
  func tick() {}
}
private final class Ledger {
  let clock: Clock
  init(clock: Clock) { self.clock = clock }
}
private final class Press {
  @LazyInjected var ledger: Ledger
}
private final class Arm {
  weak var hand: Hand?
}
private final class Hand {
  let arm: Arm
  init(arm: Arm) { self.arm = arm }
}
private struct Offline: Error {}
private final class Stamp: Sendable {}
private struct Titled { let title: String }

/// A container whose set-up code asks for what nobody registered.
private final class Cellar: SharedContainer, AutoRegistering {
  static let shared = Cellar()
  let manager = ContainerManager()
  private let shop: Resolver
  private let runs = Atomic()
  var runCount: UInt { runs.value }

  init(shop: Resolver = Resolver()) { self.shop = shop }

  var wine: Factory<String?> { promised() }

  func autoRegister() {
    runs.increment()
    wine.register { "wine" }
    shop.resolve(Clock.self).tick()
  }
}

/// A container that asks for what nobody registered when it is made.
private final class Attic: DefaultSharedContainer {
  static let isBroken = Lock(false)
  let manager = ContainerManager()

  init() {
    if Self.isBroken.withLock({ $0 }) { Resolver().resolve(Clock.self).tick() }
  }

  var trunk: Factory<String> { self { "trunk" } }
}

/// A service that looks for a clock when it is released.
private final class Farewell {
  private let shop: Resolver
  init(shop: Resolver) { self.shop = shop }
  deinit { shop.resolve(Clock.self).tick() }
}

/// What a thread of its own answers; nil if it does not within the time.
private func answer<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
  let answer = Lock<Result?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  Thread {
    let result = ContextFrame.$bound.withValue(ContextFrame.base, operation: body)
    answer.withLock { $0 = result }
    isDone.signal()
  }.start()
  _ = isDone.wait(timeout: .now() + 60)
  return answer.withLock { $0 }
}

@Suite struct DryRunTests {
  @Test func `A dry run leaves no trace`() throws {
    let shop = Resolver(named: "shop")
    let runs = Atomic()
    let released = Atomic()
    shop.register { () -> Clock in
      runs.increment()
      return Clock()
    }.scope(.application).onRelease { _ in released.increment() }
    shop.register { r in Ledger(clock: r.resolve()) }.lifetime(.single)
    let recorder = ResolutionRecorder()
    let before = shop.registrations.map(\.description)

    withRecorder(recorder) { _ = shop.dryRun() }

    #expect(runs.value == 1)
    #expect(released.value == 1)
    #expect(recorder.events == [])
    #expect(shop.registrations.map(\.description) == before)
    let ledger: Ledger = shop.resolve()
    #expect(runs.value == 2)
    #expect(ledger.clock === shop.resolve(Clock.self))
  }

  @Test func `A dry run that would trap blocks no instance whose properties wait for the circle`() {
    let count = answer {
      let shop = Resolver(named: "shop")
      shop.register { r in
        let hand = Hand(arm: r.resolve())
        r.resolve(Clock.self).tick()
        return hand
      }
      shop.register { Arm() }.scope(.cached).initCompleted { r, arm in
        arm.hand = r.optional(Hand.self)
      }
      return shop.dryRun().keys.count
    }
    #expect(count == 2)
  }

  @Test(arguments: [Scope.unique, .graph, .shared, .cached])
  func `A dry run runs every factory once, whoever asks for its service`(scope: Scope) {
    let shop = Resolver(named: "shop")
    let runs = Atomic()
    // A chain with branches, of which a tree has two to the power of sixty.
    for number in 0..<60 {
      shop.register(name: .init("\(number)")) { r -> Stamp in
        runs.increment()
        if number > 0 {
          _ = r.resolve(Stamp.self, name: .init("\(number - 1)")) as Stamp
          _ = r.resolve(Stamp.self, name: .init("\(number / 2)")) as Stamp
        }
        return Stamp()
      }.scope(scope)
    }
    let graph = shop.dryRun()
    #expect(runs.value == 60)
    #expect(graph.keys.count == 60)
    #expect(graph.description.split(separator: "\n").count < 2 * 60 + 1)
  }

  @Test func `A dry run of a thousand services in a chain takes each once, with faults or without`()
  {
    for isBroken in [false, true] {
      let shop = Resolver(named: "shop")
      let runs = Atomic()
      // Three thousand, a thousand of them in a chain, and none of them asked for in that order.
      for number in 0..<3_000 {
        let needed = 0..<1_000 ~= number ? number + 1 : number < 1_000 ? nil : number % 1_000
        shop.register(name: .init("\(number)")) { r -> Stamp in
          runs.increment()
          if number == 999 {
            if isBroken { throw Offline() }
          } else if let needed {
            _ = try r.require(Stamp.self, name: .init("\(needed)"))
          }
          return Stamp()
        }.scope(.unique)
      }
      let report = try? shop.validate(dryRun: true)
      #expect((report == nil) == isBroken)
      #expect(runs.value == 3_000)
    }
  }

  @Test func `A dry run shows what closures ask for, and lazy wrappers`() {
    let shop = Resolver(named: "shop")
    shop.register { Clock() }
    shop.register { r in Ledger(clock: r.resolve()) }.scope(.cached)
    shop.register { Press() }
    #expect(
      shop.dryRun().description == """
        Press  — graph, shop
          lazy Ledger  — cached, shop
            Clock  — graph, shop
        """)
  }

  @Test func `A dry run says what it answers nil for, for a factory may unwrap that`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let shop = Resolver(named: "shop")
      shop.register(line: 5) { r in
        let clock = r.resolve(Clock.self, line: 7) as Clock?
        return Titled(title: clock == nil ? "closed" : "open")
      }.scope(.unique)
      shop.register { r in
        _ = r.resolve(Titled.self)
        // These say that they can do without.
        _ = r.optional(Ledger.self)
        _ = r.resolve() as Ledger?
        return Press()
      }
      shop.register { (ledger: Ledger?, lazy: LazyInjected<Ledger>) in "\(ledger == nil)" }
      #expect(shop.dryRun().keys.count == 3)
      #expect(shop.resolve(Clock.self) as Clock? == nil)
    }
    #expect(
      result?.errorText == """
        A dry run returns nil here; a factory that unwraps it with `!` ends the process.

        Nothing is registered for `Clock`.

          chain:      Titled → Clock
          from:       DIContainerTests/DryRunTests.swift:5
          requested:  DIContainerTests/DryRunTests.swift:7
          asked:      shop

        To fix this:
          - Register it: `register { … as Clock }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `Clock?`.


        """)
  }

  @Test func `A dry run names what is missing before a factory that unwraps nil ends it`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let shop = Resolver()
      shop.register { r in Ledger(clock: r.resolve(Clock.self)!) }
      _ = try shop.validate(dryRun: true)
    }
    #expect(result?.errorText.contains("Nothing is registered for `Clock`.") == true)
  }

  @Test func `What is missing when a kept instance is released is a finding`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let shop = Resolver(named: "shop")
      shop.register { r in Farewell(shop: r) }.scope(.cached)
      let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
      #expect(error?.findings.map(\.kind) == [.missing])
    }
    #expect(result?.errorText == "")
  }

  @Test func `What is missing when an instance is torn down is a finding`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let shop = Resolver(named: "shop")
      shop.register { Press() }.scope(.cached)
        .onRelease { _ in shop.resolve(Clock.self, line: 7).tick() }
      shop.register { () -> Ledger in Ledger(clock: Clock()) }
      let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
      let text = error?.findings.map(\.description).joined(separator: "\n")
      #expect(
        text == """
          Nothing is registered for `Clock`.

            requested:  DIContainerTests/DryRunTests.swift:7
            asked:      shop

          To fix this:
            - Register it: `register { … as Clock }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as `Clock?`.
          """)
      #expect(error?.report.unseen == [])
    }
    #expect(result?.errorText == "")
  }

  @Test func `All kept instances are torn down, though each traps over a missing service`() async {
    await #expect(processExitsWith: .success) {
      let shop = Resolver(named: "shop")
      let released = Atomic()
      for number in 0..<40 {
        shop.register(name: .name(fromString: "\(number)")) { Press() }.scope(.cached)
          .onRelease { _ in
            released.increment()
            shop.resolve(Clock.self).tick()
          }
      }
      _ = shop.dryRun()
      #expect(released.value == 40)
    }
  }

  @Test func `A service that a closure cannot do without is not drawn as optional`() {
    let shop = Resolver(named: "shop")
    shop.register { r in Ledger(clock: r.resolve()) }
    shop.register { r -> Press in
      _ = r.resolve(Ledger.self) as Ledger
      return Press()
    }
    shop.register { r in Titled(title: r.optional(Clock.self) == nil ? "closed" : "open") }
    shop.register { r in (try? r.require(Clock.self)) == nil ? "closed" : "open" }
    #expect(
      shop.dryRun().description == """
        Press  — graph, shop, closure
          Ledger  — graph, shop, closure
            Clock  — missing
        String  — graph, shop
          optional Clock  — missing
        Titled  — graph, shop
          optional Clock  — missing
        """)
  }

  @Test func `A service that a closure needs after it did without is drawn as missing`() {
    let shop = Resolver(named: "shop")
    shop.register { r in
      if let clock = r.optional(Clock.self) { return Ledger(clock: clock) }
      return Ledger(clock: r.resolve())
    }
    shop.register { (clock: Clock?) in Titled(title: clock == nil ? "closed" : "open") }
      .resolveProperties { r, _ in r.resolve(Clock.self).tick() }
    #expect(
      shop.dryRun().description == """
        Ledger  — graph, shop, closure
          Clock  — missing
        Titled  — graph, shop, closure
          optional Clock  — missing
          Clock  — missing
        """)
  }

  @Test func `A decorated service that has to be awaited is no fault`() throws {
    let shop = Resolver(named: "shop")
    shop.registerAsync { Stamp() }
    try inSandbox {
      shop.decorate(ServiceKey(Stamp.self), at: CodeLocation()) { (live: Stamp) in live }
      try shop.validate(dryRun: true)
    }
  }

  @Test func `A closure that never passes the arguments that a service needs is a fault`() {
    let shop = Resolver(named: "shop")
    shop.register { _, args in Titled(title: args("title", line: 3)) }
    shop.register { r -> Press in
      _ = r.resolve(Titled.self, line: 5)
      return Press()
    }
    let line = #line - 4
    let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
    #expect(
      error?.description == """
        1 thing is wrong with the wiring of shop.

        1. The factory of `Titled` needs an argument "title" of type `String`: it is missing.

             chain:      Press → Titled
             from:       DIContainerTests/DryRunTests.swift:\(line)
             requested:  DIContainerTests/DryRunTests.swift:5
             read:       DIContainerTests/DryRunTests.swift:3

           To fix this:
             - Pass it: `args: ["title": …]` with a value of type `String` (passed: nothing).
             - If it may be absent, read it with `args.optional("title")`.
             - To have `try require` throw this, read it with `try args.require("title")`.

        Not checked, since they need parameters: `Titled`.

        Not seen: what the closures of `Press` resolve.
        The dry run left them or a dependency out, or they are async, or failed, or returned nil.
        """)
  }

  @Test func `A closure that passes on the arguments that it takes is no fault`() throws {
    let shop = Resolver(named: "shop")
    shop.register { _, args in Titled(title: args("title")) }
    shop.register { r, args -> Press in
      _ = r.resolve(Titled.self, args: args.optional("title"))
      return Press()
    }
    shop.register { () -> Ledger in Ledger(clock: Clock()) }
      .resolveProperties { r, _, args in _ = r.resolve(Titled.self, args: args) }
    #expect(try shop.validate(dryRun: true).errors.isEmpty)
  }

  @Test func `What is left out is not run`() throws {
    let shop = Resolver(named: "shop")
    let runs = Atomic()
    shop.register { () -> Clock in
      runs.increment()
      return Clock()
    }.leftOutOfDryRuns()
    let report = try shop.validate(dryRun: true)
    #expect(runs.value == 0)
    #expect(
      report.description == """
        Nothing that can be seen is wrong with the wiring of shop.

        Not seen: what the closures of `Clock` resolve.
        The dry run left them or a dependency out, or they are async, or failed, or returned nil.
        """)
  }

  @Test func `Factories that cannot do without arguments are no fault`() throws {
    let shop = Resolver(named: "shop")
    shop.register { _, args in Titled(title: args("title")) }
    // One that can: without a title it answers nil, as it may on any other occasion.
    shop.register(String.self) { _, args in args("title") }
    let report = try shop.validate(dryRun: true)
    #expect(
      report.description == """
        Nothing that can be seen is wrong with the wiring of shop.

        Not checked, since they need parameters: `Titled`.

        Not seen: what the closures of `String` resolve.
        The dry run left them or a dependency out, or they are async, or failed, or returned nil.
        """)
    #expect(report.unseen.map(\.description) == ["String", "Titled"])
  }

  @Test func `A dry run goes on after a factory that would trap`() {
    let shop = Resolver(named: "shop")
    shop.register { r in Ledger(clock: r.resolve()) }.scope(.application)
    shop.register(name: "weekly") { r in Ledger(clock: r.resolve(name: "utc")) }
    shop.register(name: "offline") { () throws -> Ledger in throw Offline() }
    shop.register { Press() }
    let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
    #expect(error?.findings.map(\.kind) == [.missing, .missing, .failed])
    #expect(
      error?.report.unseen.map(\.description) == [
        "Ledger", "Ledger \"offline\"", "Ledger \"weekly\"",
      ])
  }

  @Test func `Nobody waits for set-up code that a dry run gave up`() {
    let shop = Resolver(named: "shop")
    let cellar = Cellar(shop: shop)
    shop.register { cellar.wine() ?? "none" }
    let error = #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
    #expect(error?.findings.map(\.kind) == [.missing])
    #expect(error?.findings.first?.chain.map(\.description) == ["String", "Clock"])
    // What it registered before stays, and it is not run again.
    #expect(answer { cellar.wine() } == "wine")
    #expect(cellar.runCount == 1)
  }

  @Test func `Nobody waits for a shared container whose init a dry run gave up`() {
    let shop = Resolver(named: "shop")
    shop.register { Attic.shared.trunk() }
    Attic.isBroken.withLock { $0 = true }
    #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
    Attic.isBroken.withLock { $0 = false }
    #expect(answer { Attic.shared.trunk() } == "trunk")
  }

  @Test func `Nobody waits for a lazy property whose first use a dry run gave up`() {
    let shop = Resolver(named: "shop")
    let title = LazyInjected<Int>(container: shop)
    shop.register { Titled(title: "\(title.wrappedValue)") }
    #expect(throws: ValidationError.self) { try shop.validate(dryRun: true) }
    shop.register { 7 }
    #expect(answer { title.wrappedValue } == 7)
  }

  @Test func `A dry run looks at the doubles of its sandbox`() throws {
    let shop = Resolver(named: "shop")
    shop.register { r in Ledger(clock: r.resolve()) }
    try ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
      shop.register { Clock() }
      let report = try shop.validate(dryRun: true)
      #expect(report.errors.isEmpty)
      #expect(shop.core.registry.foremost().count == 1)
    }
  }
}

@Suite struct CheckTests {
  private static let sound: Resolver = {
    let shop = Resolver(named: "shop")
    shop.register { Clock() }
    shop.register { r in Ledger(clock: r.resolve()) }
    return shop
  }()

  @Test(arguments: sound.registrations.failingIfEmpty)
  func `Each registration is a test of its own`(_ registration: RegistrationInfo) throws {
    try registration.check()
  }

  @Test func `A factory that would trap fails its check`() throws {
    let shop = Resolver(named: "shop")
    shop.register { r in Ledger(clock: r.resolve()) }
    let error = #expect(throws: ResolutionError.self) { try shop.registrations[0].check() }
    #expect(error?.chain.map(\.description) == ["Ledger", "Clock"])
  }

  @Test func `A check builds in the container itself`() throws {
    let shop = Resolver(named: "shop")
    let runs = Atomic()
    shop.register { () -> Clock in
      runs.increment()
      return Clock()
    }.scope(.application)
    try shop.registrations[0].check()
    _ = shop.resolve(Clock.self)
    #expect(runs.value == 1)
  }

  @Test func `An empty list has one case, which fails`() {
    let cases = Resolver(named: "shop").registrations.failingIfEmpty
    #expect(cases.map(\.container) == ["nothing"])
    let error = #expect(throws: ResolutionError.self) { try cases[0].check() }
    #expect(
      error?.reason
        == .other(
          "There is nothing to check: the list of registrations is empty. Register before the "
            + "test's arguments are read, for example in `registerAllServices`."))
  }
}
