import DIContainer
@testable import DITesting
import Foundation
import Testing

private func place(_ line: UInt) -> String { "AmbientTests/BoundaryTests.swift:\(line)" }

@Suite("A live service behind a boundary", .sandbox, .boundaries)
struct BoundaryTests {
  @Test("is reported where it is requested, and is not handed out")
  func reported() {
    let line: UInt = #line + 6
    let text = refusal(
      requested: place(line), registered: gatewayLine, boundaryShop.core.label)
    var error: ResolutionError?
    expectIssue(text, atLine: line) {
      do {
        _ = try boundaryShop.require((any Gateway).self)
      } catch let refused as ResolutionError {
        error = refused
      } catch {}
    }
    #expect(error?.reason == .boundary("network"))
    #expect(
      error?.description == """
        `any Gateway` is live, and behind the boundary "network": this test refuses it.

          requested:   \(place(line))
          registered:  AmbientTests/BoundaryWorld.swift:\(gatewayLine)

        To fix this:
          - Register a double in the test, or let it reach the boundary.
        """)
  }

  @Test("is reported with the advice to open a sandbox where there is none")
  func noSandbox() {
    let texts = Lock<[String]>([])
    let line: UInt = #line + 5
    ContextFrame.$bound.withValue(nil) {
      ScopeOpener(
        .plain, policy: refusing(), name: "buys", location: CodeLocation(),
        report: { issue in texts.withLock { $0.append(issue.text) } }
      ).run { _ = try? boundaryShop.require((any Gateway).self) }
    }
    #expect(
      texts.withLock { $0 } == [
        """
        A live boundary was requested: `any Gateway` is behind "network".

          requested:   \(place(line))
          registered:  AmbientTests/BoundaryWorld.swift:\(gatewayLine), in \(boundaryShop.core.label)

        To fix this:
          - No sandbox is open, so what the test itself registers is live: add `.sandbox` to the test \
        or its suite, or use `withSandbox`.
          - Register a double: `register { … as any Gateway }` in the sandbox or a layer.
          - If the test may reach it, allow it: `.boundaries(allow: "network")`.
        """
      ])
  }

  @Test("is reported with the chain that leads to it, once in a test")
  func chain() {
    let line: UInt = #line + 3
    let issues = findings(policy: refusing()) {
      for _ in 0..<3 {
        let error = #expect(throws: ResolutionError.self) {
          try boundaryShop.require(Purchase.self)
        }
        #expect(error?.chain.map(\.description) == ["Purchase", "any Gateway"])
      }
      #expect(boundaryShop.optional((any Gateway).self) == nil)
    }
    #expect(
      issues.map(\.text) == [
        refusal(
          requested: "AmbientTests/BoundaryWorld.swift:\(purchaseLine)", registered: gatewayLine,
          boundaryShop.core.label, chain: ("Purchase → any Gateway", place(line)))
      ])
  }

  @Test("is told once by a request that ends the process, whose last words are short")
  func traps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let report: IssueHandler = { FileHandle.standardError.write(Data("\($0.text)\n".utf8)) }
      ScopeOpener(
        .sandbox, policy: refusing(), name: "buys", location: CodeLocation(), report: report
      ).run { _ = boundaryShop.resolve((any Gateway).self) }
    }
    let told = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(told.components(separatedBy: "To fix this:").count == 2)
    #expect(told.contains(refusal))
    #expect(
      told.contains(
        "Fatal error: `any Gateway` is live, and behind the boundary \"network\": "
          + "this test refuses it.\n"))
  }

  @Test("may be reached where that is allowed", .boundaries(allow: "network", "disk"))
  func allowed() {
    #expect(boundaryShop.resolve(Purchase.self).gateway is LiveGateway)
    _ = boundaryShop.resolve(Archive.self)
  }

  @Test("is refused although another boundary is allowed", .boundaries(allow: "disk"))
  func otherAllowed() {
    _ = boundaryShop.resolve(Archive.self)
    withKnownIssue { #expect(boundaryShop.optional((any Gateway).self) == nil) }
  }

  @Test("is none where the test has a double, and what is behind no boundary is live")
  func doubled() throws {
    boundaryShop.register { GatewayDouble() as any Gateway }
    #expect(boundaryShop.resolve(Purchase.self).gateway is GatewayDouble)
  }

  @Test("is one issue in a strict test, too")
  func strict() {
    var policy = FramePolicy.strict(.fail, [])
    policy.boundaries = refusing().boundaries
    let issues = findings(policy: policy) {
      #expect(boundaryShop.optional((any Gateway).self) == nil)
    }
    #expect(issues.map(\.headline) == [refusal])
  }

  @Test("counts under the protocols that it implements")
  func alias() {
    let shop = Resolver { r in
      r.register { LiveGateway() }.implements((any Gateway).self).boundary("network")
    }
    let issues = findings(policy: refusing()) {
      #expect(shop.optional((any Gateway).self) == nil)
      #expect(shop.optional(LiveGateway.self) == nil)
    }
    #expect(issues.map(\.headline) == [refusal])
  }

  @Test("counts inside a decoration, the test's or production's")
  func decorated() {
    let issues = findings(policy: refusing()) {
      boundaryShop.decorate((any Gateway).self) { LoggingGateway(inner: $0) }
      #expect(boundaryShop.optional((any Gateway).self) == nil)
    }
    #expect(issues.map(\.headline) == [refusal])

    let shop = Resolver { r in
      r.register { LiveGateway() as any Gateway }.boundary("network")
      r.decorate((any Gateway).self) { LoggingGateway(inner: $0) }
    }
    let others = findings(policy: refusing()) {
      #expect(shop.optional((any Gateway).self) == nil)
    }
    #expect(others.map(\.headline) == [refusal])
    let none = findings(policy: refusing()) {
      shop.register { GatewayDouble() as any Gateway }
      shop.decorate((any Gateway).self) { LoggingGateway(inner: $0) }
      #expect(shop.resolve((any Gateway).self) is LoggingGateway)
    }
    #expect(none.isEmpty)
  }

  @Test("counts inside the test's decoration of what it has wired as production does")
  func decoratedProduction() {
    let shop = Resolver()
    let issues = findings(policy: refusing()) {
      Resolver.production { shop.register { LiveGateway() as any Gateway }.boundary("network") }
      shop.decorate((any Gateway).self) { LoggingGateway(inner: $0) }
      #expect(shop.optional((any Gateway).self) == nil)
    }
    #expect(issues.map(\.headline) == [refusal])
  }

  @Test("is left out of lists, and fails one that can throw")
  func many() {
    let shop = Resolver { r in
      r.register { LiveGateway() as any Gateway }
      r.register(name: "card") { LiveGateway() as any Gateway }.boundary("network")
    }
    let issues = findings(policy: refusing()) {
      #expect(shop.resolveMany((any Gateway).self).count == 1)
      #expect(throws: ResolutionError.self) { try shop.requireMany((any Gateway).self) }
    }
    #expect(
      issues.map(\.headline) == [
        #"A live boundary was requested: `any Gateway "card"` is behind "network"."#
      ])
  }

  @Test("counts through a lazy wrapper, when that is used")
  func lazy() async {
    final class Till {
      @OptionalInjected(container: boundaryShop) var now: (any Gateway)?
      @LazyInjected(container: boundaryShop) var later: any Gateway
    }
    let issues = await refusals(with: [GatewayDouble.self], real: [(any Gateway).self]) {
      let till = Till()
      #expect(till.later is GatewayDouble)
    }
    #expect(issues == [refusal])
  }

  @Test("gives way to its generated double, where that is known and the request cannot throw")
  func standIn() async {
    let issues = await refusals(with: [GatewayDouble.self], real: [(any Gateway).self]) {
      let double = boundaryShop.resolve((any Gateway).self)
      #expect(double is GatewayDouble)
      #expect(boundaryShop.optional((any Gateway).self) as? GatewayDouble === double as AnyObject)
      #expect(boundaryShop.resolveMany((any Gateway).self).first is GatewayDouble)
      #expect(boundaryShop.resolve(Purchase.self).gateway is GatewayDouble)

      let error = #expect(throws: ResolutionError.self) {
        try boundaryShop.require((any Gateway).self)
      }
      #expect(error?.reason == .boundary("network"))
      #expect(throws: ResolutionError.self) { try boundaryShop.require((any Gateway)?.self) }
      #expect(throws: ResolutionError.self) { try boundaryShop.requireMany((any Gateway).self) }
      #expect(throws: Never.self) { try boundaryShop.require(Purchase.self) }
    }
    #expect(issues == [refusal])
  }

  @Test("that a list of doubles covers is none")
  func solitary() async {
    let issues = await refusals(with: [GatewayDouble.self], real: []) {
      #expect(throws: Never.self) { try boundaryShop.require((any Gateway).self) }
    }
    #expect(issues.isEmpty)
  }

  @Test("is resolved by a dry run, which is no test's request")
  func dryRun() throws {
    #expect(
      try findings(policy: refusing()) { try boundaryShop.validate(dryRun: true) }.isEmpty)
  }

  @Test("is a request that was missed, to a recorder")
  func recorded() {
    let recorder = ResolutionRecorder()
    withKnownIssue {
      withRecorder(recorder) { _ = boundaryShop.optional((any Gateway).self) }
    }
    #expect(recorder.events.map(\.kind) == [.missed])
  }
}

private struct WiredGateway: Gateway {
  var answer = "live"
  func charge(_ cents: Int) throws -> String { answer }
}

private struct WiredAssembly: Assembly {
  var boundary: String? { "network" }
  func assemble(container: Container) {
    container.register { WiredGateway() }.implements((any Gateway).self)
  }
}

private final class PlainYard: SharedContainer {
  static let shared = PlainYard()
  let manager = ContainerManager()
  var gateway: Factory<any Gateway> { self { LiveGateway() } }
}

private struct YardAssembly: Assembly {
  let yard: PlainYard
  var boundary: String? { "network" }
  func assemble(container: Container) { yard.gateway.register { LiveGateway() } }
}

private final class StockedDock: SharedContainer, AutoRegistering {
  static let shared = StockedDock()
  let manager = ContainerManager()
  func autoRegister() { register { Archive() } }
}

private struct NeedyAssembly: Assembly {
  let dock: StockedDock
  var boundary: String? { "network" }
  func assemble(container: Container) { _ = dock.resolve(Archive.self) }
}

@Suite("What is behind a boundary as a whole", .sandbox, .boundaries)
struct WholeBoundaryTests {
  @Test("is what an assembly registers that says so")
  func assembly() {
    let assembled = Assembler([NetworkAssembly(), DiskAssembly()]).resolver
    #expect(assembled.optional((any Gateway).self) != nil)
    withKnownIssue { #expect(assembled.optional(Archive.self) == nil) }
  }

  @Test("is what an assembly registers that is applied so")
  func applied() {
    let assembler = Assembler()
    assembler.apply(assembly: NetworkAssembly(), boundary: "network")
    withKnownIssue { #expect(assembler.resolver.optional((any Gateway).self) == nil) }
    let other = Assembler([NetworkAssembly()], boundary: "network")
    withKnownIssue { #expect(other.resolver.optional((any Gateway).self) == nil) }
  }

  @Test("is what a container registers that says so, and not what it nests")
  func container() {
    let inner = Resolver { r in r.register { Archive() } }
    let outer = Resolver(child: inner, boundary: "network") { r in
      r.register { LiveGateway() as any Gateway }
    }
    #expect(outer.optional(Archive.self) != nil)
    withKnownIssue { #expect(outer.optional((any Gateway).self) == nil) }
  }

  @Test("is none for an alias whose service has a double")
  func aliasOfDouble() throws {
    let shop = Resolver()
    _ = Assembler([WiredAssembly()], container: shop)
    shop.register { WiredGateway(answer: "double") }
    #expect(try shop.resolve((any Gateway).self).charge(1) == "double")
  }

  @Test("is what an assembly registers for a property")
  func property() {
    let dock = PlainYard()
    Resolver.production { _ = Assembler([YardAssembly(yard: dock)]) }
    withKnownIssue {
      #expect(throws: ResolutionError.self) { try dock.gateway.require() }
    }
  }

  @Test("is not what set-up code registers that an assembly needs first")
  func setUpCode() {
    let dock = StockedDock()
    _ = Assembler([NeedyAssembly(dock: dock)])
    #expect(dock.resolve(Archive.self) != nil)
  }

  @Test("is what a container of one's own declares, or registers")
  func ownContainer() {
    let dock = BoundaryDock()
    withKnownIssue {
      #expect(throws: ResolutionError.self) { try dock.gateway.require() }
    }
    Resolver.production { dock.gateway.register { LiveGateway() } }
    withKnownIssue {
      #expect(throws: ResolutionError.self) { try dock.gateway.require() }
    }
    dock.gateway.register { GatewayDouble() }
    #expect(dock.gateway() is GatewayDouble)
  }
}

@Suite("A live service behind a boundary in a test that refuses none")
struct ReachedBoundaryTests {
  @Test("is live like any other")
  func without() {
    let issues = findings {
      #expect(boundaryShop.resolve(Purchase.self).gateway is LiveGateway)
    }
    #expect(issues.isEmpty)
    #expect(
      findings(policy: .strict(.fail, [])) { _ = boundaryShop.resolve((any Gateway).self) }
        .map(\.headline) == ["A live service was resolved: `any Gateway`."])
  }
}

@Suite("Boundaries are shown")
struct ShownBoundaryTests {
  @Test("by lists of registrations and pictures of the wiring")
  func pictures() throws {
    let shop = Resolver { r in
      r.register { LiveGateway() as any Gateway }.boundary("network")
    }
    let line: UInt = #line - 2
    let name = shop.core.label
    #expect(shop.registrations.map(\.boundary) == ["network"])
    #expect(
      shop.registrations.map(\.description) == [
        #"any Gateway (graph) in \#(name), behind "network", registered at \#(place(line))"#
      ])
    #expect(
      shop.graph.description == #"any Gateway  — graph, \#(name), closure, behind "network""#)
    #expect(
      shop.graph.mermaid == """
        flowchart TD
          subgraph c0["\(name)"]
            n0["any Gateway<br/>graph · behind network"]
          end
        """)
    #expect(shop.graph.dot.contains(#"n0 [label="any Gateway\ngraph · behind network"];"#))
    withSandbox {
      shop.register { GatewayDouble() as any Gateway }.mayBeUnused()
      #expect(!shop.graph.description.contains("network"))
    }
  }

  @Test("by a check of the wiring")
  func report() throws {
    let report = try boundaryShop.validate()
    #expect(
      report.boundaries.mapValues { $0.map(\.description) } == [
        "network": ["any Gateway"], "disk": ["Archive"],
      ])
    #expect(
      report.description.contains(
        """
        Behind the boundary "disk": `Archive`.

        Behind the boundary "network": `any Gateway`.
        """))
  }
}
