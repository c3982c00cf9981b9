@testable import DITesting
import Foundation
import Testing

private final class Kettle: Sendable {}
private final class Pot: Sendable {}

/// What two modules do, each with a line of its own.
private func registerKettle(_ runs: Lock<[String]>) {
  Resolver.registerAtStart {
    runs.withLock { $0.append("kettle") }
    Resolver.register { Kettle() }.scope(.application)
  }
}
private func registerPot(_ runs: Lock<[String]>) {
  Resolver.registerAtStart {
    runs.withLock { $0.append("pot") }
    Resolver.register { Pot() }.scope(.application)
  }
}

// Each in a process of its own, where start-up has not run yet.
@Suite("Resolver.registerAtStart")
struct RegisterAtStartTests {
  @Test("Several modules register, each once, after registerAllServices and before any request")
  func severalModules() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock<[String]>([])
      Resolver.wiring = { runs.withLock { $0.append("all") } }
      registerPot(runs)
      registerKettle(runs)
      registerPot(runs)
      #expect(runs.withLock { $0 } == [])
      #expect(Resolver.optional(Kettle.self) != nil)
      #expect(Resolver.optional(Pot.self) != nil)
      registerKettle(runs)
      #expect(Resolver.main.registrations.count == 2)
      #expect(runs.withLock { $0 } == ["all", "pot", "kettle"])
    }
  }

  @Test("What is added after start-up has run is there before the next request")
  func late() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock<[String]>([])
      #expect(Resolver.optional(Kettle.self) == nil)
      registerKettle(runs)
      let kettle = Resolver.optional(Kettle.self)
      #expect(kettle != nil)
      registerPot(runs)
      #expect(Resolver.main.registrations.count == 2)
      #expect(Resolver.optional(Kettle.self) === kettle)
      #expect(runs.withLock { $0 } == ["kettle", "pot"])
    }
  }

  @Test("What start-up code adds runs with it")
  func nested() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock<[String]>([])
      Resolver.wiring = { registerKettle(runs) }
      Resolver.registerAtStart { registerPot(runs) }
      #expect(Resolver.main.registrations.count == 2)
      #expect(runs.withLock { $0 } == ["kettle", "pot"])
    }
  }

  @Test("What a test adds in its sandbox is base state, and live")
  func baseState() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock<[String]>([])
      let recorder = ResolutionRecorder()
      let inside: Kettle = withSandbox {
        registerKettle(runs)
        return withRecorder(recorder) { Resolver.resolve(Kettle.self) }
      }
      #expect(recorder.resolutions(of: Kettle.self).map(\.isDouble) == [false])
      #expect(Resolver.resolve(Kettle.self) !== inside)
      withSandbox {
        registerKettle(runs)
        #expect(Resolver.optional(Kettle.self) != nil)
      }
      #expect(runs.withLock { $0 } == ["kettle"])
    }
  }

  @Test("It never overwrites a double that was registered before")
  func underDoubles() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock<[String]>([])
      let double = Pot()
      withSandbox {
        Resolver.register { double }
        registerPot(runs)
        #expect(Resolver.resolve(Pot.self) === double)
      }
      #expect(Resolver.resolve(Pot.self) !== double)
      let kettle = Kettle()
      Resolver.register { kettle }
      registerKettle(runs)
      #expect(Resolver.resolve(Kettle.self) === kettle)
    }
  }

  @Test("After reset() all of it runs again, in a sandbox into its view alone")
  func reset() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock<[String]>([])
      Resolver.wiring = { runs.withLock { $0.append("all") } }
      registerKettle(runs)
      let kettle = Resolver.resolve(Kettle.self)
      withSandbox {
        Resolver.reset()
        #expect(Resolver.resolve(Kettle.self) !== kettle)
        // Also what is added afterwards, whoever adds it.
        registerPot(runs)
        #expect(Resolver.optional(Pot.self) != nil)
      }
      #expect(
        runs.withLock { $0.sorted() } == ["all", "all", "kettle", "kettle", "pot", "pot"])
      #expect(Resolver.resolve(Kettle.self) === kettle)
      #expect(Resolver.optional(Pot.self) != nil)
      Resolver.reset()
      #expect(Resolver.resolve(Kettle.self) !== kettle)
      #expect(Resolver.optional(Pot.self) != nil)
      #expect(runs.withLock { $0.suffix(3) } == ["all", "kettle", "pot"])
    }
  }

  @Test("A sandbox that was reset has what is added outside of it meanwhile")
  func addedOutside() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock<[String]>([])
      withSandbox {
        Resolver.reset()
        #expect(Resolver.optional(Kettle.self) == nil)
        onBareThread { registerKettle(runs) }
        #expect(Resolver.optional(Kettle.self) != nil)
      }
    }
  }

  @Test("Eight threads that add and ask at once find everything, and each line counts once")
  func eightThreads() async {
    await #expect(processExitsWith: .success) {
      let runs = Lock<[String]>([])
      let found = Lock(0)
      let done = DispatchSemaphore(value: 0)
      for number in 0..<8 {
        Thread {
          for _ in 0..<50 {
            if number.isMultiple(of: 2) {
              registerKettle(runs)
              if Resolver.optional(Kettle.self) != nil { found.withLock { $0 += 1 } }
            } else {
              registerPot(runs)
              if Resolver.optional(Pot.self) != nil { found.withLock { $0 += 1 } }
            }
          }
          done.signal()
        }.start()
      }
      for _ in 0..<8 { done.wait() }
      #expect(found.withLock { $0 } == 400)
      #expect(runs.withLock { $0.sorted() } == ["kettle", "pot"])
    }
  }
}

/// Runs a body on a thread of its own, and waits for it.
private func onBareThread(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread {
    body()
    done.signal()
  }.start()
  done.wait()
}
