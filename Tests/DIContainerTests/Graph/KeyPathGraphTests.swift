import DIContainer
import Testing

private struct Clock {}
private struct Ledger {}

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
    #expect(shop.graph.nodes.map(\.key.description) == ["Ledger", "String", "clock: Clock"])
  }

  @Test func `A dry run looks into what was registered by key path`() throws {
    let shop = ShopContainer()
    shop.clock.register { Clock() }
    shop.ledger.register { _ in Ledger() }
    let report = try shop.validate(dryRun: true)
    #expect(report.findings.isEmpty)
    #expect(report.unseen.map(\.description) == ["ledger: Ledger"])
  }
}
