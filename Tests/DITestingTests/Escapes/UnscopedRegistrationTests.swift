@testable import DITesting
import Testing

// Each in a process of its own: see UnscopedWorld.swift.

@Suite("A registration of work that belongs to no test, while a sandbox is open,")
struct UnscopedRegistrationTests {
  @Test("stays in the process, and is reported")
  func reported() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        let location = CodeLocation()
        let line = await sandbox("checkout", at: location) {
          return await Task.detached {
            for _ in 0..<2 { Resolver.register { FakePayments() as any Payments } }
            FindingDepot.shared.basket.register { Basket() }
            // Within the macro, all lines are the line of the macro.
            return #line
          }.value
        }
        let text = { (service: String) in
          """
          `\(service)` was registered by work that belongs to no test, while this sandbox was \
          open: the process keeps it.

            registered:  DITestingTests/UnscopedRegistrationTests.swift:\(line)
            thread:      another than main
            open:        checkout, at \(location)

          To fix this:
          \(carryingAdvice)
          """
        }
        #expect(
          issues.all.map(\.text) == ["any Payments", "basket: Basket"].map(text))
        #expect(issues.all.map(\.severity) == [.warning, .warning])
        #expect(issues.all.map(\.location.line) == [UInt(line), UInt(line)])
      }
    }
  }

  @Test("that takes something away takes it from the process, and is reported")
  func removed() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        Resolver.register { FakePayments() as any Payments }
        Resolver.register { Basket() }
        let location = CodeLocation()
        let line = await sandbox("checkout", at: location) {
          return await Task.detached {
            Resolver.main.remove((any Payments).self)
            Resolver.main.removeAll()
            return #line
          }.value
        }
        let text = { (service: String) in
          """
          `\(service)` was removed by work that belongs to no test, while this sandbox was \
          open: the process is without it.

            removed:  DITestingTests/UnscopedRegistrationTests.swift:\(line)
            thread:   another than main
            open:     checkout, at \(location)

          To fix this:
          \(carryingAdvice)
          """
        }
        #expect(issues.all.map(\.text) == ["any Payments", "Basket"].map(text))
        #expect(Resolver.optional(Basket.self) == nil)
      }
    }
  }

  @Test("is an error where the sandbox says `.fail`, and silent where it says `.allow`")
  func policies() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        for policy in [UnscopedPolicy.fail, .allow] {
          await sandbox("checkout", policy) {
            await Task.detached { _ = Resolver.register { Basket() } }.value
          }
        }
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }

  @Test("is its own business in a container that nobody else reaches, and in set-up code")
  func own() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout") {
          await Task.detached {
            shop.register { FakePayments() as any Payments }
            let own = Resolver { $0.register { Basket() } }
            own.register { "own" }
          }.value
        }
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("goes to the sandbox where that says `.adopt`")
  func adopted() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        await sandbox("checkout", .adopt) {
          await Task.detached { _ = Resolver.register { Basket() } }.value
          #expect(Resolver.optional(Basket.self) != nil)
        }
        #expect(Resolver.optional(Basket.self) == nil)
        #expect(issues.all.isEmpty)
      }
    }
  }
}
