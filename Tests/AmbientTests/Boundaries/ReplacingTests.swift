import DIContainer
@testable import DITesting
import Testing

@Suite("A double that is to replace a service", .sandbox)
struct ReplacingTests {
  private let shop = Resolver { r in
    r.register(name: "card") { LiveGateway() as any Gateway }
    r.register { Archive() }
  }
  private let registered: UInt = #line - 3

  @Test("replaces it")
  func replaces() {
    shop.register(name: "card", replacing: true) { GatewayDouble() as any Gateway }
    shop.register(replacing: true) { Archive() }.scope(.cached)
    shop.register(replacing: false) { GatewayDouble() as any Gateway }.mayBeUnused()
    #expect(shop.resolve((any Gateway).self, name: "card") is GatewayDouble)
    _ = shop.resolve(Archive.self)
  }

  @Test("is an issue at its line if it replaces nothing, with what comes close")
  func nothing() {
    let line: UInt = #line + 14
    let text = """
      The double for `any Gateway` replaces nothing: no `any Gateway` is registered.

        registered:  AmbientTests/ReplacingTests.swift:\(line)
        close:       `any Gateway "card"` is registered \
      (AmbientTests/ReplacingTests.swift:\(registered))

      To fix this:
        - If you meant `any Gateway "card"`, register the double for that.
        - Or register it without `replacing:`.
      """
    expectIssue(text, atLine: line) {
      shop
        .register(replacing: true) { GatewayDouble() as any Gateway }
        .mayBeUnused()
    }
  }

  @Test("of a type by itself names the protocol that is registered")
  func conformer() {
    let shop = Resolver { $0.register { LiveGateway() as any Gateway } }
    let line: UInt = #line + 12
    let text = """
      The double for `GatewayDouble` replaces nothing: no `GatewayDouble` is registered.

        registered:  AmbientTests/ReplacingTests.swift:\(line)
        close:       `any Gateway` is registered (AmbientTests/ReplacingTests.swift:\(line - 13))

      To fix this:
        - If you meant `any Gateway`, register the double for that.
        - Or register it without `replacing:`.
      """
    expectIssue(text, atLine: line) {
      shop.register(replacing: true) { GatewayDouble() }.mayBeUnused()
    }
  }

  @Test("in main may replace what only main has")
  func main() {
    let line: UInt = #line + 2
    withKnownIssue {
      Resolver.register(replacing: true) { GatewayDouble() as any Gateway }.mayBeUnused()
    } matching: {
      $0.sourceLocation?.line == Int(line)
    }
    Resolver.register(replacing: true) { GatewayDouble() as any Gateway }.mayBeUnused()
  }
}
