@testable import DITesting
import Testing

private protocol Charges: Sendable {}
private struct LiveCharges: Charges {}
private struct FirstFake: Charges {}
private struct SecondFake: Charges {}
private final class Desk: @unchecked Sendable {
  static let line = #line + 1
  @LazyInjected var payments: any Charges
}

// Each in a process of its own: elsewhere such a layer would answer other tests.

@Suite("A lazy wrapper whose owner was made under a layer of the process")
struct LazyForProcessTests {
  @Test("gets what is pushed on the process afterwards, and what is below when that is popped")
  func pushedAfterwards() async {
    await #expect(processExitsWith: .success) {
      Resolver.register { LiveCharges() as any Charges }
      let first = Resolver.push { $0.register { FirstFake() as any Charges } }
      let (desk, other) = (Desk(), Desk())
      let second = Resolver.push { $0.register { SecondFake() as any Charges } }
      #expect(await Task.detached { desk.payments is SecondFake }.value)
      #expect(desk.payments is SecondFake)
      Resolver.pop(second)
      #expect(desk.payments is FirstFake)
      #expect(other.payments is FirstFake)
      Resolver.pop(first)
    }
  }

  @Test(
    "is used by work of no test in a strict test's detached task, though the layer was forgotten")
  func forgotten() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, _ in
        Resolver.production { Resolver.register { LiveCharges() as any Charges } }
        _ = Resolver.push { _ in }
        let desk = Desk()
        await ScopeOpener(
          .sandbox, policy: .strict(.fail, []), name: "buys()", isTest: true,
          location: CodeLocation(), report: issues.handler
        ).run {
          Resolver.register { FirstFake() as any Charges }
          #expect(await Task.detached { desk.payments is LiveCharges }.value)
        }
        #expect(
          issues.all.map(\.headline) == [
            "`any Charges` was resolved by work that belongs to no test, while this sandbox was "
              + "open: it got the live service."
          ])
      }
    }
  }

  @Test("names the sandbox that it was made in where that has ended and nothing is registered")
  func afterItsSandbox() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      withKnownIssue { LazyForProcessTests.useAfterItsSandbox(inTest: false) }
    }
    expectTrap(result)
  }

  @Test("names it in a test too that has opened none")
  func afterItsSandboxInTest() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      LazyForProcessTests.useAfterItsSandbox(inTest: true)
    }
    expectTrap(result)
  }

  private func expectTrap(_ result: ExitTest.Result?) {
    let here = "DITestingTests/LazyForProcessTests.swift"
    let text = """
      \(here):\(Desk.line): Fatal error: Nothing is registered for `any Charges`.

        requested:  \(here):\(Desk.line)
        asked:      main
        note:       the lazy property was made in a sandbox that has ended: withSandbox, at \
      \(here):\(Self.sandboxLine)

      To fix this:
        - Make the property's owner in the scope that uses it.
        - Register it: `register { … as any Charges }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `(any Charges)?`.

      """
    let error = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #if compiler(>=6.3)
    #expect(error?.prefix(text.count) == text[...])
    #else
    // Warnings go to standard error too.
    #expect(error?.contains(text) == true)
    #endif
  }

  private static let sandboxLine = #line + 8
  private static func useAfterItsSandbox(inTest: Bool) {
    if inTest {
      ProcessHooks.bind(
        ProcessHooks(
          currentTest: { "another test" }, testLocation: { nil }, isInTest: { true },
          runsOneTestAtATime: { false }, report: { _ in }))
    }
    let desk = withSandbox { root in
      if inTest { root.register { FirstFake() as any Charges } }
    } operation: {
      Desk()
    }
    _ = desk.payments
  }
}
