@testable import DITesting
import Foundation
import Testing

// The policies of a whole run. Those that change them do it in a process of their own.

@Suite("The policies of the process")
struct ProcessPolicyTests {
  @Test("are read from a text that lists them")
  func text() {
    var policies = ProcessPolicies()
    #expect(policies.set("strictness=fail, unscopedPolicy = adopt,processChanges=off") == nil)
    #expect(policies.strictness == .fail)
    #expect(policies.unscopedPolicy == .adopt)
    #expect(policies.processChanges == .off)
    #expect(policies.set("") == nil)
    #expect(policies.set("strictness=warn") == nil)
    #expect(policies.strictness == .warn)
    #expect(policies.processChanges == .off)
  }

  @Test(
    "say what they are if a text lists something else",
    arguments: ["strict=fail", "strictness=hard", "unscopedPolicy=off", "strictness", "fail"])
  func mistake(setting: String) {
    var policies = ProcessPolicies()
    #expect(
      policies.set("processChanges=fail,\(setting)") == """
        There is no such setting: "\(setting)".

          DITESTING_DEFAULTS:  "processChanges=fail,\(setting)"

        To fix this:
          - Set `strictness` or `processChanges` to `off`, `warn` or `fail`: `strictness=fail`.
          - Set `unscopedPolicy` to `allow`, `warn`, `fail` or `adopt`.
          - Write a comma between two settings.
        """)
  }

  @Test("are those of the environment variable")
  func environment() async {
    await #expect(processExitsWith: .success) {
      setenv("DITESTING_DEFAULTS", "strictness=fail,processChanges=off,unscopedPolicy=fail", 1)
      #expect(Sandbox.strictness == .fail)
      #expect(Sandbox.processChanges == .off)
      #expect(Sandbox.unscopedPolicy == .fail)
    }
  }

  @Test("end the run if the environment variable cannot be read")
  func unreadable() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      setenv("DITESTING_DEFAULTS", "strictness=hard", 1)
      withSandbox {}
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(#"There is no such setting: "strictness=hard"."#))
  }

  @Test("make every sandbox strict that says nothing else")
  func strictness() async {
    await #expect(processExitsWith: .success) {
      let issues = Issues()
      ProcessHooks.bind(ProcessHooks(report: issues.handler))
      let shop = Resolver { r in r.register { LivePayments() as any Payments } }
      Sandbox.strictness = .fail
      func resolve(_ kind: FrameKind = .sandbox, _ policy: FramePolicy? = nil) -> [DiagnosticIssue]
      {
        findings(in: kind, policy: policy) { _ = shop.resolve((any Payments).self) }
      }
      // All lines in the macro are one.
      let place = "DITestingTests/ProcessPolicyTests.swift:\(#line)"
      #expect(
        resolve().map(\.text) == [
          """
          A live service was resolved: `any Payments`.

            requested:   \(place)
            registered:  \(place), in container made at \(place)

          To fix this:
            - Register a double: `register { … as any Payments }` in the sandbox or a layer.
            - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
          """
        ])
      #expect(resolve().map(\.severity) == [.error])
      #expect(resolve(.sandbox, .strict(.warn, [])).map(\.severity) == [.warning])
      #expect(resolve(.sandbox, .strict(.off, [])).isEmpty)
      #expect(resolve(.layer).isEmpty)
      withSandbox { #expect(ContextFrame.current?.findingSeverity == .error) }
    }
  }

  @Test("make work strict that belongs to no test")
  func unscopedWork() async {
    await #expect(processExitsWith: .success) {
      await collecting { issues, shop in
        Sandbox.strictness = .fail
        await sandbox("checkout") {
          _ = await Task.detached { shop.resolve((any Payments).self).label }.value
        }
        #expect(issues.all.map(\.severity) == [.error])
      }
    }
  }
}
