import DITesting
import Testing

private final class AnalyticsDouble: Sendable {
  let track = Stub<String, Void, Never>("Analytics.track(_:)")
  func track(_ name: String) { track.call(name) }

  let send = AsyncStub<Int, Int?, any Error>("Analytics.send(_:)")
  func send(_ count: Int) async throws -> Int? { try await send.call(count) }
}

@Suite("Some of a stub's calls", .sandbox)
struct StubConditionTests {
  private let analytics = AnalyticsDouble()

  private func use() async throws {
    analytics.send.returns(nil)
    analytics.track("open")
    _ = try await analytics.send(1)
    analytics.track("paid")
  }

  @Test("stand in an order, with a condition")
  func order() async throws {
    try await use()
    expectCalls(
      inOrder: analytics.track { $0 == "open" }, analytics.send { $0 == 1 },
      analytics.track { $0 == "paid" })
    expectCalls(inOrder: analytics.send, analytics.track)
    expectNoOtherCalls(analytics)
  }

  @Test("fail an order with their position")
  func wrongOrder() async throws {
    try await use()
    let line: UInt = #line
    expectIssue(
      """
      Expected calls in this order: `Analytics.track(_:)` with such arguments, \
      `Analytics.send(_:)`, `Analytics.track(_:)` with such arguments. \
      But `Analytics.track(_:)` with such arguments, at position 3, was not called after \
      `Analytics.send(_:)`.

      Called:
        Analytics.track("open")
        Analytics.send(1)  — returned nil
        Analytics.track("paid")
      """, atLine: line + 14
    ) {
      expectCalls(
        inOrder: analytics.track { $0 == "open" }, analytics.send,
        analytics.track { $0 == "open" })
    }
  }

  @Test("are counted, waited for and looked at, as all are")
  func others() async throws {
    try await use()
    expectCalled(analytics.track { $0 == "open" }, times: 1)
    expectNotCalled(analytics.track { $0 == "close" })
    #expect(analytics.track.when(call: 2).calls == ["paid"])
    let track = analytics.track
    Task { for name in ["a", "close"] { track.call(name) } }
    #expect(await analytics.track { $0 == "close" }.called(within: .seconds(60)))
    expectNotCalled(analytics.track { $0 == "never" })
  }

  @Test("return where there is no result, after others threw")
  func returnsNothing() throws {
    let save = Stub<Int, Void, any Error>("Store.save(_:)")
    save.throws(Declined())
    save.when { $0 > 1 }.returns()
    #expect(throws: Declined.self) { try save(1) }
    try save(2)
    save.returns()
    try save(1)
  }

  @Test("and all that was stubbed are forgotten by a reset")
  func reset() async {
    let refund = Stub<Int, String?, Never>("Gateway.refund(_:)")
    refund.returns("a", "b")
    refund.when(call: 1).returns("first")
    #expect(refund(1) == "first")
    refund.reset()
    #expect(refund.calls == [])
    let issues = findings { withLenientDoubles { #expect(refund(2) == nil) } }
    #expect(issues == [])
    refund.when(call: 2).returns("second")
    #expect(refund(3) == "second")
    #expect(refund.calls == [2, 3])
    expectCalled(refund, times: 1) { $0 == 3 }
  }

  @Test("that are under way when a reset comes end as they would")
  func resetWhileRunning() {
    let refund = Stub<Int, String?, Never>("Gateway.refund(_:)")
    refund.runs { [refund] number in
      refund.reset()
      return "ref-\(number)"
    }
    #expect(refund(1) == "ref-1")
    #expect(refund.calls == [])
  }
}
