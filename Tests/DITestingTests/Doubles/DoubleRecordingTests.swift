import DITesting
import Testing

private final class RecordedContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var first: Factory<any Postbox> { self { LivePostbox() } }
  var second: Factory<any Postbox> { self { LivePostbox() } }
  var third: Factory<any Postbox> { self { LivePostbox() } }
}

private protocol Badge: CustomStringConvertible {}

private final class BadgeDouble: Badge, TestDouble {
  static func asDoubled(_ double: BadgeDouble) -> any Badge { double }

  let getDescription = Stub<Void, String, Never>("Badge.description")
  var description: String { getDescription.call(default: "BadgeDouble") }
}

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

  @Test("has a call below the resolution of its double, not of another for the same type")
  func sameType() throws {
    let shop = Resolver()
    Resolver.root = shop
    double(PostboxDouble())
    double(PostboxDouble(), for: \RecordedContainer.first)
    double(PostboxDouble(), for: \RecordedContainer.second)
    double(PostboxDouble(), for: \RecordedContainer.third)
    let (typed, container) = (shop.resolve((any Postbox).self), RecordedContainer.shared)
    let label = shop.core.label
    let (first, second) = (container.first(), container.second())
    _ = container.third()
    first.send("to the first")
    typed.send("to the typed")
    second.send("to the second")
    #expect(
      try recorder().tree == """
        any Postbox  — created double, graph, \(label)
          Postbox.send("to the typed")
        first: any Postbox  — created double, unique, \(label)
          Postbox.send("to the first")
        second: any Postbox  — created double, unique, \(label)
          Postbox.send("to the second")
        third: any Postbox  — created double, unique, \(label), never called
        """)
  }

  @Test("has a call below the resolution of its double, although another replaced that")
  func replaced() throws {
    let shop = Resolver()
    Resolver.root = shop
    double(PostboxDouble())
    let first = shop.resolve((any Postbox).self)
    double(PostboxDouble())
    let second = shop.resolve((any Postbox).self)
    first.send("to the first")
    second.send("to the second")
    #expect(
      try recorder().tree == """
        any Postbox  — created double, graph, \(shop.core.label)
          Postbox.send("to the first")
        any Postbox  — created double, graph, \(shop.core.label)
          Postbox.send("to the second")
        """)
  }

  @Test("has the calls of a double that is registered twice below both resolutions")
  func registeredTwice() throws {
    let shop = Resolver()
    Resolver.root = shop
    let postbox = double(PostboxDouble())
    shop.resolve((any Postbox).self).send("first")
    withSandbox {
      double(postbox)
      shop.resolve((any Postbox).self).send("second")
    }
    postbox.send("third")
    #expect(try recorder().calls.map(\.resolution) == [1, 3, 3])
  }

  @Test("has the calls of a double that another decorates below the resolution of both")
  func decorated() throws {
    let shop = Resolver()
    Resolver.root = shop
    double(PostboxDouble())
    shop.decorate((any Postbox).self) { $0 }
    shop.resolve((any Postbox).self).send("Receipt")
    let recorder = try recorder()
    let resolution = try #require(recorder.calls.first?.resolution)
    #expect(recorder.events[resolution].key == ServiceKey((any Postbox).self))
  }

  @Test("describes doubles, which is no call of them")
  func described() throws {
    let badge = double(BadgeDouble())
    let show = Stub<(any Badge, Int), String?, Never>("Door.show(_:_:)")
    show.returns("opened")
    show((badge, 1))
    show((badge, 2))
    _ = Described(badge)
    expectNotCalled(badge.getDescription)
    #expect(
      try recorder().tree == """
        Door.show(BadgeDouble, 1)  — returned Optional("opened")
        Door.show(BadgeDouble, 2)  — returned Optional("opened")
        """)
    badge.getDescription.returns("Ann", "Bob")
    #expect(Described(badge).text == "Ann")
    #expect(badge.description == "Ann")
    #expect(badge.description == "Bob")
    expectCalled(badge.getDescription, times: 2)
    expectNoOtherCalls(badge)
    _ = Resolver.resolve((any Badge).self)
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

  @Test("tells of it after its events were taken away, too")
  func neverCalledSince() throws {
    let shop = Resolver()
    Resolver.root = shop
    double(PostboxDouble())
    _ = try recorder().pop()
    _ = shop.resolve((any Postbox).self)
    let tree = "any Postbox  — created double, graph, \(shop.core.label), never called"
    #expect(try recorder().tree == tree)
    try recorder().clear()
    _ = shop.resolve((any Postbox).self)
    #expect(try recorder().tree == tree)
  }

  @Test("finds the resolutions of ten thousand calls at once")
  func many() throws {
    let shop = Resolver()
    shop.register { PostboxDouble() as any Postbox }
    let count = 10_000
    for _ in 0..<count { shop.resolve((any Postbox).self).send("") }
    let recorder = try recorder()
    let start = ContinuousClock.now
    let calls = recorder.calls
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(calls.map(\.resolution) == (1...count).map { $0 })
  }

  @Test("has calls in its pictures, in the nodes of the doubles")
  func pictures() throws {
    let shop = Resolver.makeCashierShop()
    Resolver.root = shop
    double(GatewayDouble()).charge.returns("ref")
    double(PostboxDouble())
    double(PriceListDouble())
    try shop.resolve(Cashier.self).buy(650, for: "Ann")
    try shop.resolve(Cashier.self).buy(650, for: "Ann")
    _ = shop.resolve((any PriceList).self)
    noteCall("Postbox.flush()", ())
    let label = shop.core.label
    let recorder = try recorder()
    #expect(
      recorder.mermaid == """
        flowchart TD
          n0["Cashier<br/>graph · \(label)"]
          n1(["any Gateway<br/>graph · \(label)<br/>Gateway.charge(cents: 650, \
        customer: #quot;Ann#quot;)  — returned #quot;ref#quot;, 2 times"])
          n2(["any Postbox<br/>graph · \(label)<br/>Postbox.send(#quot;Receipt ref#quot;), \
        2 times"])
          n3(["any PriceList<br/>graph · \(label)<br/>never called"])
          n4(["Postbox.flush()"])
          n0 --> n1
          n0 --> n2
        """)
    #expect(
      recorder.dot == """
        digraph resolutions {
          node [shape=box];
          n0 [label="Cashier\\ngraph · \(label)"];
          n1 [label="any Gateway\\ngraph · \(label)\\nGateway.charge(cents: 650, \
        customer: \\"Ann\\")  — returned \\"ref\\", 2 times", style=rounded];
          n2 [label="any Postbox\\ngraph · \(label)\\nPostbox.send(\\"Receipt ref\\"), \
        2 times", style=rounded];
          n3 [label="any PriceList\\ngraph · \(label)\\nnever called", style=rounded];
          n4 [label="Postbox.flush()", style=rounded];
          n0 -> n1;
          n0 -> n2;
        }
        """)
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

@Suite("A recorder whose scope has ended")
struct EndedRecorderTests {
  @Test("hears no calls of the doubles that were made in it, until it is active again")
  func calls() {
    let recorder = ResolutionRecorder()
    let send = withRecorder(recorder) {
      let send = Stub<String, Void, Never>("Postbox.send(_:)")
      send("in time")
      return send
    }
    send("late")
    #expect(recorder.tree == "Postbox.send(\"in time\")")
    withRecorder(recorder) { send("again") }
    #expect(recorder.tree == "Postbox.send(\"in time\")\nPostbox.send(\"again\")")
  }

  @Test("hears none of those that were made in its sandbox")
  func sandbox() {
    let recorder = ResolutionRecorder()
    let send = withSandbox {
      withRecorder(recorder) { Stub<String, Void, Never>("Postbox.send(_:)") }
    }
    send("late")
    #expect(recorder.calls.isEmpty)
  }

  @Test("hears them from outside its task as long as one of its scopes is open")
  func scopes() async {
    let recorder = ResolutionRecorder()
    await withRecorder(recorder) {
      let send = withRecorder(recorder) { Stub<String, Void, Never>("Postbox.send(_:)") }
      await Task.detached { send("in time") }.value
    }
    #expect(recorder.tree == "Postbox.send(\"in time\")")
  }
}
