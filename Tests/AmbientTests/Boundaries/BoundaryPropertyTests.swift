import DIContainer
@testable import DITesting
import Testing

@Suite("A property behind a boundary", .sandbox, .boundaries)
struct BoundaryPropertyTests {
  let yard = BoundaryYard()

  @Test("is reported where it is requested, and is not handed out")
  func reported() {
    let line: UInt = #line + 8
    let text = refusal(
      requested: "AmbientTests/BoundaryPropertyTests.swift:\(line)",
      registered: BoundaryYard.gatewayLine, "BoundaryYard",
      service: "gateway: any Gateway",
      advice: #"`BoundaryYard.shared.gateway.register { … }` in the sandbox, or "#
        + #"`mock.double(\BoundaryYard.gateway) { … }` in a layer"#)
    expectIssue(text, atLine: line) {
      let error = #expect(throws: ResolutionError.self) {
        try yard.gateway.require()
      }
      #expect(error?.reason == .boundary("network"))
    }
  }

  @Test("counts through other properties, wrappers and parameters")
  func others() async {
    let issues = await refusals(with: [GatewayDouble.self], real: [(any Gateway).self]) {
      #expect(yard.gateway() is GatewayDouble)
      #expect(yard.purchase().gateway is GatewayDouble)
      #expect(yard.numbered(7) is GatewayDouble)
      #expect(throws: ResolutionError.self) { try yard.numbered.require(7) }
      #expect(LazyInjected(\BoundaryYard.gateway).wrappedValue is GatewayDouble)
    }
    #expect(
      issues == [
        #"A live boundary was requested: `gateway: any Gateway` is behind "network"."#,
        #"A live boundary was requested: `numbered: any Gateway` is behind "network"."#,
        #"A live boundary was requested: `gateway: any Gateway` is behind "network"."#,
      ])
  }

  @Test("is nil where it is an optional")
  func optional() {
    withKnownIssue { #expect(yard.spare() == nil) }
  }

  @Test("may be allowed, doubled and registered anew", .boundaries(allow: "bell"))
  func allowed() async throws {
    _ = await yard.bell()
    yard.gateway.register { GatewayDouble() }
    #expect(yard.purchase().gateway is GatewayDouble)
    yard.gateway.reset()
    Resolver.production { yard.gateway.register { LiveGateway() } }
    withKnownIssue { #expect(throws: ResolutionError.self) { try yard.gateway.require() } }
    yard.gateway.onTest { GatewayDouble() }
    #expect(yard.gateway() is GatewayDouble)
  }

  @Test("is refused of the main actor, and where it is awaited")
  func isolated() async {
    await withKnownIssue {
      await #expect(throws: ResolutionError.self) { try await yard.prices() }
    }
    let issues = await findingsLater(policy: refusing()) {
      await MainActor.run { _ = #expect(throws: ResolutionError.self) { try yard.bell.require() } }
    }
    #expect(
      issues.map(\.headline) == [
        #"A live boundary was requested: `bell: Archive` is behind "bell"."#
      ])
    yard.prices.register { PriceListDouble() }
    #expect(await (try? yard.prices()) is PriceListDouble)
  }

  @Test("gives way to its generated double where the request is awaited and cannot throw")
  func awaited() async {
    let issues = await refusals(with: [PriceListDouble.self], real: [(any PriceList).self]) {
      #expect(await yard.prices.resolve() is PriceListDouble)
      await #expect(throws: ResolutionError.self) { try await yard.prices() }
    }
    #expect(
      issues == [
        #"A live boundary was requested: `prices: any PriceList` is behind "network"."#
      ])
  }

  @Test("that a decoration wraps counts")
  func decorated() {
    let issues = findings(policy: refusing()) {
      Resolver.root.decorate(\BoundaryYard.gateway) { LoggingGateway(inner: $0) }
      #expect(throws: ResolutionError.self) { try BoundaryYard.shared.gateway.require() }
    }
    #expect(
      issues.map(\.headline) == [
        #"A live boundary was requested: `gateway: any Gateway` is behind "network"."#
      ])
  }
}

@Suite("An async service behind a boundary", .sandbox, .boundaries)
struct AwaitedBoundaryTests {
  private let shop = Resolver { r in
    r.registerAsync { LiveGateway() as any Gateway }.scope(.cached).boundary("network")
    r.registerMain(name: "main") { LiveGateway() as any Gateway }.boundary("network")
    r.registerAsync(Purchase.self) { r in Purchase(gateway: try await r.requireAsync()) }
  }

  @Test("is reported and not handed out")
  func reported() async {
    let issues = await findingsLater(policy: refusing()) {
      await #expect(throws: ResolutionError.self) {
        try await shop.requireAsync((any Gateway).self)
      }
      #expect(await shop.optionalAsync((any Gateway).self) == nil)
      #expect(await shop.optionalAsync((any Gateway).self, name: "main") == nil)
      let error = await #expect(throws: ResolutionError.self) {
        try await shop.requireAsync(Purchase.self)
      }
      #expect(error?.reason == .boundary("network"))
    }
    #expect(
      issues.map(\.headline) == [
        refusal, #"A live boundary was requested: `any Gateway "main"` is behind "network"."#,
      ])
  }
}
