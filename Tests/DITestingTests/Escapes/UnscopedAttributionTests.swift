@testable import DITesting
import Dispatch
import Foundation
import Testing

// Each in a process of its own: see UnscopedWorld.swift.

/// Runs an operation while a sandbox of another test is open.
private func whileOpen(
  _ name: String, _ unscoped: UnscopedPolicy? = nil, at location: CodeLocation = CodeLocation(),
  in container: Resolver? = nil, _ operation: nonisolated(nonsending) () async -> Void
) async {
  let (isOpen, open) = AsyncStream<Void>.makeStream()
  let (closing, close) = AsyncStream<Void>.makeStream()
  let other = Task {
    await sandbox(name, unscoped, at: location, isTest: true) {
      container?.register(name: "other's") { FakePayments() as any Payments }
      open.finish()
      for await _ in closing {}
    }
  }
  for await _ in isOpen {}
  await operation()
  close.finish()
  await other.value
}

extension Container {
  fileprivate var quayClerk: Factory<String> { self { "live" } }
}

/// Opens a strict sandbox.
private func strictSandbox(
  _ name: String, _ exceptions: [LiveException] = [],
  _ operation: nonisolated(nonsending) () async -> Void
) async {
  await ScopeOpener(
    .sandbox, policy: .strict(.fail, exceptions), name: name, location: CodeLocation()
  ).run(operation)
}

/// Opens the scope of a trait `.strict`, which stands after `.sandbox`.
private func strictPlain(
  _ name: String, _ operation: nonisolated(nonsending) () async -> Void
) async {
  let opener = ScopeOpener(
    .plain, caches: .none, policy: .strict(.fail, []), name: name, isTest: true,
    location: CodeLocation())
  opener.frame.applyPolicyOutside()
  await opener.run(operation)
}

private func elsewhere(_ file: StaticString) -> CodeLocation {
  CodeLocation(fileID: file, filePath: file, line: 9, column: 1)
}

@Suite("Work that belongs to no test")
struct UnscopedAttributionTests {
  @Test("is reported when the sandbox ends, once a place")
  func count() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        for _ in 0..<3 {
          await sandbox("checkout", isTest: true) {
            await Task.detached { for _ in 0..<500 { _ = shop.optional((any Payments).self) } }
              .value
            #expect(issues.all.count <= 1)
          }
        }
        #expect(issues.all.count == 1)
      }
    }
  }

  @Test("is reported to each of two tests that have one name")
  func oneName() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        for line: UInt in [7, 19, 19] {
          let place = CodeLocation(
            fileID: "Shop/Tests.swift", filePath: "Tests.swift", line: line, column: 1)
          await sandbox("pays", at: place, isTest: true) {
            // A scope inside it is the test's too.
            await sandbox("withSandbox", isTest: true) {
              await Task.detached { _ = shop.resolve((any Payments).self) }.value
            }
          }
        }
        #expect(issues.all.count == 2)
      }
    }
  }

  @Test("fails each sandbox that says `.fail`, where it can be told to be its own")
  func failsEach() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        for _ in 0..<2 {
          await sandbox("checkout", .fail, isTest: true) {
            await Task.detached { for _ in 0..<5 { _ = shop.resolve((any Payments).self) } }.value
          }
        }
        #expect(issues.all.map(\.severity) == [.error, .error])
      }
    }
  }

  @Test("is reported at once where several sandboxes are open, once a place, and names them")
  func several() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let refund = elsewhere("Shop/RefundTests.swift")
        let checkout = elsewhere("Shop/CheckoutTests.swift")
        let line: UInt = #line
        await whileOpen("refund", at: refund) {
          await sandbox("checkout", .fail, at: checkout, isTest: true) {
            await Task.detached { for _ in 0..<9 { _ = shop.resolve((any Payments).self) } }.value
            #expect(
              issues.all.map(\.text) == [
                """
                `any Payments` was resolved by work that belongs to no test, while several \
                sandboxes were open: it got the live service.

                  requested:  DITestingTests/UnscopedAttributionTests.swift:\(line)
                  thread:     another than main
                  open:       refund, at Shop/RefundTests.swift:9
                  open:       checkout, at Shop/CheckoutTests.swift:9

                To fix this:
                \(carryingAdvice)
                """
              ])
            #expect(issues.all.map(\.severity) == [.warning])
          }
        }
        #expect(issues.all.count == 1)
      }
    }
  }

  @Test("is a failure where all of several open sandboxes are strict or say `.fail`")
  func allFail() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await whileOpen("refund", .fail) {
          await strictSandbox("checkout") {
            await Task.detached { for _ in 0..<9 { _ = shop.resolve((any Payments).self) } }.value
          }
        }
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }

  @Test("fails the only sandbox that is open if that is strict, but for exceptions")
  func strict() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await strictSandbox("checkout") {
          await Task.detached { _ = shop.resolve((any Payments).self) }.value
        }
        #expect(issues.all.map(\.severity) == [.error])
        await strictSandbox("refund", [.type((any Payments).self)]) {
          await Task.detached { _ = shop.resolve((any Payments).self) }.value
        }
        #expect(issues.all.map(\.severity) == [.error, .warning])
        await strictSandbox("registers") {
          await Task.detached { _ = Resolver.register { Basket() } }.value
        }
        #expect(issues.all.map(\.severity) == [.error, .warning, .error])
      }
    }
  }

  @Test("fails a strict test that is alone, although the line did it with several sandboxes open")
  func strictAfterSeveral() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        func work() async { await Task.detached { _ = shop.resolve((any Payments).self) }.value }
        let (isOpen, open) = AsyncStream<Void>.makeStream()
        let (closing, close) = AsyncStream<Void>.makeStream()
        let other = Task {
          await sandbox("refund", isTest: true) {
            open.finish()
            for await _ in closing {}
          }
        }
        for await _ in isOpen {}
        await strictSandbox("checkout") {
          await work()
          close.finish()
          await other.value
          await work()
        }
        let request = "`any Payments` was resolved by work that belongs to no test, while"
        #expect(
          issues.all.map(\.headline) == [
            "\(request) several sandboxes were open: it got the live service.",
            "\(request) this sandbox was open: it got the live service.",
          ])
        #expect(issues.all.map(\.severity) == [.warning, .error])
      }
    }
  }

  @Test("fails a test whose traits are strict inside the sandbox, from a queue and a thread, too")
  func strictTrait() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await sandbox("checkout", isTest: true) {
          await strictPlain("checkout") {
            await withCheckedContinuation { done in
              DispatchQueue.global().async {
                _ = shop.resolve((any Payments).self)
                done.resume()
              }
            }
            await withCheckedContinuation { done in
              Thread {
                _ = shop.resolve((any Mailer).self)
                done.resume()
              }.start()
            }
          }
        }
        #expect(issues.all.map(\.severity) == [.error, .error])
      }
    }
  }

  @Test("may be excepted by what asks for a container itself, while several sandboxes are open")
  func exceptions() async {
    await #expect(processExitsWith: .success) {
      // As any `.adopt` and any push do.
      ContextFrame.listAllFrames()
      await collecting { issues, shop in
        await whileOpen("refund") {
          await strictSandbox("checkout", [.property(\Container.quayClerk)]) {
            await Task.detached { _ = shop.resolve((any Payments).self) }.value
          }
        }
        #expect(issues.all.map(\.severity) == [.warning])
      }
    }
  }

  @Test("is reported with ten open sandboxes at most")
  func many() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await withTaskGroup(of: Void.self) { group in
          let (isOpen, open) = AsyncStream<Void>.makeStream()
          let (closing, close) = AsyncStream<Void>.makeStream()
          let isOver = Task { for await _ in closing {} }
          // Two of them are further cases of one test.
          for test in 0..<14 {
            group.addTask {
              await sandbox("test \(test % 12)", at: elsewhere("Shop/Tests.swift"), isTest: true) {
                open.yield()
                await isOver.value
              }
            }
          }
          var count = 0
          for await _ in isOpen {
            count += 1
            if count == 14 { break }
          }
          await Task.detached { _ = shop.resolve((any Payments).self) }.value
          close.finish()
          await group.waitForAll()
        }
        let texts = issues.all.map(\.text)
        #expect(texts.count == 1)
        let open = texts.first?.split(separator: "\n").filter { $0.hasPrefix("  open:") } ?? []
        #expect(open.count == 11)
        #expect(open.dropLast().allSatisfy { $0.hasSuffix(", at Shop/Tests.swift:9") })
        #expect(open.last == "  open:       … 2 more")
      }
    }
  }

  @Test("is reported once a test, and once for all, while sandboxes open and end")
  func stress() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let isOver = Atomic()
        let work = (0..<2).map { _ in
          Task.detached {
            while !isOver.isSet {
              _ = shop.resolve((any Payments).self)
              await Task.yield()
            }
          }
        }
        await withTaskGroup(of: Void.self) { group in
          for test in 0..<4 {
            group.addTask {
              for _ in 0..<200 {
                await sandbox("test \(test)", isTest: true) { await Task.yield() }
              }
            }
          }
        }
        isOver.set(true)
        for work in work { await work.value }
        // Once for each test, and once for all where nothing can be told.
        #expect(issues.all.count <= 5)
      }
    }
  }
}
