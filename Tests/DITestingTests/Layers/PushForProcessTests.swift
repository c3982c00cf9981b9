@testable import DITesting
import Testing

// Each in a process of its own: elsewhere such a layer would answer other tests.

@Suite("Pushed layers, without a scope,")
struct PushForProcessTests {
  @Test("that nobody encloses answer the process, and a second test's are an issue")
  func processWide() async {
    // In a process of its own: elsewhere they would answer other tests.
    await #expect(processExitsWith: .success) {
      let shop = Resolver()
      shop.register { LivePayments() as any Payments }
      Resolver.root = shop
      let layer = Resolver.push { $0.register { FakePayments() as any Payments } }
      #expect(currentLabel() == "fake")
      #expect(await Task.detached { currentLabel() }.value == "fake")
      withSandbox { #expect(currentLabel() == "fake") }
      Resolver.pop(layer)
      #expect(currentLabel() == "live")
    }
  }

  @Test("of a suite's `setUp` are no issue for its tests, which push and swap on their own")
  func classSetUp() async {
    await #expect(processExitsWith: .success) {
      process(isAlone: true) { test, issues in
        let outer = Resolver.push { $0.register { FakePayments("suite") as any Payments } }
        for name in ["CheckoutTests.testA", "CheckoutTests.testB"] {
          test.withLock { $0 = MadeUpTest(name) }
          let layer = Resolver.push { $0.register { FakePayments("test") as any Payments } }
          #expect(currentLabel() == "test")
          Resolver.pop(layer)
          Resolver.root = Resolver()
          #expect(currentLabel() == "suite")
          Resolver.root = .main
        }
        test.withLock { $0 = nil }
        Resolver.pop(outer)
        // Each root is a change of the process, and no clash with the layer.
        #expect(issues.all.map(\.severity) == [.warning, .warning])
      }
    }
  }

  // Issues have had a severity since 6.3; before, a warning goes to standard error.
  #if compiler(>=6.3)
  @Test("that nobody encloses are a warning where other tests run at the same time")
  func processWideAmongOthers() async {
    await #expect(processExitsWith: .success) {
      let location = CodeLocation(
        fileID: "Shop/Tests.swift", filePath: "/Shop/Tests.swift", line: 7, column: 1)
      withKnownIssue {
        Resolver.pop(
          LayerStack.push(.layer, container: Resolver(), at: location, amongOthers: true))
      } matching: {
        $0.severity == .warning && $0.sourceLocation?.line == 7
          && $0.comments == [
            """
            This layer affects the whole process because it was pushed outside any scope.

              pushed:  Shop/Tests.swift:7

            To fix this:
              - Add the `.sandbox` trait to the test or suite: the layer is then the test's own.
              - Or enclose the code that it is for with `withLayer`, which pops it too.
            """
          ]
      }
      // In a scope it is the scope's.
      withSandbox {
        Resolver.pop(
          LayerStack.push(.layer, container: Resolver(), at: location, amongOthers: true))
      }
    }
  }
  #endif

  @Test("that two tests push for the process are an issue at the second push")
  func twoTests() async {
    await #expect(processExitsWith: .success) {
      RunningXCTest.set("the first test")
      let first = Resolver.push { _ in }
      RunningXCTest.set("the second test")
      withKnownIssue {
        Resolver.pop(Resolver.push { _ in })
      } matching: {
        $0.comments.first?.rawValue.hasPrefix(
          "Two tests change the process's containers at the same time.") ?? false
      }
      Resolver.pop(first)
    }
  }

  @Test("that two tests of one name push for the process are an issue at the second push")
  func twoTestsOfOneName() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = MadeUpTest("pays", line: 7) }
        // The line of all that is in the macro.
        let line: UInt = #line
        let first = Resolver.push { _ in }
        test.withLock { $0 = MadeUpTest("pays", line: 19) }
        Resolver.pop(Resolver.push { _ in })
        #expect(
          issues.all.map(\.text) == [
            """
            Two tests change the process's containers at the same time.

              pushed:  DITestingTests/PushForProcessTests.swift:\(line)
              open:    DITestingTests/PushForProcessTests.swift:\(line), by pays

            To fix this:
              - Give both a sandbox of their own: `@Suite(.sandbox)`, `SandboxTestCase` or \
            `withSandbox`.
              - Pop what is pushed in `setUp` in `tearDown`, and set the root back there.
            """
          ])
        #expect(issues.all.map(\.location.line) == [line])
        Resolver.pop(first)
      }
    }
  }
}
