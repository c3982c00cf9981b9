@testable import DIContainer
import DITesting
import Testing

private protocol Mailer {}
private struct SMTPMailer: Mailer {}
private protocol Catalog {}
private struct StoreCatalog: Catalog {}
private struct Clock {}

/// As in the README: nothing that its initialiser takes says what it asks for.
private final class Checkout {
  @Injected var catalog: any Catalog
  @LazyInjected var mailer: any Mailer
}

private final class Desk {
  @Injected var catalog: any Catalog
  init(clock: Clock) {}
}

private struct Order {
  @Injected var catalog: any Catalog
}

private struct Ledger {
  let clock: Clock
}

/// What validating does not claim to have seen.
@Suite struct UnseenTests {
  private func withShop<Result>(_ body: (Resolver) throws -> Result) rethrows -> Result {
    try inSandbox {
      Resolver.register { StoreCatalog() as any Catalog }
      Resolver.register { SMTPMailer() as any Mailer }
      return try body(.main)
    }
  }

  @Test func `What a class asks for by its property wrappers is unseen until it is made`() throws {
    try withShop { shop in
      shop.register(Checkout.init)
      let report = try shop.validate(roots: [Checkout.self])
      #expect(report.unseen.map(\.description).contains("Checkout"))
      #expect(report.warnings.map(\.description) == [])
      let dry = try shop.validate(roots: [Checkout.self], dryRun: true)
      #expect(dry.unseen == [])
      #expect(dry.warnings.map(\.description) == [])
      #expect(
        shop.dryRun().description == """
          Checkout  — double, graph, main
            any Catalog  — double, graph, main
            lazy any Mailer  — double, graph, main
          """)
    }
  }

  @Test func `A recording shows what it saw, and does not say what nobody needs`() throws {
    try withShop { shop in
      shop.register(Checkout.init)
      let recorder = ResolutionRecorder()
      withRecorder(recorder) { _ = shop.resolve(Checkout.self) }
      let report = try shop.validate(roots: [Checkout.self], observedBy: [recorder])
      #expect(report.unseen.map(\.description) == ["any Mailer"])
      // The mailer is asked for later, which a recording of making a checkout cannot know.
      #expect(report.warnings.map(\.description) == [])
    }
  }

  @Test func `The report says what may be asked for beside an initialiser's parameters`() throws {
    let shop = Resolver(named: "shop")
    shop.register(Desk.init)
    shop.register(Clock.init)
    shop.register { () -> SMTPMailer in SMTPMailer() }
    let report = try shop.validate(roots: [Desk.self])
    #expect(report.unseen.map(\.description) == ["Desk", "SMTPMailer"])
    #expect(
      report.description == """
        Nothing that can be seen is wrong with the wiring of shop.

        Not seen, since validating runs no factory: what the closures of `SMTPMailer` resolve.
        Check that too with `validate(dryRun: true)`, or register initialisers.

        Not seen: what `Desk` may resolve besides the parameters of its initialiser, by property \
        wrappers or otherwise.
        Check that too with `validate(dryRun: true)`.
        """)
  }

  @Test func `A value that holds more than it was given is unseen, and one that does not is not`()
    throws
  {
    let shop = Resolver(named: "shop")
    shop.register(Order.init as () -> Order)
    shop.register(Ledger.init)
    shop.register(Clock.init)
    let report = try shop.validate()
    #expect(report.unseen.map(\.description) == ["Order"])
  }

  @Test func `What the closure of a decoration resolves is unseen until it runs`() throws {
    let shop = Resolver(named: "shop")
    shop.register { (_: Clock) -> StoreCatalog in StoreCatalog() }
    shop.register(Clock.init)
    shop.register(SMTPMailer.init)
    try inSandbox {
      shop.decorate(ServiceKey(StoreCatalog.self), at: CodeLocation()) { (live: StoreCatalog) in
        _ = shop.resolve(SMTPMailer.self) as SMTPMailer
        return live
      }
      let report = try shop.validate(roots: [StoreCatalog.self])
      #expect(
        report.description == """
          Nothing that can be seen is wrong with the wiring of shop.

          Not seen, since validating runs no factory: what the closures of `StoreCatalog` resolve.
          Check that too with `validate(dryRun: true)`, or register initialisers.
          """)
      let dry = try shop.validate(roots: [StoreCatalog.self], dryRun: true)
      #expect(
        dry.description == "Nothing that can be seen is wrong with the wiring of shop.")
    }
  }

  @Test func `A service whose decoration is unseen too is listed once, as a closure`() throws {
    let shop = Resolver(named: "shop")
    shop.register(Desk.init)
    shop.register(Clock.init)
    try inSandbox {
      shop.decorate(ServiceKey(Desk.self), at: CodeLocation()) { (live: Desk) in live }
      let report = try shop.validate()
      #expect(report.unseen.map(\.description) == ["Desk"])
      #expect(
        report.description == """
          Nothing that can be seen is wrong with the wiring of shop.

          Not seen, since validating runs no factory: what the closures of `Desk` resolve.
          Check that too with `validate(dryRun: true)`, or register initialisers.
          """)
    }
  }

  @Test func `What an initialiser makes behind a protocol may be a class`() throws {
    let shop = Resolver(named: "shop")
    shop.register({ () -> any Mailer in SMTPMailer() } as () -> any Mailer)
    shop.register({ (_: Clock) -> any Catalog in StoreCatalog() })
    shop.register(Clock.init)
    let report = try shop.validate()
    #expect(report.unseen.map(\.description) == ["any Catalog", "any Mailer"])
  }

  @Test func `An initialiser's service is no closure in the tree, seen or not`() {
    let shop = Resolver(named: "shop")
    shop.register(Desk.init)
    shop.register { Clock() }
    #expect(
      shop.graph.description == """
        Desk  — graph, shop
          Clock  — graph, shop, closure
        """)
  }

}
