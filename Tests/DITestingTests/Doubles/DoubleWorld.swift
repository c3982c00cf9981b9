import DITesting

// The services of a small shop, and doubles for them as the generator writes them.

protocol Gateway: Sendable {
  func charge(_ cents: Int, for customer: String) throws -> String
  var limit: Int { get }
}

struct Declined: Error, Equatable {}

final class GatewayDouble: Gateway, TestDouble {
  init() {}
  static func asDoubled(_ double: GatewayDouble) -> any Gateway { double }

  let charge = Stub<(cents: Int, customer: String), String, any Error>("Gateway.charge(_:for:)")
  func charge(_ cents: Int, for customer: String) throws -> String {
    try charge.call((cents, customer))
  }

  let getLimit = Stub<Void, Int, Never>("Gateway.limit")
  var limit: Int { getLimit.call() }
}

struct LiveGateway: Gateway {
  func charge(_ cents: Int, for customer: String) throws -> String { "live-\(cents)-\(customer)" }
  var limit: Int { 1_000 }
}

protocol Postbox: AnyObject {
  func send(_ text: String)
  func newest() -> String?
}

final class PostboxDouble: Postbox, TestDouble {
  init() {}
  static func asDoubled(_ double: PostboxDouble) -> any Postbox { double }

  let send = Stub<String, Void, Never>("Postbox.send(_:)")
  func send(_ text: String) { send.call(text) }

  static let path: StaticString = #filePath
  let newestStub = Stub<Void, String?, Never>("Postbox.newest()")
  func newest() -> String? { newestStub.call() }
}

final class LivePostbox: Postbox {
  func send(_ text: String) {}
  func newest() -> String? { "live" }
}

protocol PriceList: Sendable {
  func price(of article: String) async throws(Declined) -> Int
}

final class PriceListDouble: PriceList, TestDouble {
  init() {}
  static func asDoubled(_ double: PriceListDouble) -> any PriceList { double }

  let price = AsyncStub<String, Int, Declined>("PriceList.price(of:)")
  func price(of article: String) async throws(Declined) -> Int { try await price.call(article) }
}

struct LivePriceList: PriceList {
  func price(of article: String) async throws(Declined) -> Int { article.count }
}

/// What a test is about: it asks for the gateway and the postbox.
final class Cashier {
  private let gateway: any Gateway
  private let postbox: any Postbox

  init(gateway: any Gateway, postbox: any Postbox) {
    (self.gateway, self.postbox) = (gateway, postbox)
  }

  func buy(_ cents: Int, for customer: String) throws {
    postbox.send("Receipt \(try gateway.charge(cents, for: customer))")
  }
}

extension Resolver {
  /// What production registers.
  static func makeCashierShop() -> Resolver {
    Resolver { r in
      r.register { LiveGateway() as any Gateway }
      r.register { LivePostbox() as any Postbox }
      r.register { LivePriceList() as any PriceList }
      r.register(Cashier.init)
    }
  }
}
