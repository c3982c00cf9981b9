@testable import DIContainer
@testable import DITesting
import Testing

// What production's set-up requests, where a strict test is the first to need it.

private struct MailerAssembly: Assembly {
  func assemble(container: Container) {
    container.register { LivePayments() as any Payments }
  }

  func loaded(resolver: Resolver) { _ = resolver.resolve((any Payments).self) }
}

private final class SetUpYard: SharedContainer, AutoRegistering {
  static let shared = SetUpYard()
  let manager = ContainerManager()
  var payments: Factory<any Payments> { self { LivePayments() } }
  var label: Factory<String> { self { "" } }

  func autoRegister() {
    let payments = payments()
    label.register { payments.label }
  }
}

@Suite("Production's set-up that runs in a strict test")
struct StrictSetUpTests {
  private static let file = "DITestingTests/StrictSetUpTests.swift"

  private func strict(_ body: () -> Void) -> [DiagnosticIssue] {
    findings(policy: .strict(.fail, []), body)
  }

  @Test("is an issue where it resolves a live service, which a double of the test does not replace")
  func configured() {
    let line: UInt = #line + 3
    let issues = strict {
      let shop = Resolver { r in
        r.register { LivePayments() as any Payments }
        let payments = r.resolve((any Payments).self)
        r.register { LiveMailer(payments: payments) as any Mailer }
      }
      shop.register { SpyMailer() as any Mailer }
      #expect(shop.resolve((any Mailer).self) is SpyMailer)
    }
    #expect(issues.map(\.location.line) == [line + 1])
    #expect(
      issues.first?.text.replacing(#/, in container.*/#, with: "") == """
        Production's set-up resolved a live service: `any Payments`.

          requested:   \(Self.file):\(line + 1)
          registered:  \(Self.file):\(line)

        To fix this:
          - Let the set-up register only, and resolve it where it is used: set-up gets no double.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """)
  }

  @Test("is an issue of each thing that it resolves, with its chain")
  func chain() {
    let issues = strict {
      _ = Resolver { r in
        r.register { LivePayments() as any Payments }
        r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
        _ = r.resolve((any Mailer).self)
      }
    }
    #expect(
      issues.map(\.headline) == [
        "Production's set-up resolved a live service: `any Mailer`.",
        "Production's set-up resolved a live service: `any Payments`.",
      ])
    #expect(issues.last?.text.contains("from:") ?? false)
  }

  @Test("is an issue once for each service of a list")
  func list() {
    let issues = strict {
      _ = Resolver { r in
        r.register { LivePayments() as any Payments }
        r.register(name: "card") { LivePayments() as any Payments }
        _ = r.resolveMany((any Payments).self)
      }
    }
    #expect(
      issues.map(\.headline) == [
        "Production's set-up resolved a live service: `any Payments`.",
        "Production's set-up resolved a live service: `any Payments \"card\"`.",
      ])
  }

  @Test("is an issue in an assembly and in `autoRegister`")
  func otherPlaces() {
    #expect(strict { _ = Assembler([MailerAssembly()]) }.count == 1)
    #expect(strict { _ = SetUpYard.shared.label() }.count == 2)
    // It has run.
    #expect(strict { _ = SetUpYard.shared.label() }.count == 1)
  }

  @Test("is the only report about a double that it could not get")
  func unusedDouble() {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let issues = strict {
      shop.register { FakePayments() as any Payments }
      _ = Resolver { _ in _ = shop.resolve((any Payments).self) }
    }
    #expect(
      issues.map(\.headline) == ["Production's set-up resolved a live service: `any Payments`."])
  }

  @Test("may resolve what may be live in the test")
  func exceptions() {
    let issues = findings(policy: .strict(.fail, [.type((any Payments).self)])) {
      _ = Assembler([MailerAssembly()])
    }
    #expect(issues.isEmpty)
  }

  @Test("is no issue of a test that is not strict")
  func otherTests() {
    #expect(findings { _ = Assembler([MailerAssembly()]) }.isEmpty)
  }
}
