import DITesting
import Foundation
import TestSupport
import Testing

private final class Pantry: SharedContainer, AutoRegistering {
  static let shared = Pantry()
  let manager = ContainerManager()
  /// What `autoRegister` does, beside registering, in the middle of it.
  let meanwhile: @Sendable () -> Void
  let runs = Lock(0)

  init(meanwhile: @escaping @Sendable () -> Void = {}) { self.meanwhile = meanwhile }

  var bread: Factory<String?> { promised() }
  var butter: Factory<String?> { promised() }

  func autoRegister() {
    runs.withLock { $0 += 1 }
    bread.register { "bread" }
    meanwhile()
    butter.register { "butter" }
  }
}

private final class Cellar: SharedContainer, AutoRegistering {
  static let shared = Cellar()
  let manager = ContainerManager()
  var wine: Factory<String> { self { "declared" } }

  func autoRegister() { wine.register { "automatic" } }
}

@Suite("autoRegister, while other threads ask and reset,")
struct AutoRegisterRaceTests {
  @Test("runs once more where its container is reset in the middle of it")
  func resetMeanwhile() {
    let isFirst = Lock(true)
    let shared = Lock<Pantry?>(nil)
    let pantry = Pantry {
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isFirst { onThreads(1) { _ in shared.withLock { $0 }?.manager.reset() } }
    }
    shared.withLock { $0 = pantry }
    defer { shared.withLock { $0 = nil } }
    #expect(pantry.butter() == "butter")
    #expect(pantry.bread() == "bread")
    #expect(pantry.butter() == "butter")
    #expect(pantry.runs.withLock { $0 } == 2)
  }

  @Test("is waited for by all work of a sandbox that reset the container")
  func sandbox() {
    let asking = DispatchSemaphore(value: 0)
    let isInside = Lock(false)
    let pantry = Pantry {
      if isInside.withLock({ $0 }) { for _ in 0..<4 { asking.wait() } }
    }
    #expect(pantry.butter() == "butter")
    isInside.withLock { $0 = true }
    withSandbox {
      pantry.manager.reset()
      let context = ResolutionContext.current
      let found = Lock(0)
      onThreads(4) { _ in
        context.run {
          asking.signal()
          if pantry.butter() == "butter" { found.withLock { $0 += 1 } }
        }
      }
      #expect(found.withLock { $0 } == 4)
      #expect(pantry.runs.withLock { $0 } == 2)
    }
  }

  @Test("registers in the sandbox that reset the container, even if another was opened in it")
  func openedSince() {
    let cellar = Cellar()
    #expect(cellar.wine() == "automatic")
    withSandbox {
      cellar.manager.reset()
      let inner = Sandbox.open()
      #expect(cellar.wine() == "automatic")
      inner.close()
      #expect(cellar.wine() == "automatic")
    }
  }
}
