@testable import DITesting
import Testing

// Each in a process of its own, with names of tests that it makes up.

/// What a test hears that leaves another root, or another value of the variable with a name.
private func replaced(_ test: String, _ name: String = "root") -> String {
  """
  `Resolver.\(name)` was replaced outside every sandbox: the process keeps the new one.

    replaced:  `Resolver.\(name) = …`
    test:      \(test)

  To fix this:
    - Add the `.sandbox` trait to the test or its suite: what it changes is then its own.
    - If the process is to keep it, mark it: `Resolver.production { … }`, or `.processChanges(.off)`.
  """
}

@Suite("The treatment of changes to the process")
struct ProcessChangesTraitTests {
  @Test("is the trait's", arguments: [Strictness.off, .warn, .fail])
  func fromTrait(_ strictness: Strictness) async throws {
    let test = try #require(Test.current)
    try await CaseTrait.processChanges(strictness).provideScope(for: test, testCase: nil) {
      #expect(ProcessChange.severity == strictness.severity)
    }
  }
}

@Suite("With no scope around, `Resolver.root = …`")
struct ProcessChangeTests {
  @Test("is an issue while another test's is open")
  func twoRoots() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        Resolver.root = Resolver()
        test.withLock { $0 = "checkout" }
        Resolver.root = Resolver()
        let text = """
          Two tests change the process's containers at the same time.

            changed:  `Resolver.root = …`, by checkout
            open:     `Resolver.root = …`, by refund

          To fix this:
            - Give both a sandbox of their own: `@Suite(.sandbox)`, `SandboxTestCase` or \
          `withSandbox`.
            - Pop what is pushed in `setUp` in `tearDown`, and set the root back there.
          """
        #expect(issues.all.map(\.text) == [replaced("refund"), text])
        #expect(issues.all.map(\.severity) == [.warning, .error])
        #expect(
          issues.all.map(\.location.description) == ["Shop/Tests.swift:7", "Shop/Tests.swift:7"])
      }
    }
  }

  @Test("is said once for each test, and no more once the other has put it back or has reset all")
  func putBack() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        Resolver.root = Resolver()
        Resolver.root = .main
        test.withLock { $0 = "checkout" }
        Resolver.root = Resolver()
        Resolver.reset()
        test.withLock { $0 = "receipt" }
        Resolver.root = Resolver()
        Resolver.root = Resolver()
        #expect(
          issues.all.map(\.text) == ["refund", "checkout", "receipt"].map { replaced($0) })
      }
    }
  }

  @Test("is said of each of two tests that have one name")
  func oneName() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = MadeUpTest("pays", line: 7) }
        Resolver.root = Resolver()
        test.withLock { $0 = MadeUpTest("pays", line: 19) }
        Resolver.root = .main
        Resolver.root = Resolver()
        #expect(issues.all.map(\.text) == [replaced("pays"), replaced("pays")])
        #expect(
          issues.all.map(\.location.description) == ["Shop/Tests.swift:7", "Shop/Tests.swift:19"])
      }
    }
  }

  @Test("is none outside tests, nor inside a scope")
  func scoped() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        Resolver.root = Resolver()
        for name in ["refund", "checkout"] {
          test.withLock { $0 = MadeUpTest(name) }
          withSandbox { Resolver.root = Resolver() }
        }
        #expect(issues.all.isEmpty)
      }
    }
  }

  @Test("is not open for other tests where it is production's, or a test may make it")
  func meant() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "starts" }
        let shop = Resolver(child: .main)
        Resolver.production { Resolver.root = shop }
        test.withLock { $0 = "refund" }
        var policy = FramePolicy()
        policy.processChanges = .off
        ScopeOpener(.plain, caches: .none, policy: policy, name: "refund", location: .unknown)
          .run {
            Resolver.root = Resolver()
            Resolver.root = shop
          }
        test.withLock { $0 = "checkout" }
        Resolver.pop(Resolver.push { _ in })
        #expect(issues.all.map(\.headline) == [])
      }
    }
  }

  @Test("is over once production's set-up puts the root back")
  func putBackByProduction() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = "refund" }
        Resolver.root = Resolver()
        Resolver.production { Resolver.root = .main }
        test.withLock { $0 = "checkout" }
        Resolver.pop(Resolver.push { _ in })
        #expect(issues.all.map(\.text) == [replaced("refund")])
      }
    }
  }

  @Test("is an issue while another test of the same name has a layer open")
  func layerOfOneName() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        test.withLock { $0 = MadeUpTest("pays", line: 7) }
        // The line of all that is in the macro.
        let line: UInt = #line
        let layer = Resolver.push { _ in }
        test.withLock { $0 = MadeUpTest("pays", line: 19) }
        Resolver.root = Resolver()
        #expect(
          issues.all.map(\.text) == [
            """
            Two tests change the process's containers at the same time.

              changed:  `Resolver.root = …`, by pays
              open:     DITestingTests/ProcessChangeTests.swift:\(line), by pays

            To fix this:
              - Give both a sandbox of their own: `@Suite(.sandbox)`, `SandboxTestCase` or \
            `withSandbox`.
              - Pop what is pushed in `setUp` in `tearDown`, and set the root back there.
            """
          ])
        test.withLock { $0 = MadeUpTest("pays", line: 7) }
        Resolver.pop(layer)
      }
    }
  }
}

@Suite("With no scope around, an assignment to a setting of all containers")
struct SettingChangeTests {
  @Test("is said once for each test")
  func assigned() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        Resolver.defaultScope = .unique
        test.withLock { $0 = "refund" }
        Resolver.defaultScope = .unique
        for _ in 1...2 {
          Resolver.defaultScope = .cached
          Resolver.decorate = { _ in }
          Resolver.decorate = nil
          Resolver.defaultScope = .graph
        }
        withSandbox {
          Resolver.defaultScope = .cached
          Resolver.decorate = { _ in }
        }
        #expect(
          issues.all.map(\.text) == [
            replaced("refund", "defaultScope"), replaced("refund", "decorate"),
          ])
      }
    }
  }
}

@Suite("A change of the process")
struct ChangeSeverityTests {
  @Test("fails a test that may not make it, although another was warned of its line before")
  func failsAfterWarning() async {
    await #expect(processExitsWith: .success) {
      process { test, issues in
        func register() { Resolver.register { Basket() } }
        test.withLock { $0 = "refund" }
        register()
        Sandbox.processChanges = .fail
        test.withLock { $0 = "checkout" }
        register()
        register()
        Sandbox.processChanges = .warn
        register()
        #expect(issues.all.map(\.severity) == [.warning, .error])
      }
    }
  }
}
