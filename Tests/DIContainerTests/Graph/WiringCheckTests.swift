import DICompatibility
import DIContainer
import Testing

private final class Clock {}
private final class Desk {
  init(clock: Clock) {}
}
private final class Clerk {
  init(shift: Shift) {}
}
private final class Shift {
  init(clerk: Clerk) {}
}

@Suite struct WiringCheckTests {
  private let shop = Container()

  @Test func `A wiring in which something is missing is not valid, until it is there`() {
    shop.register(Desk.init)
    let graph = shop.makeGraph()
    #expect(!graph.checkIsValid())
    shop.register(Clock.init)
    #expect(graph.checkIsValid())
  }

  @Test func `Cycles are wrong unless they are not to be checked, as in DITranquillity 6`() {
    shop.register(Clerk.init)
    shop.register(Shift.init)
    #expect(!shop.makeGraph().checkIsValid())
    #expect(shop.makeGraph().checkIsValid(checkGraphCycles: false))
  }

  @Test func `What is wrong is said`() async {
    let line = #line + 1
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let shop = Container()
      shop.register(Desk.init)
      _ = shop.makeGraph().checkIsValid()
    }
    let file = "DIContainerTests/WiringCheckTests.swift"
    let text = """
      Nothing is registered for `Clock`.

        chain:      Desk → Clock
        needed by:  `Desk` (\(file):\(line))
        asked:      container made at \(file):\(line)

      To fix this:
        - Register it: `register { … as Clock }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `Clock?`.


      """
    #expect(result?.errorText == text)
  }

  @Test func `Single services are made at start-up, and no others`() {
    var made: [String] = []
    let parent = Container()
    parent.register { () -> Clock in
      made.append("clock")
      return Clock()
    }.lifetime(.single)
    let shop = Container(parent: parent)
    shop.register { () -> Desk in
      made.append("desk")
      return Desk(clock: Clock())
    }.lifetime(.perRun(.strong))
    shop.initializeSingletonObjects()
    #expect(made == ["clock"])
    _ = shop.resolve(Clock.self)
    #expect(made == ["clock"])
  }

  @Test func `A single service that cannot be made ends the process, with the reason`() async {
    let line = #line + 1
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = Container()
      shop.register(Desk.init).lifetime(.single)
      shop.initializeSingletonObjects()
    }
    let file = "DIContainerTests/WiringCheckTests.swift"
    let text = fatal(
      line,
      """
      Nothing is registered for `Clock`.

        chain:      Desk → Clock
        requested:  \(file):\(line)
        asked:      container made at \(file):\(line)

      To fix this:
        - Register it: `register { … as Clock }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `Clock?`.
        - To have it thrown, request `Desk` with `try require`, and in closures with \
      `try r.require()`.
      """)
    #expect(result?.start(of: text) == text)
  }

  @Test func `clean forgets what the container itself keeps, strongly and weakly`() {
    let parent = Container()
    parent.register(Clock.init).lifetime(.perContainer(.strong))
    let shop = Container(parent: parent)
    shop.register { Desk(clock: Clock()) }.lifetime(.perContainer(.strong))
    shop.register(name: "weak") { Clock() }.lifetime(.perContainer(.weak))
    shop.register(name: "kept") { Clock() }.lifetime(.perRun(.strong))
    let (desk, clock) = (shop.resolve(Desk.self), shop.resolve(Clock.self))
    let (weak, kept) = (
      shop.resolve(Clock.self, name: "weak"), shop.resolve(Clock.self, name: "kept")
    )
    shop.clean()
    #expect(shop.resolve(Desk.self) !== desk)
    #expect(shop.resolve(Clock.self, name: "weak") !== weak)
    #expect(shop.resolve(Clock.self) === clock)
    #expect(shop.resolve(Clock.self, name: "kept") === kept)
  }
}
