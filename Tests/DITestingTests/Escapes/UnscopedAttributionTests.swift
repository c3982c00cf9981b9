@testable import DITesting
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

private func elsewhere(_ file: StaticString) -> CodeLocation {
  CodeLocation(fileID: file, filePath: file, line: 9, column: 1)
}

@Suite("Work that belongs to no test")
struct UnscopedAttributionTests {
  @Test("is reported when the sandbox ends, once a place, with a count")
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
        #expect(issues.all.first?.text.contains("\n  times:      500\n") ?? false)
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

  @Test("fails nobody where it may be of a test that does not say `.fail`: both are named")
  func mayBeAnothers() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        let refund = elsewhere("Shop/RefundTests.swift")
        let checkout = elsewhere("Shop/CheckoutTests.swift")
        let line: UInt = #line
        await whileOpen("refund", at: refund) {
          await sandbox("checkout", .fail, at: checkout, isTest: true) {
            await Task.detached { for _ in 0..<9 { _ = shop.resolve((any Payments).self) } }.value
          }
        }
        #expect(issues.all.map(\.severity) == [.warning])
        #expect(
          issues.all.map(\.text) == [
            """
            `any Payments` was resolved by work that belongs to no test, while several sandboxes \
            were open: it got the live service.

              requested:  DITestingTests/UnscopedAttributionTests.swift:\(line)
              thread:     another than main
              times:      9
              open:       refund, at Shop/RefundTests.swift:9
              open:       checkout, at Shop/CheckoutTests.swift:9

            To fix this:
            \(carryingAdvice)
            """
          ])
      }
    }
  }

  @Test("is heard of by every test that says `.fail`; it fails one of them, if all do")
  func allFail() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await whileOpen("refund", .fail, at: elsewhere("Shop/RefundTests.swift")) {
          await sandbox("checkout", .fail, at: elsewhere("Shop/CheckoutTests.swift"), isTest: true)
          {
            await Task.detached { for _ in 0..<9 { _ = shop.resolve((any Payments).self) } }.value
          }
        }
        #expect(issues.all.map(\.severity) == [.error, .warning])
      }
    }
  }

  @Test("is the only test's that is written in its file")
  func file() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await whileOpen("refund", at: elsewhere("Shop/RefundTests.swift")) {
          await sandbox("checkout", .fail, at: CodeLocation(), isTest: true) {
            await Task.detached { _ = shop.resolve((any Payments).self) }.value
          }
          #expect(issues.all.map(\.severity) == [.error])
        }
        #expect(issues.all.count == 1)
      }
    }
  }

  @Test("is the only test's that registered something in the container")
  func container() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await whileOpen("refund", .fail, in: shop) {
          await sandbox("checkout", isTest: true) {
            await Task.detached { _ = shop.resolve((any Payments).self) }.value
          }
          #expect(issues.all.isEmpty)
        }
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }

  @Test("is reported with ten open sandboxes at most, of each test once")
  func many() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        await withTaskGroup(of: Void.self) { group in
          let (isOpen, open) = AsyncStream<Void>.makeStream()
          let (closing, close) = AsyncStream<Void>.makeStream()
          let isOver = Task { for await _ in closing {} }
          for test in 0..<24 {
            group.addTask {
              await sandbox("test \(test / 2)", at: elsewhere("Shop/Tests.swift"), isTest: true) {
                open.yield()
                await isOver.value
              }
            }
          }
          var count = 0
          for await _ in isOpen {
            count += 1
            if count == 24 { break }
          }
          await Task.detached { _ = shop.resolve((any Payments).self) }.value
          close.finish()
          await group.waitForAll()
        }
        let texts = issues.all.map(\.text)
        #expect(texts.count == 1)
        let open = texts.first?.split(separator: "\n").filter { $0.hasPrefix("  open:") } ?? []
        #expect(open.count == 11)
        #expect(open.dropLast().allSatisfy { $0.hasSuffix(", at Shop/Tests.swift:9, 2 times") })
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
