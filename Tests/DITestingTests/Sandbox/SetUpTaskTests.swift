@testable import DITesting
import Testing

/// A task that set-up code leaves behind, which goes on when it is told to.
private final class LeftBehind: Sendable {
  private let task = Lock<Task<String, Never>?>(nil)
  private let gate = AsyncStream<Void>.makeStream()

  func start(_ work: @escaping @Sendable () -> String) {
    let task = Task { [gate] in
      for await _ in gate.stream {}
      return work()
    }
    self.task.withLock { $0 = task }
  }

  /// Lets the task go on, and returns its result.
  func goOn() async -> String {
    gate.continuation.finish()
    return await task.withLock { $0 }?.value ?? "never started"
  }
}

private let pantryTask = LeftBehind()
private let snackBarTask = LeftBehind()

private final class Pantry: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {
    pantryTask.start { Resolver.resolve((any Payments).self).label }
  }
}

private final class SnackBar: DefaultSharedContainer, AutoRegistering {
  let manager = ContainerManager()
  init() {}

  func autoRegister() {
    snackBarTask.start {
      self.label.register { "loaded" }
      return self.label()
    }
  }
}

extension SnackBar {
  fileprivate var label: Factory<String> { self { "default" }.singleton }
}

// Most in a process of its own: see UnscopedWorld.swift.

@Suite("A task that set-up code leaves behind")
struct SetUpTaskTests {
  @Test("registers what wins over earlier registrations, once `autoRegister` has returned")
  func autoRegister() async {
    let snackBar = SnackBar()
    snackBar.label.register { "early" }
    #expect(snackBar.label() == "early")
    #expect(await snackBarTask.goOn() == "loaded")
    #expect(snackBar.label() == "loaded")
  }

  @Test("is reported if it gets a live service, for it belongs to no test")
  func reported() async {
    await #expect(processExitsWith: .success) {
      let issues = Issues()
      // Such a task inherits the test that is running.
      ProcessHooks.bind(ProcessHooks(isInTest: { true }, report: issues.handler))
      let configured = LeftBehind()
      let shop = Resolver { $0.register { LivePayments() as any Payments } }
      Resolver.root = shop
      await sandbox("checkout") {
        shop.register { FakePayments() as any Payments }.mayBeUnused()
        _ = Resolver { _ in configured.start { currentLabel() } }
        _ = Pantry.shared
        #expect(await configured.goOn() == "live")
        #expect(await pantryTask.goOn() == "live")
      }
      let headline = """
        `any Payments` was resolved by work that belongs to no test, while this sandbox was \
        open: it got the live service.
        """
      #expect(issues.all.map(\.headline) == [headline, headline])
    }
  }

  @Test("gets the double of a sandbox that adopts such work")
  func adopted() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let configured = LeftBehind()
        await sandbox("checkout", .adopt) {
          shop.register { FakePayments() as any Payments }
          _ = Resolver { _ in configured.start { shop.resolve((any Payments).self).label } }
          #expect(await configured.goOn() == "fake")
        }
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("registers no base state: it stays in the process, and is reported")
  func registering() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        let configured = LeftBehind()
        await sandbox("checkout") {
          _ = Resolver { _ in
            configured.start {
              Resolver.register { Basket() }
              return ""
            }
          }
          _ = await configured.goOn()
        }
        #expect(Resolver.optional(Basket.self) != nil)
        #expect(
          issues.all.map(\.headline) == [
            """
            `Basket` was registered by work that belongs to no test, while this sandbox was \
            open: the process keeps it.
            """
          ])
      }
    }
  }
}

@Suite("A task that a fallback leaves behind")
struct FallbackTaskTests {
  private static let task = LeftBehind()
  private static let shop = Resolver { $0.register { LivePayments() as any Payments } }

  @Test(
    "gets the fallback's double, as any other request",
    .fallback((any Payments).self) {
      task.start { shop.resolve((any Payments).self).label }
      return FakePayments("fallback")
    })
  func fallback() async {
    #expect(Self.shop.resolve((any Payments).self).label == "fallback")
    #expect(await Self.task.goOn() == "fallback")
  }
}
