@testable import DITesting
import Testing

// Each in a process of its own: see UnscopedWorld.swift.

@Suite("A request that belongs to no test, while a sandbox is open,")
struct UnscopedTests {
  @Test(
    "is not said to get a live service where production registers none", .withoutWarnings)
  func nothingRegistered() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout") {
          shop.register { FakePayments() as any Payments }
          shop.register { "sandboxed" }
          await Task.detached {
            #expect(shop.optional(String.self) == nil)
            #expect(shop.resolve((any Payments).self).label == "live")
          }.value
        }
        #expect(
          issues.all.map(\.headline) == [
            "`String` was resolved by work that belongs to no test, while this sandbox was "
              + "open: it got what production registers.",
            "`any Payments` was resolved by work that belongs to no test, while this sandbox was "
              + "open: it got the live service.",
          ])
      }
    }
  }

  @Test("is reported once where it asks for all services of a type", .withoutWarnings)
  func many() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout") {
          shop.register { FakePayments() as any Payments }
          await Task.detached {
            #expect(shop.resolveMany((any Payments).self).map(\.label) == ["live"])
          }.value
        }
        #expect(
          issues.all.map(\.headline) == [
            "`any Payments` was resolved by work that belongs to no test, while this sandbox was "
              + "open: it got the live service."
          ])
      }
    }
  }

  @Test("gets the live service and a warning that says how to carry the context")
  func warns() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let location = CodeLocation()
        let line = await sandbox("checkout", at: location) {
          shop.register { FakePayments() as any Payments }
          #expect(shop.resolve((any Payments).self).label == "fake")
          return await Task.detached {
            #expect(shop.resolve((any Payments).self).label == "live")
            // Within the macro, all lines are the line of the macro.
            return #line
          }.value
        }
        let text = """
          `any Payments` was resolved by work that belongs to no test, while this sandbox was \
          open: it got the live service.

            requested:  DITestingTests/UnscopedTests.swift:\(line)
            thread:     another than main
            open:       checkout, at \(location)

          To fix this:
          \(carryingAdvice)
          """
        #expect(issues.all.map(\.text) == [text])
        #expect(issues.all.map(\.severity) == [.warning])
        #expect(issues.all.map(\.location.line) == [UInt(line)])
      }
    }
  }

  @Test(
    "names the scope that the owner of a lazy property was made in, which has ended",
    .withoutWarnings)
  func lazyOfEndedScope() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let location = CodeLocation()
        let payments = withSandbox {
          shop.register { FakePayments() as any Payments }
          let payments = LazyInjected<any Payments>(container: shop)
          #expect(payments.wrappedValue.label == "fake")
          return Unchecked(payments)
        }
        await sandbox("checkout") {
          shop.register { FakePayments() as any Payments }
          await Task.detached { #expect(payments.value.wrappedValue.label == "live") }.value
        }
        #expect(
          issues.all.map(\.headline) == [
            "`any Payments` was resolved by work that belongs to no test, while this sandbox was "
              + "open: it got the live service."
          ])
        // Within the macro, all lines are the line of the macro.
        let fact = "made in:    withSandbox, at \(location), which has ended"
        #expect(issues.all.first?.text.contains(fact) ?? false)
      }
    }
  }

  @Test("is not said to be one for a lazy wrapper, which asks for nothing before it is used")
  func lazyWrapper() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout") {
          shop.register { FakePayments() as any Payments }
          #expect(shop.resolve((any Payments).self).label == "fake")
          await Task.detached {
            let wrapper: LazyInjected<any Payments> = shop.resolve()
            #expect(issues.all.isEmpty)
            #expect(wrapper.wrappedValue.label == "live")
          }.value
        }
        #expect(
          issues.all.map(\.headline) == [
            "`any Payments` was resolved by work that belongs to no test, while this sandbox was "
              + "open: it got the live service."
          ])
      }
    }
  }

  @Test("is reported once, not for everything that it asks for in turn")
  func once() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout") {
          _ = await Task.detached { shop.resolve((any Mailer).self).payments.label }.value
        }
        #expect(issues.all.count == 1)
        #expect(issues.all.first?.text.hasPrefix("`any Mailer` was resolved") ?? false)
      }
    }
  }

  @Test("is reported once, not for what an async factory awaits in turn")
  func onceAwaited() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        shop.registerAsync { Basket() }
        shop.registerAsync { [try await $0.requireAsync(Basket.self)] }
        await sandbox("checkout") {
          _ = await Task.detached { await shop.resolveAsync([Basket].self) }.value
        }
        #expect(issues.all.map { $0.text.hasPrefix("`Array<Basket>` was resolved") } == [true])
      }
    }
  }

  @Test("is an error where the sandbox says `.fail`")
  func fails() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout", .fail) {
          _ = await Task.detached { shop.resolve((any Payments).self).label }.value
        }
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }

  @Test("is silent where all open sandboxes say `.allow`")
  func allows() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout", .allow) {
          #expect(await Task.detached { shop.resolve((any Payments).self).label }.value == "live")
          #expect(issues.all.isEmpty)
          await withTaskGroup(of: Void.self) { group in
            group.addTask {
              await sandbox("another", .warn) {
                _ = await Task.detached { shop.resolve((any Payments).self).label }.value
              }
            }
          }
          #expect(issues.all.map(\.severity) == [.warning])
        }
      }
    }
  }

  @Test("follows the process's policy where no sandbox says otherwise")
  func processPolicy() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        #expect(Sandbox.unscopedPolicy == .warn)
        Sandbox.unscopedPolicy = .fail
        #expect(Sandbox.unscopedPolicy == .fail)
        await sandbox("checkout") {
          _ = await Task.detached { shop.resolve((any Payments).self).label }.value
        }
        await sandbox("refund", .allow) {
          _ = await Task.detached { shop.resolve((any Payments).self).label }.value
        }
        Sandbox.unscopedPolicy = .adopt
        await sandbox("receipt") {
          shop.register { FakePayments() as any Payments }
          #expect(await Task.detached { shop.resolve((any Payments).self).label }.value == "fake")
        }
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }

  @Test("is the business of its own test where it runs in one that opened no sandbox")
  func ownTest() async {
    await #expect(processExitsWith: .success) {
      let issues = Issues()
      ProcessHooks.bind(ProcessHooks(isInTest: { true }, report: issues.handler))
      let shop = Resolver { r in r.register { LivePayments() as any Payments } }
      await sandbox("checkout", .fail) {
        _ = await Task.detached { shop.resolve((any Payments).self).label }.value
      }
      #expect(issues.all.isEmpty)
    }
  }

  @Test("is production's business where no sandbox is open")
  func noSandbox() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout", .fail) {}
        _ = await Task.detached { shop.resolve((any Payments).self).label }.value
        #expect(issues.all.isEmpty)
      }
    }
  }
}
