@testable import DITesting
import Dispatch
import Testing

// Each in a process of its own: in this one, other tests' sandboxes are open too, and what belongs
// to no test is reported to the process.

/// Runs a body in a process whose reports go to a collector.
private func collecting(_ body: (Issues, Resolver) async -> Void) async {
  let issues = Issues()
  ProcessHooks.bind(ProcessHooks(report: issues.handler))
  let shop = Resolver { r in
    r.register { LivePayments() as any Payments }
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }
  await body(issues, shop)
}

private func sandbox(
  _ name: String, _ unscoped: UnscopedPolicy? = nil, at location: CodeLocation = CodeLocation(),
  _ operation: nonisolated(nonsending) () async -> Void
) async {
  var policy = ScopePolicy()
  policy.unscopedWork = unscoped?.unscopedWork
  await ScopeOpener(.sandbox, policy: policy, name: name, location: location).run(operation)
}

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
          issues.all.map { $0.text.prefix { $0 != "\n" } } == [
            "`String` was resolved by work that belongs to no test, while a sandbox is open: "
              + "it gets what production registers.",
            "`any Payments` was resolved by work that belongs to no test, while a sandbox is open: "
              + "it gets the live service.",
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
          issues.all.map { $0.text.prefix { $0 != "\n" } } == [
            "`any Payments` was resolved by work that belongs to no test, while a sandbox is open: "
              + "it gets the live service."
          ])
      }
    }
  }

  @Test("gets the live service and a warning that says how to carry the context")
  func warns() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let location = CodeLocation()
        await sandbox("checkout", at: location) {
          shop.register { FakePayments() as any Payments }
          #expect(shop.resolve((any Payments).self).label == "fake")
          let line = await Task.detached {
            #expect(shop.resolve((any Payments).self).label == "live")
            // Within the macro, all lines are the line of the macro.
            return #line
          }.value
          let text = """
            `any Payments` was resolved by work that belongs to no test, while a sandbox is open: \
            it gets the live service.

              requested:  DITestingTests/UnscopedTests.swift:\(line)
              thread:     another than main
              open:       checkout, at \(location)

            To fix this:
              - Carry the context there: `let context = ResolutionContext.current`, then \
            `context.run { … }`.
              - Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.
            """
          #expect(issues.all.map(\.text) == [text])
          #expect(issues.all.map(\.severity) == [.warning])
          #expect(issues.all.map(\.location.line) == [UInt(line)])
        }
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
          issues.all.map { $0.text.prefix { $0 != "\n" } } == [
            "`any Payments` was resolved by work that belongs to no test, while a sandbox is open: "
              + "it gets the live service."
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
          #expect(issues.all.count == 1)
          #expect(issues.all.first?.text.hasPrefix("`any Mailer` was resolved") ?? false)
        }
      }
    }
  }

  @Test("is an error where the sandbox says `.fail`")
  func fails() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout", .fail) {
          _ = await Task.detached { shop.resolve((any Payments).self).label }.value
          #expect(issues.all.map(\.severity) == [.error])
        }
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

  @Test("gets the sandbox's double where the only one open says `.adopt`")
  func adopts() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout", .adopt) {
          shop.register { FakePayments() as any Payments }
          #expect(await Task.detached { shop.resolve((any Payments).self).label }.value == "fake")
          #expect(issues.all.isEmpty)
        }
      }
    }
  }

  @Test("gets the double of the innermost scope in a sandbox that says `.adopt`")
  func adoptsIntoTheInnermost() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        Resolver.root = shop
        await sandbox("checkout", .adopt) {
          await withLayer {
            $0.register { FakePayments("layer") as any Payments }
          } operation: {
            await withStrictness(.warn) {
              #expect(await Task.detached { currentLabel() }.value == "layer")
            }
          }
          let mock = Resolver()
          mock.register { FakePayments("mock") as any Payments }
          await withRoot(mock) {
            #expect(await Task.detached { currentLabel() }.value == "mock")
          }
          #expect(issues.all.isEmpty)
        }
      }
    }
  }

  @Test("is not adopted while two layers of one sandbox are open: both are named")
  func adoptsNoneOfTwoLayers() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        Resolver.root = shop
        let checkout = CodeLocation()
        await sandbox("checkout", .adopt, at: checkout) {
          let (opened, isOpen) = AsyncStream<Void>.makeStream()
          let (closing, close) = AsyncStream<Void>.makeStream()
          async let other: Void = withLayer {
            $0.register { FakePayments("one") as any Payments }
          } operation: {
            #expect(currentLabel() == "one")
            isOpen.finish()
            for await _ in closing {}
          }
          for await _ in opened {}
          let line = await withLayer {
            $0.register { FakePayments("other") as any Payments }
          } operation: {
            #expect(currentLabel() == "other")
            return await Task.detached {
              #expect(shop.resolve((any Payments).self).label == "live")
              return #line
            }.value
          }
          close.finish()
          await other
          let text = """
            `any Payments` was resolved by work that belongs to no test, while a sandbox is open: \
            it gets the live service.

              requested:  DITestingTests/UnscopedTests.swift:\(line)
              thread:     another than main
              open:       checkout, at \(checkout)
              open:       withLayer, at DITestingTests/UnscopedTests.swift:\(line)
              open:       withLayer, at DITestingTests/UnscopedTests.swift:\(line)

            To fix this:
              - Carry the context there: `let context = ResolutionContext.current`, then \
            `context.run { … }`.
              - Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.
            """
          #expect(issues.all.map(\.text) == [text])
          #expect(issues.all.map(\.severity) == [.warning])
        }
      }
    }
  }

  @Test("gets what is around two scopes of a sandbox for the process, and a warning")
  func adoptsAroundTwo() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        Resolver.root = shop
        let opened = Sandbox.open {
          $0.register { FakePayments("opened") as any Payments }
        }
        let (isOpen, open) = AsyncStream<Void>.makeStream()
        let (closing, close) = AsyncStream<Void>.makeStream()
        async let other: Void = withLayer {
          $0.register { FakePayments("one") as any Payments }
        } operation: {
          #expect(currentLabel() == "one")
          open.finish()
          for await _ in closing {}
        }
        for await _ in isOpen {}
        let line = await withLayer {
          $0.register { FakePayments("other") as any Payments }
        } operation: {
          #expect(currentLabel() == "other")
          return await Task.detached {
            #expect(shop.resolve((any Payments).self).label == "opened")
            return #line
          }.value
        }
        close.finish()
        await other
        opened.close()
        let text = """
          `any Payments` was resolved by work that belongs to no test, while several scopes are \
          open: the one around them all answers.

            requested:  DITestingTests/UnscopedTests.swift:\(line)
            thread:     another than main
            open:       withLayer, at DITestingTests/UnscopedTests.swift:\(line)
            open:       withLayer, at DITestingTests/UnscopedTests.swift:\(line)

          To fix this:
            - Carry the context there: `let context = ResolutionContext.current`, then \
          `context.run { … }`.
            - Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.
          """
        #expect(issues.all.map(\.text) == [text])
        #expect(issues.all.map(\.severity) == [.warning])
      }
    }
  }

  @Test("is not adopted while two sandboxes are open: both are named")
  func adoptsNothing() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let (opened, isOpen) = AsyncStream<Void>.makeStream()
        let (closing, close) = AsyncStream<Void>.makeStream()
        let other = Task {
          await sandbox("refund", .adopt) {
            shop.register { FakePayments("refund's") as any Payments }
            _ = shop.resolve((any Payments).self)
            isOpen.finish()
            for await _ in closing {}
          }
        }
        for await _ in opened {}
        await sandbox("checkout", .adopt) {
          shop.register { FakePayments() as any Payments }
          #expect(shop.resolve((any Payments).self).label == "fake")
          #expect(await Task.detached { shop.resolve((any Payments).self).label }.value == "live")
        }
        #expect(issues.all.count == 1)
        let text = issues.all.first?.text ?? ""
        #expect(text.contains("open:       refund, at DITestingTests/UnscopedTests.swift:"))
        #expect(text.contains("open:       checkout, at DITestingTests/UnscopedTests.swift:"))
        close.finish()
        await other.value
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

  @Test("hears nothing of dry runs, nor do they answer it", arguments: [false, true])
  func dryRun(adopts: Bool) async {
    await #expect(processExitsWith: .success) { [adopts] in
      await collecting { issues, shop in
        if adopts { Sandbox.unscopedPolicy = .adopt }
        #expect(labelsDuringDryRun(of: shop) == ["live"])
        #expect(shop.optional((any Payments).self, name: "left") != nil)
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("is answered where a dry run started it that has ended")
  func afterDryRun() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let late = Lock<Task<String?, Never>?>(nil)
        let (isOver, end) = AsyncStream<Never>.makeStream()
        shop.register { () -> Basket in
          late.withLock {
            $0 = Task {
              for await _ in isOver {}
              return shop.optional((any Payments).self)?.label
            }
          }
          return Basket()
        }
        _ = shop.dryRun()
        end.finish()
        #expect(await late.withLock { $0 }?.value == "live")
        #expect(issues.all.isEmpty)
      }
    }
  }
}

/// What work that carries no context gets while a dry run goes on.
private func labelsDuringDryRun(of shop: Resolver) -> [String] {
  let heard = Lock<[String]>([])
  let done = DispatchSemaphore(value: 0)
  shop.register { () -> Basket in
    withLayer { _ in
    } operation: {
      DispatchQueue.global().async {
        heard.withLock { $0.append(shop.resolve((any Payments).self).label) }
        shop.register(name: "left") { FakePayments() as any Payments }
        done.signal()
      }
      done.wait()
    }
    return Basket()
  }
  _ = shop.dryRun()
  return heard.withLock { $0 }
}
