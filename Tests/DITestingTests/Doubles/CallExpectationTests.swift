import DITesting
import Testing

@Suite("Expectations of calls", .sandbox)
struct CallExpectationTests {
  private let gateway = GatewayDouble()
  private let postbox = PostboxDouble()

  init() throws {
    gateway.charge.returns("ref")
    gateway.charge.when { $0.cents > 1_000 }.throws(Declined())
    let till = Cashier(gateway: gateway, postbox: postbox)
    try till.buy(650, for: "Ann")
    try? till.buy(2_000, for: "Bob")
  }

  private static let called = """
    Called:
      Gateway.charge(cents: 650, customer: "Ann")  — returned "ref"
      Postbox.send("Receipt ref")
      Gateway.charge(cents: 2000, customer: "Bob")  — threw Declined()
    """

  @Test("hold for what was called")
  func hold() {
    expectCalled(gateway.charge)
    expectCalled(gateway.charge, times: 2)
    expectCalled(gateway.charge, times: 1) { $0.cents == 650 }
    expectCalled(postbox.send) { $0.hasPrefix("Receipt") }
    expectNotCalled(postbox.newestStub)
    expectNotCalled(gateway.charge) { $0.customer == "Eve" }
    expectCalls(inOrder: gateway.charge, postbox.send, gateway.charge)
    expectNoOtherCalls(gateway, postbox)
  }

  @Test("fail where nothing was called")
  func nothing() {
    withSandbox {
      let line: UInt = #line
      let postbox = PostboxDouble()
      expectIssue(
        """
        Expected `Postbox.newest()` to be called, but it was not.

          this one:  not known to be registered

        To fix this:
          - If the code under test resolves it, register it: `double(…)`.

        No stub was called.
        """, atLine: line + 13
      ) { expectCalled(postbox.newestStub) }
    }
  }

  @Test("fail with the place of a reset that no call came after")
  func reset() {
    withSandbox {
      let line: UInt = #line
      let postbox = double(PostboxDouble())
      Resolver.resolve((any Postbox).self).send("Receipt")
      postbox.send.reset()
      expectIssue(
        """
        Expected `Postbox.send(_:)` to be called, but it was not.

          reset:  DITestingTests/CallExpectationTests.swift:\(line + 3)

        No stub was called since.
        """, atLine: line + 12
      ) { expectCalled(postbox.send) }
    }
  }

  @Test("fail with the number of calls, and with all calls of the sandbox")
  func times() {
    let line: UInt = #line
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` to be called 3 times, but it was called 2 times.

      \(Self.called)
      """, atLine: line + 7
    ) { expectCalled(gateway.charge, times: 3) }
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` to be called 1 time with such arguments, but it was called \
      0 times, and 2 times with others.

      \(Self.called)
      """, atLine: line + 15
    ) { expectCalled(gateway.charge, times: 1) { $0.customer == "Eve" } }
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` to be called with such arguments, but it was called \
      2 times with others.

      \(Self.called)
      """, atLine: line + 23
    ) { expectCalled(gateway.charge) { $0.customer == "Eve" } }
  }

  @Test("fail where something was called that should not be")
  func notCalled() {
    let line: UInt = #line
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` not to be called, but it was called 2 times.

      \(Self.called)
      """, atLine: line + 7
    ) { expectNotCalled(gateway.charge) }
    expectIssue(
      """
      Expected `Gateway.charge(_:for:)` not to be called with such arguments, but it was called \
      1 time.

      \(Self.called)
      """, atLine: line + 15
    ) { expectNotCalled(gateway.charge) { $0.customer == "Bob" } }
  }

  @Test("fail where the order is another, across doubles")
  func order() {
    let line: UInt = #line
    expectIssue(
      """
      Expected calls in this order: `Postbox.send(_:)`, `Gateway.charge(_:for:)`, \
      `Gateway.charge(_:for:)`. But `Gateway.charge(_:for:)` was not called after \
      `Gateway.charge(_:for:)`.

      \(Self.called)
      """, atLine: line + 9
    ) { expectCalls(inOrder: postbox.send, gateway.charge, gateway.charge) }
    expectIssue(
      """
      Expected calls in this order: `Postbox.newest()`. But `Postbox.newest()` was not called.

      \(Self.called)
      """, atLine: line + 16
    ) { expectCalls(inOrder: postbox.newestStub) }
  }

  @Test("fail where there were other calls than those that were expected")
  func others() {
    expectCalled(gateway.charge) { $0.customer == "Ann" }
    let line: UInt = #line
    expectIssue(
      """
      Expected no other calls, but there were 2.

        other:  Postbox.send("Receipt ref")
        other:  Gateway.charge(cents: 2000, customer: "Bob")  — threw Declined()

      \(Self.called)
      """, atLine: line + 10
    ) { expectNoOtherCalls(gateway, postbox) }
    expectCalls(inOrder: gateway.charge, gateway.charge)
    expectIssue(
      """
      Expected no other calls, but there was one.

        other:  Postbox.send("Receipt ref")

      \(Self.called)
      """, atLine: line + 20
    ) { expectNoOtherCalls(gateway, postbox) }
    expectIssue(
      """
      `String` has no stubs, so its calls cannot be checked.
      """, atLine: line + 25
    ) { expectNoOtherCalls("gateway") }
  }

  @Test("count the calls of a stub that is given twice once")
  func givenTwice() {
    let line: UInt = #line
    expectIssue(
      """
      Expected no other calls, but there were 3.

        other:  Gateway.charge(cents: 650, customer: "Ann")  — returned "ref"
        other:  Postbox.send("Receipt ref")
        other:  Gateway.charge(cents: 2000, customer: "Bob")  — threw Declined()

      \(Self.called)
      """, atLine: line + 11
    ) { expectNoOtherCalls(gateway, postbox, gateway.charge, postbox) }
  }

  @Test("tell a call that nothing was stubbed for from one that forwards to it")
  func forwarded() {
    withSandbox {
      let spy = GatewayDouble()
      let limit = Stub<Int, any Sendable, any Error>("Gateway.limit(_:)")
      limit.lenient()
      spy.charge.runs { cents, _ in "\(try limit(cents))" }
      _ = try? spy.charge(2, for: "Ann")
      let line: UInt = #line
      expectIssue(
        """
        Expected `Gateway.charge(_:for:)` to be called 2 times, but it was called 1 time.

        Called:
          Gateway.charge(cents: 2, customer: "Ann")  — threw UnstubbedCall
          Gateway.limit(2)  — nothing was stubbed for it
        """, atLine: line + 9
      ) { expectCalled(spy.charge, times: 2) }
    }
  }

  @Test("look at a double through an optional variable")
  func optional() {
    let line: UInt = #line
    let till: (gateway: GatewayDouble?, postbox: PostboxDouble?) = (gateway, nil)
    expectIssue(
      """
      Expected no other calls, but there were 2.

        other:  Gateway.charge(cents: 650, customer: "Ann")  — returned "ref"
        other:  Gateway.charge(cents: 2000, customer: "Bob")  — threw Declined()

      \(Self.called)
      """, atLine: line + 11
    ) { expectNoOtherCalls(till.gateway as Any) }
    expectIssue(
      """
      `Optional<PostboxDouble>` has no stubs, so its calls cannot be checked.
      """, atLine: line + 16
    ) { expectNoOtherCalls(till.postbox as Any) }
  }

  @Test("of 200 tests at once never mix", arguments: 0..<200)
  func parallel(number: Int) async throws {
    try await withSandbox {
      let gateway = double(GatewayDouble())
      let postbox = double(PostboxDouble())
      gateway.charge.returns("ref \(number)")
      for cents in 0..<20 {
        try Cashier(gateway: Resolver.resolve(), postbox: Resolver.resolve())
          .buy(cents, for: "customer \(number)")
        await Task.yield()
      }
      #expect(gateway.charge.calls.map(\.cents) == Array(0..<20))
      #expect(postbox.send.calls == Array(repeating: "Receipt ref \(number)", count: 20))
      expectCalled(gateway.charge, times: 20) { $0.customer == "customer \(number)" }
      expectCalls(inOrder: gateway.charge, postbox.send, gateway.charge, postbox.send)
      #expect(double(GatewayDouble.self) === gateway)
    }
  }

  @Test("see the calls of many threads in one order, each once")
  func threads() async {
    let send = Stub<Int, Int, Never>()
    send.runs { $0 }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { for number in 0..<250 { #expect(send(task * 250 + number) >= 0) } }
      }
    }
    #expect(Set(send.calls).count == 2_000)
    for task in 0..<8 {
      #expect(send.calls.filter { $0 / 250 == task } == Array(task * 250..<(task + 1) * 250))
    }
    #expect(send.outcomes == send.calls.map { .returned($0) })
  }
}
