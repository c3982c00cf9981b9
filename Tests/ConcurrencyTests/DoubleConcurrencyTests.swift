@testable import DITesting
import TestSupport
import Testing

private protocol Gateway {
  func charge(_ cents: Int, for customer: String) throws -> String
}

private final class GatewayDouble: Gateway, TestDouble {
  init() {}
  static func asDoubled(_ double: GatewayDouble) -> any Gateway { double }

  let charge = Stub<(cents: Int, customer: String), String, any Error>("Gateway.charge(_:for:)")
  func charge(_ cents: Int, for customer: String) throws -> String {
    try charge.call((cents, customer))
  }
}

private protocol Postbox {
  func send(_ text: String)
}

private final class PostboxDouble: Postbox, TestDouble {
  init() {}
  static func asDoubled(_ double: PostboxDouble) -> any Postbox { double }

  let send = Stub<String, Void, Never>("Postbox.send(_:)")
  func send(_ text: String) { send.call(text) }
}

/// Two hundred cases at the same time, which share nothing but the types of the doubles.
@Suite("The calls of one case's doubles are never another's", .sandbox)
struct DoubleConcurrencyTests {
  @Test("registered for their protocols", arguments: 0..<200)
  func registered(number: Int) async throws {
    let gateway = double(GatewayDouble())
    let postbox = double(PostboxDouble())
    gateway.charge.returns("ref-\(number)")
    try await buy(number, gateway, postbox)
  }

  @Test(
    "made for all that is resolved",
    .solitary([GatewayDouble.self, PostboxDouble.self]), arguments: 0..<200)
  func made(number: Int) async throws {
    double(GatewayDouble.self).charge.returns("ref-\(number)")
    try await buy(number, double(GatewayDouble.self), double(PostboxDouble.self))
  }

  private func buy(_ number: Int, _ gateway: GatewayDouble, _ postbox: PostboxDouble) async throws {
    for _ in 0..<10 {
      await Task.yield()
      let reference = try await Task {
        try Resolver.resolve((any Gateway).self).charge(number, for: "customer \(number)")
      }.value
      Resolver.resolve((any Postbox).self).send(reference)
    }
    #expect(gateway.charge.calls.map(\.cents) == Array(repeating: number, count: 10))
    #expect(postbox.send.calls == Array(repeating: "ref-\(number)", count: 10))
    expectCalled(gateway.charge, times: 10) { $0.customer == "customer \(number)" }
    expectCalled(postbox.send, times: 10)
    expectNoOtherCalls(gateway, postbox)
  }
}

private protocol Vault: Actor {
  func put(_ item: String) async
}

private actor VaultDouble: Vault, TestDouble {
  static func asDoubled(_ double: VaultDouble) -> any Vault { double }

  private var items: [String] = []
  nonisolated let put = AsyncStub<String, Void, Never>("Vault.put(_:)")
  func put(_ item: String) async {
    items.append(item)
    await put.call(item)
  }
}

@Suite("The isolated state of a double", .sandbox)
struct IsolatedDoubleStateTests {
  @Test("is not read where the stubs of a registered double are looked for")
  func isolatedState() async {
    let vault = double(VaultDouble())
    let putting = Task.detached { for number in 0..<5_000 { await vault.put("item \(number)") } }
    for _ in 0..<5_000 { vault.lenient() }
    await putting.value
    expectCalled(vault.put, times: 5_000)
    expectNoOtherCalls(vault)
  }
}
