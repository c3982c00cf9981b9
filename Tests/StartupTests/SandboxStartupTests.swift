@testable import DITesting
import DICompatibility
import Testing

private final class Kettle: Sendable {}
private final class Pot: Sendable {}

private enum KettlePart: DIPart {
  static func load(container: Container) {
    container.append(part: KettlePart.self)
    container.register { Kettle() }
  }
}

private struct PotAssembly: Assembly {
  func assemble(container: Container) { container.register { Pot() } }
}

/// Returns the headlines that a strict test hears which calls start-up's code, then registers one.
///
/// In the closure of an exit test, all code would have one place.
private func issuesOfCallingStartup() -> [String] {
  Resolver.wiring = { Resolver.register { Kettle() } }
  return headlines {
    Resolver.registerAllServices()
    _ = Resolver.resolve(Kettle.self)
    Resolver.register { Kettle() }
    _ = Resolver.resolve(Kettle.self)
  }
}

/// Returns those that a strict test hears whose request is the first that start-up's code runs for.
private func issuesOfResolvingStartup() -> [String] {
  Resolver.wiring = {
    Resolver.register { Kettle() }
    _ = Resolver.resolve(Kettle.self)
    Resolver.register { Pot() }
  }
  return headlines {
    Resolver.register { Pot() }
    _ = Resolver.resolve(Pot.self)
  }
}

private func headlines(_ test: () -> Void) -> [String] {
  let issues = Lock<[String]>([])
  ScopeOpener(
    .sandbox, policy: .strict(.fail, []), name: "tea", location: CodeLocation()
  ) { issue in
    issues.withLock { $0.append(String(issue.text.prefix { $0 != "\n" })) }
  }.run(test)
  return issues.withLock { $0 }
}

// Each in a process of its own, where start-up has not run yet.
@Suite("registerAllServices and sandboxes")
struct SandboxStartupTests {
  @Test("What it sets up is base state, also when a sandbox asks first")
  func baseState() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.register { Kettle() }.scope(.application) }
      let recorder = ResolutionRecorder()
      let inside = withSandbox { withRecorder(recorder) { Resolver.resolve(Kettle.self) } }
      #expect(recorder.resolutions(of: Kettle.self).map(\.isDouble) == [false])
      let outside = Resolver.resolve(Kettle.self)
      #expect(inside !== outside)
      #expect(withSandbox { Resolver.resolve(Kettle.self) } !== outside)
      #expect(Resolver.resolve(Kettle.self) === outside)
    }
  }

  @Test("What it resolves is an issue of the strict test that needs it first")
  func resolves() async {
    await #expect(processExitsWith: .success) {
      let expected = ["Production's set-up resolved a live service: `Kettle`."]
      #expect(issuesOfResolvingStartup() == expected)
    }
  }

  @Test("A root and children that it sets up are base state, also when a sandbox asks first")
  func rootAndChildren() async {
    await #expect(processExitsWith: .success) {
      let child = Resolver { $0.register { Kettle() } }
      let root = Resolver(child: .main)
      Resolver.wiring = {
        Resolver.main.add(child: child)
        Resolver.root = root
        Resolver.defaultScope = .cached
      }
      withSandbox {
        #expect(Resolver.optional(Kettle.self) != nil)
        #expect(Resolver.root === root)
      }
      #expect(Resolver.root === root)
      #expect(Resolver.optional(Kettle.self) != nil)
      #expect(Resolver.defaultScope === Scope.cached)
    }
  }

  @Test("Called by a test, it registers what is live there, too")
  func calledByTest() async {
    await #expect(processExitsWith: .success) {
      #expect(
        issuesOfCallingStartup() == [
          "A live service was resolved: `Kettle`.",
          "The double for `Kettle` was registered too late: the live service was resolved before.",
        ])
    }
  }

  @Test("It never overwrites a double that was registered before it ran")
  func underDoubles() async {
    await #expect(processExitsWith: .success) {
      let double = Kettle()
      Resolver.wiring = { Resolver.register { Kettle() } }
      withSandbox {
        Resolver.register { double }
        #expect(Resolver.resolve(Kettle.self) === double)
      }
      withLayer {
        $0.register { double }
      } operation: {
        #expect(Resolver.resolve(Kettle.self) === double)
      }
      #expect(Resolver.resolve(Kettle.self) !== double)
    }
  }

  @Test("After reset() in a sandbox it runs again, into the view and under its doubles")
  func reset() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock(0)
      Resolver.wiring = {
        runs.withLock { $0 += 1 }
        Resolver.register { Kettle() }
        Resolver.register { Pot() }
      }
      let live = Resolver()
      live.register { Kettle() }
      Resolver.root = live
      _ = Resolver.resolve(Kettle.self)
      #expect(runs.withLock { $0 } == 1)
      withSandbox {
        let double = Pot()
        Resolver.reset()
        Resolver.register { double }
        #expect(Resolver.root === Resolver.main)
        #expect(Resolver.resolve(Pot.self) === double)
        #expect(Resolver.optional(Kettle.self) != nil)
        #expect(runs.withLock { $0 } == 2)
      }
      #expect(Resolver.root === live)
      #expect(runs.withLock { $0 } == 2)
    }
  }

  @Test("After reset() in a sandbox it applies assemblies and parts again, into the view")
  func resetWithGroups() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = {
        Resolver.main.append(part: KettlePart.self)
        Assembler(container: .main).apply(assembly: PotAssembly())
      }
      #expect(Resolver.main.registrations.count == 2)
      for _ in 1...2 {
        withSandbox {
          Resolver.reset()
          let double = Pot()
          Resolver.register { double }
          #expect(Resolver.optional(Kettle.self) != nil)
          #expect(Resolver.resolve(Pot.self) === double)
          Resolver.reset()
          #expect(Resolver.main.registrations.count == 2)
        }
      }
      #expect(Resolver.main.registrations.count == 2)
    }
  }

  @Test("After reset() it runs before the first request of a sandbox inside, too")
  func resetOutside() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.register { Kettle() } }
      withSandbox {
        Resolver.reset()
        withSandbox { #expect(Resolver.optional(Kettle.self) != nil) }
        #expect(Resolver.optional(Kettle.self) != nil)
      }
    }
  }

  @Test("A singleton of the process is never a sandbox's, and is there again afterwards")
  func singletons() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = {
        Resolver.register { Kettle() }.scope(.singleton)
        Resolver.register { Pot() }.scope(.application)
      }
      let kettle = Resolver.resolve(Kettle.self)
      let pot = Resolver.resolve(Pot.self)
      withSandbox {
        let other = Resolver.resolve(Kettle.self)
        #expect(other !== kettle && Resolver.resolve(Pot.self) !== pot)
        Scope.singleton.reset()
        Scope.application.reset()
        Resolver.reset()
        #expect(Resolver.resolve(Kettle.self) !== other)
      }
      #expect(Resolver.resolve(Kettle.self) === kettle)
      #expect(Resolver.resolve(Pot.self) === pot)
    }
  }

  @Test("What it registers is not said to be missing before it has run")
  func containerOfDoubles() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.register { Kettle() } }
      let reports = Lock<[String]>([])
      let line: UInt = #line
      ScopeOpener(
        .sandbox, name: "breakfast", location: CodeLocation(),
        report: { issue in reports.withLock { $0.append(issue.text) } }
      ).run {
        // It is released, with its double, before anything is resolved.
        _ = Resolver().register { Kettle() }
      }
      #expect(
        reports.withLock { $0 } == [
          """
          The double for `Kettle` was never resolved.

            registered:  StartupTests/SandboxStartupTests.swift:\(line)

          To fix this:
            - Remove it, or check that the code under test resolves `Kettle`.
            - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
          `unusedDoubles: .off` for the sandbox.
          """
        ])
    }
  }

  @Test("The last advice about a missing service is that another module's has run")
  func ranElsewhere() async {
    await #expect(processExitsWith: .success) {
      let line: UInt = #line
      Resolver.wiring = { Resolver.register { Kettle() } }
      let error = #expect(throws: ResolutionError.self) {
        try Resolver.main.require(Pot.self, fileID: "Shop/Tea.swift", line: 7)
      }
      let place = "StartupTests/SandboxStartupTests.swift:\(line)"
      #expect(
        error?.description == """
          Nothing is registered for `Pot`.

            requested:  Shop/Tea.swift:7
            asked:      main
            note:       `registerAllServices` ran in StartupTests (\(place)); a process has one, and \
          another module's is never called

          To fix this:
            - Register it: `register { … as Pot }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as `Pot?`.
            - If Shop has a `registerAllServices`, too, let it register with \
          `Resolver.registerAtStart { … }`, which any number of modules can use.
          """)
    }
  }

  @Test("It is none where the module registers what it needs by other means")
  func ranElsewhereBesideOwn() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.register { Kettle() } }
      withSandbox {
        Resolver.register(Int.self, fileID: "Shop/Tea.swift", line: 3) { 1 }
        #expect(Resolver.resolve(Int.self) == 1)
        let error = #expect(throws: ResolutionError.self) {
          try Resolver.main.require(Pot.self, fileID: "Shop/Tea.swift", line: 7)
        }
        #expect(error?.description.contains("registerAllServices") == false)
      }
    }
  }

  @Test("A double that was reset is said to be, where the live service is resolved")
  func resetDouble() async {
    await #expect(processExitsWith: .success) {
      let place = "StartupTests/SandboxStartupTests.swift:\(#line)"
      Resolver.wiring = { Resolver.register { Kettle() } }
      let reports = Lock<[String]>([])
      ScopeOpener(
        .sandbox, policy: .strict(.fail, []), name: "breakfast", location: CodeLocation(),
        report: { issue in reports.withLock { $0.append(issue.text) } }
      ).run {
        Resolver.register { Kettle() }
        Resolver.reset()
        _ = Resolver.resolve(Kettle.self)
      }
      #expect(
        reports.withLock { $0 } == [
          """
          A live service was resolved: `Kettle`.

            requested:   \(place)
            registered:  \(place), in main
            close:       `Kettle` was registered (\(place)), in main, and reset or removed since

          To fix this:
            - Register it after that: `register { … as Kettle }` in the sandbox or a layer.
            - If it may be live here, allow it: `.strict(except: Kettle.self)`.
          """
        ])
    }
  }

  @Test("It is none where something comes close")
  func ranElsewhereBesideMiss() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.register(name: "large") { Pot() } }
      let error = #expect(throws: ResolutionError.self) {
        try Resolver.main.require(Pot.self, fileID: "Shop/Tea.swift", line: 7)
      }
      let text = error?.description ?? ""
      #expect(text.contains("\n  close:      `Pot \"large\"` is registered"))
      #expect(!text.contains("registerAllServices"))
    }
  }

  @Test("A double that nobody asks for does not make it run")
  func unusedDouble() async {
    await #expect(processExitsWith: .success) {
      Resolver.wiring = { Resolver.register { Kettle() } }
      let reports = Lock<[String]>([])
      let line: UInt = #line
      func run(_ body: () -> Void) {
        // A failure is reported each time; all lines in the macro are one.
        ScopeOpener(
          .sandbox, policy: .strict(.fail, []), name: "breakfast", location: CodeLocation(),
          report: { issue in reports.withLock { $0.append(issue.text) } }
        ).run(body)
      }
      run { _ = Resolver.register { Kettle() } }
      run {
        Resolver.reset()
        Resolver.register { Kettle() }
      }
      run { _ = Resolver.register(name: "tea") { Kettle() } }
      let place = "StartupTests/SandboxStartupTests.swift:\(line)"
      let unused = """
        The double for `Kettle` was never resolved.

          registered:  \(place)

        To fix this:
          - Remove it, or check that the code under test resolves `Kettle`.
          - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
        `unusedDoubles: .off` for the sandbox.
        """
      let other = """
        The double for `Kettle "tea"` was never resolved.

          registered:  \(place)

        To fix this:
          - Remove it, or check that the code under test resolves `Kettle "tea"`.
          - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
        `unusedDoubles: .off` for the sandbox.
        """
      #expect(reports.withLock { $0 } == [unused, unused, other])
    }
  }
}
