@testable import DIContainer
import Testing

private protocol Mailer {}
private struct SMTPMailer: Mailer {}
private struct Catalog {}

private final class Checkout {
  let retries: Int
  init(mailer: any Mailer, catalog: Catalog? = nil, retries: Int = 3, label: String = "till") {
    self.retries = retries
  }
}

private final class Poller {
  init(pause: Duration = .seconds(1), tags: [String] = []) {}
}

/// What is said where an initialiser's default arguments are not used.
@Suite struct DefaultArgumentTests {
  private let here = "DIContainerTests/DefaultArgumentTests.swift"
  private let shop = Resolver(named: "shop")

  private func text<Service>(_ type: Service.Type) -> String {
    do throws(ResolutionError) {
      _ = try shop.require(type, line: 7)
      return ""
    } catch {
      return error.description
    }
  }

  @Test func `A request says that default arguments are not used, and what to write`() {
    shop.register { SMTPMailer() as any Mailer }
    shop.register(Checkout.init, line: 5)
    #expect(
      text(Checkout.self) == """
        Nothing is registered for `Int`.

          chain:      Checkout → Int
          requested:  \(here):5
          asked:      shop

        To fix this:
          - If it has a default argument: `register(Checkout.init)` does not use that. Write a \
        closure that leaves it out: `register { Checkout(…: $0 as any Mailer, …: $1 as Catalog?) }`.
          - Register it: `register { … as Int }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `Int?`.
        """)
  }

  @Test func `What is left of the parameters is in the closure`() {
    shop.register(Poller.init, line: 5)
    #expect(
      text(Poller.self) == """
        Nothing is registered for `Duration`.

          chain:      Poller → Duration
          requested:  \(here):5
          asked:      shop

        To fix this:
          - If it has a default argument: `register(Poller.init)` does not use that. Write a \
        closure that leaves it out: `register { Poller() }`.
          - Register it: `register { … as Duration }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `Duration?`.
        """)
  }

  @Test func `Validating says so too, once for each service that needs it`() {
    shop.register { SMTPMailer() as any Mailer }
    shop.register(Checkout.init, line: 5)
    shop.register(Poller.init, line: 6)
    let error = #expect(throws: ValidationError.self) { try shop.validate() }
    let texts = error?.findings.map(\.description) ?? []
    #expect(texts.count == 4)
    #expect(
      texts.contains(
        """
        Nothing is registered for `Int`.

          chain:      Checkout → Int
          needed by:  `Checkout` (\(here):5)
          asked:      shop

        To fix this:
          - If it has a default argument: `register(Checkout.init)` does not use that. Write a \
        closure that leaves it out: `register { Checkout(…: $0 as any Mailer, …: $1 as Catalog?) }`.
          - Register it: `register { … as Int }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as `Int?`.
        """))
  }

  @Test func `The closure that is shown compiles, and uses the default arguments`() throws {
    shop.register { SMTPMailer() as any Mailer }
    shop.register { Checkout(mailer: $0 as any Mailer, catalog: $1 as Catalog?) }
    #expect(try shop.require(Checkout.self).retries == 3)
  }

  @Test func `A service of the project's own that is missing has no such advice`() {
    shop.register({ (_: Catalog) in SMTPMailer() }, line: 5)
    #expect(!text(SMTPMailer.self).contains("default argument"))
    shop.register(line: 6) { r in Checkout(mailer: SMTPMailer(), retries: try r.require()) }
    #expect(!text(Checkout.self).contains("default argument"))
  }
}
