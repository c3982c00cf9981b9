@testable import DITesting

// A shop that reaches a network, a disk and a bell, wired in every way that there is.

/// What needs the network: a service of its own, which may be live.
final class Purchase: Sendable {
  let gateway: any Gateway
  init(gateway: any Gateway) { self.gateway = gateway }
}

/// Another way to the network: around what is there.
struct LoggingGateway: Gateway {
  let inner: any Gateway
  func charge(_ cents: Int) throws -> String { "logged-" + (try inner.charge(cents)) }
}

struct Archive: Sendable {}

struct NetworkAssembly: Assembly {
  static let line: UInt = #line + 2
  func assemble(container: Container) {
    container.register { LiveGateway() as any Gateway }
  }
}

struct DiskAssembly: Assembly {
  var boundary: String? { "disk" }
  func assemble(container: Container) {
    container.register { Archive() }
  }
}

let gatewayLine: UInt = #line + 3
let purchaseLine = gatewayLine + 1
let boundaryShop = Resolver { r in
  r.register { LiveGateway() as any Gateway }.boundary("network")
  r.register(Purchase.init)
  r.register { Archive() }.boundary("disk")
}

final class BoundaryYard: DefaultSharedContainer {
  static let gatewayLine: UInt = #line + 3
  let manager = ContainerManager()
  init() {}
  var gateway: Factory<any Gateway> { self { LiveGateway() }.boundary("network") }
  var numbered: ParameterFactory<Int, any Gateway> {
    self { _ in LiveGateway() }.boundary("network").unique
  }
  var prices: AsyncFactory<any PriceList> { self { LivePriceList() }.cached.boundary("network") }
  @MainActor var bell: MainActorFactory<Archive> { self { Archive() }.boundary("bell") }
  var spare: Factory<(any Gateway)?> { self { LiveGateway() }.boundary("network") }
  var purchase: Factory<Purchase> { self { Purchase(gateway: self.gateway()) } }
}

/// A container that is behind a boundary as a whole.
final class BoundaryDock: DefaultSharedContainer {
  let manager = ContainerManager(boundary: "network")
  init() {}
  var gateway: Factory<any Gateway> { self { LiveGateway() } }
}

/// The policy of a test that reaches no boundaries but some.
func refusing(_ allowed: String...) -> FramePolicy {
  var policy = FramePolicy()
  policy.boundaries = BoundaryPolicy(allowing: allowed)
  return policy
}

/// What a sandbox that reaches no boundary reports, with doubles for services that are to be real.
nonisolated(nonsending) func refusals(
  with doubles: [any TestDouble.Type], real: [Any.Type], _ body: () async throws -> Void
) async rethrows -> [String] {
  let doubles = SolitaryDoubles(doubles, real: real)
  return try await findingsLater(policy: doubles.policy(refusing())) {
    doubles.attach(to: ContextFrame.current!)
    try await body()
  }.map(\.headline)
}

let refusal = "A live boundary was requested: `any Gateway` is behind \"network\"."

/// What is reported about a gateway behind the network.
func refusal(
  requested: String, registered: UInt, _ container: String,
  chain: (services: String, from: String)? = nil,
  service: String = "any Gateway",
  advice: String = "`register { … as any Gateway }` in the sandbox or a layer",
  allowing: String = #".boundaries(allow: "network")"#, by: String? = nil
) -> String {
  """
  A live boundary was requested: `\(service)` is behind "network".

  \(chain.map { "  chain:       \($0.services)\n  from:        \($0.from)\n" } ?? "")\
    requested:   \(requested)
    registered:  AmbientTests/BoundaryWorld.swift:\(registered), in \(container)\
  \(by.map { "\n  by:          \($0)" } ?? "")

  To fix this:
    - Register a double: \(advice).
    - If the test may reach it, allow it: `\(allowing)`.
  """
}

protocol Gateway: Sendable {
  func charge(_ cents: Int) throws -> String
}

struct LiveGateway: Gateway {
  func charge(_ cents: Int) throws -> String { "live-\(cents)" }
}

final class GatewayDouble: Gateway, TestDouble {
  init() {}
  static func asDoubled(_ double: GatewayDouble) -> any Gateway { double }
  let charge = Stub<Int, String, any Error>("Gateway.charge(_:)")
  func charge(_ cents: Int) throws -> String { try charge.call(cents) }
}

protocol PriceList: Sendable {
  func price(of article: String) async -> Int
}

struct LivePriceList: PriceList {
  func price(of article: String) async -> Int { article.count }
}

final class PriceListDouble: PriceList, TestDouble {
  init() {}
  static func asDoubled(_ double: PriceListDouble) -> any PriceList { double }
  let price = AsyncStub<String, Int, Never>("PriceList.price(of:)")
  func price(of article: String) async -> Int { await price.call(article) }
}
