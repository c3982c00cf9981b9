import DITesting
import Testing

@Suite("A recorder", .sandbox, .recorded)
struct DoubleRecordingTests {
  private func recorder() throws -> ResolutionRecorder {
    try #require(ResolutionRecorder.current)
  }

  @Test("has calls below the resolutions that handed out the doubles")
  func calls() throws {
    let shop = Resolver.makeCashierShop()
    Resolver.root = shop
    double(GatewayDouble()).charge.returns("ref")
    double(PostboxDouble())
    try shop.resolve(Cashier.self).buy(650, for: "Ann")
    let recorder = try recorder()
    let label = shop.core.label
    #expect(
      recorder.tree == """
        Cashier  — created live, graph, \(label)
          any Gateway  — created double, graph, \(label)
            Gateway.charge(cents: 650, customer: "Ann")  — returned "ref"
          any Postbox  — created double, graph, \(label)
            Postbox.send("Receipt ref")
        """)
    let calls = recorder.calls
    #expect(
      calls.map(\.call) == [
        "Gateway.charge(cents: 650, customer: \"Ann\")", "Postbox.send(\"Receipt ref\")",
      ])
    #expect(calls.map(\.outcome) == ["returned \"ref\"", nil])
    let resolved = calls.compactMap(\.resolution).map { recorder.events[$0].key }
    #expect(resolved == [ServiceKey((any Gateway).self), ServiceKey((any Postbox).self)])
    #expect(calls[0].number < calls[1].number)
  }

  @Test("knows the resolution in whose factory a double was made")
  func made() throws {
    let shop = Resolver()
    shop.register { PostboxDouble() as any Postbox }
    let first = shop.resolve((any Postbox).self)
    let second = shop.resolve((any Postbox).self)
    second.send("to the second")
    first.send("to the first")
    let label = shop.core.label
    #expect(
      try recorder().tree == """
        any Postbox  — created double, graph, \(label)
          Postbox.send("to the first")
        any Postbox  — created double, graph, \(label)
          Postbox.send("to the second")
        """)
  }

  @Test("tells of a double that was resolved and never called")
  func neverCalled() throws {
    let shop = Resolver()
    Resolver.root = shop
    double(PostboxDouble())
    _ = shop.resolve((any Postbox).self)
    #expect(
      try recorder().tree
        == "any Postbox  — created double, graph, \(shop.core.label), never called")
  }

  @Test("shows at the end the calls of doubles that no resolution handed out")
  func unknown() throws {
    let postbox = PostboxDouble()
    postbox.send("by hand")
    #expect(try recorder().tree == "Postbox.send(\"by hand\")")
    try recorder().clear()
    #expect(try recorder().calls.isEmpty)
  }

  @Test("hears a call from outside the test's task, if its double was made inside")
  func detached() async throws {
    let send = Stub<String, Void, Never>("Postbox.send(_:)")
    await Task.detached { send("late") }.value
    #expect(try recorder().tree == "Postbox.send(\"late\")")
  }

  @Test("has the calls of other tools' doubles, which note them")
  func noted() throws {
    final class OtherPostbox: Postbox {
      func send(_ text: String) { noteCall("Postbox.send(_:)", text, of: (any Postbox).self) }
      func newest() -> String? { nil }
    }
    let shop = Resolver()
    shop.register { OtherPostbox() as any Postbox }
    shop.resolve((any Postbox).self).send("Receipt")
    noteCall("Postbox.flush()", ())
    #expect(
      try recorder().tree == """
        any Postbox  — created double, graph, \(shop.core.label)
          Postbox.send("Receipt")
        Postbox.flush()
        """)
  }
}
