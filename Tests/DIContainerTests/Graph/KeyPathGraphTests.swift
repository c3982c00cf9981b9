import DIContainer
import Testing

private struct Clock {}
private struct Ledger {}
private struct Receipt { let title: String }
private struct Folder { let receipt: Receipt }

private final class ShopContainer: SharedContainer {
  static let shared = ShopContainer()
  let manager = ContainerManager()
  var clock: Factory<Clock> { self { Clock() } }
  var ledger: ParameterFactory<Int, Ledger> { self { _ in Ledger() } }
}

@Suite struct KeyPathGraphTests {
  @Test func `A typed container is checked with what was registered by type and by key path`() {
    let shop = ShopContainer()
    shop.clock.register { Clock() }
    shop.register { Ledger() }.implements(String.self)
    let error = #expect(throws: ValidationError.self) { try shop.validate() }
    #expect(error?.findings.map(\.kind) == [.notImplemented])
    #expect(error?.report.unseen.map(\.description) == ["Ledger", "clock: Clock"])
    #expect(shop.graph.keys.map(\.description) == ["Ledger", "String", "clock: Clock"])
  }

  @Test func `A dry run looks into what was registered by key path`() throws {
    let shop = ShopContainer()
    shop.clock.register { Clock() }
    shop.ledger.register { _ in Ledger() }
    let report = try shop.validate(dryRun: true)
    #expect(
      report.description == """
        Nothing that can be seen is wrong with the wiring of \(shop.manager.core.label).

        Not checked, since they need parameters: `ledger: Ledger`.
        """)
    #expect(report.unseen.map(\.description) == ["ledger: Ledger"])
    #expect(report.needingParameters.map(\.description) == ["ledger: Ledger"])
  }

  @Test func `A check passes over what needs a parameter, and runs the rest`() throws {
    let shop = ShopContainer()
    let runs = Atomic()
    shop.clock.register {
      runs.increment()
      return Clock()
    }
    shop.ledger.register { _ in
      Issue.record("made without a parameter")
      return Ledger()
    }
    shop.manager.resolver.register { _, args in Receipt(title: args("title")) }
    let registrations = shop.manager.resolver.registrations
    #expect(registrations.count == 3)
    for registration in registrations { try registration.check() }
    #expect(runs.value == 1)
  }

  @Test func `A check of what asks a service that needs arguments for one without fails`() throws {
    let shop = Resolver(named: "shop")
    shop.register { _, args in Receipt(title: args("title")) }
    shop.register { r in Folder(receipt: try r.require()) }
    let error = #expect(throws: ResolutionError.self) {
      for registration in shop.registrations { try registration.check() }
    }
    #expect(error?.chain.map(\.description) == ["Folder", "Receipt"])
  }
}
