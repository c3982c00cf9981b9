#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Expectations about the calls of doubles. Failures list the calls that were made instead, and are
// reported at the caller's line in the running framework.

/// Expects a requirement to have been called.
///
/// `expectCalled(gateway.charge) { $0.cents == 650 }` expects at least one call with such
/// arguments.
///
/// - Parameters:
///   - stub: The double of the requirement.
///   - times: The number of calls; nil for at least one.
///   - matches: Returns whether a call counts, by its arguments; with nil, every call does.
public func expectCalled<Called: StubProtocol>(
  _ stub: Called, times: Int? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  where matches: ((Called.Arguments) -> Bool)? = nil
) {
  let location = CodeLocation(fileID, filePath, line, column)
  let count = stub.log.count
  let places = stub.setup.entries.filter { matches?($0.call.arguments) ?? true }.map(\.place)
  stub.log.cover(places)
  if places.count == times || times == nil && !places.isEmpty { return }
  let expected = times.map { " \(counted($0))" } ?? ""
  let such = matches == nil && stub.setup.condition == nil ? "" : " with such arguments"
  let was = callText(times == nil ? nil : places.count, others: count - places.count)
  CallReport(about: [stub.log]).fail(
    "Expected `\(stub.name)` to be called\(expected)\(such), but it was \(was).",
    of: stub.log, at: location)
}

/// Expects a requirement of a double not to have been called.
///
/// - Parameters:
///   - stub: The double of the requirement.
///   - matches: Returns whether a call counts, by its arguments; with nil, every call does.
public func expectNotCalled<Called: StubProtocol>(
  _ stub: Called, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  where matches: ((Called.Arguments) -> Bool)? = nil
) {
  let location = CodeLocation(fileID, filePath, line, column)
  let count = stub.setup.entries.count { matches?($0.call.arguments) ?? true }
  if count == 0 { return }
  let such = matches == nil && stub.setup.condition == nil ? "" : " with such arguments"
  CallReport(about: [stub.log]).fail(
    "Expected `\(stub.name)` not to be called\(such), but it was called \(counted(count)).",
    at: location)
}

/// Expects requirements to have been called in this order, possibly with other calls in between.
///
/// They may be of different doubles, and some of the calls:
/// `expectCalls(inOrder: analytics.track { $0 == "paid" }, mailer.send)`. For each requirement, its
/// first such call after that of the previous one counts, by the time at which the calls began.
public func expectCalls(
  inOrder stubs: any StubProtocol..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  let expected = stubs.map { ExpectedCall($0) }
  var last: UInt = 0
  for (index, call) in expected.enumerated() {
    guard let found = call.calls.first(where: { $0.number > last }) else {
      let order = expected.map(\.text).joined(separator: ", ")
      let isSome = expected.contains(where: \.isLimited)
      let place = isSome ? ", at position \(index + 1)," : ""
      let after = index == 0 ? "" : " after \(expected[index - 1].text)"
      CallReport(about: expected.map(\.log)).fail(
        "Expected calls in this order: \(order). But \(call.text)\(place) was not called\(after).",
        of: call.log, at: location)
      return
    }
    call.log.cover([found.place])
    last = found.number
  }
}

/// A call that is expected in an order.
private struct ExpectedCall {
  let log: any AnyStubLog
  let calls: [(place: Int, number: UInt)]
  let isLimited: Bool

  var text: String { "`\(log.name)`\(isLimited ? " with such arguments" : "")" }

  init(_ stub: some StubProtocol) {
    log = stub.log
    calls = stub.setup.entries.map { ($0.place, $0.call.number) }
    isLimited = stub.setup.condition != nil
  }
}

/// Expects doubles to have had no calls except those that other expectations covered.
///
/// Covered are the calls that `expectCalled` counted, those that `expectCalls(inOrder:)` found, and
/// those that `called(times:within:)` waited for.
///
/// - Parameter doubles: The doubles, whose stubs are their stored properties; or single stubs.
public func expectNoOtherCalls(
  _ doubles: Any..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  let stubs = doubles.map { ($0, DoubleStubs.stubs(of: $0).map(\.log)) }
  for (double, logs) in stubs where logs.isEmpty {
    CallReport(about: []).fail(
      "`\(type(of: double))` has no stubs, so its calls cannot be checked.", at: location)
  }
  let others = distinct(stubs.flatMap(\.1)).flatMap(\.notedCalls).filter { !$0.isCovered }
    .sorted { $0.number < $1.number }
  if others.isEmpty { return }
  CallReport(about: stubs.flatMap(\.1)).fail(
    "Expected no other calls, but there "
      + (others.count == 1 ? "was one." : "were \(others.count)."),
    facts: others.map { ("other:", $0.text()) }, at: location)
}

extension StubProtocol {
  /// Waits for a number of calls of the requirement, and reports a time-out as an issue.
  ///
  /// The call itself ends the wait, without polling. A call counts when it begins; those before the
  /// wait count too. For `expectNoOtherCalls` the awaited calls are covered. An example is
  /// `await double.send.called(times: 2)`.
  ///
  /// - Parameters:
  ///   - times: The number of calls to wait for, from the stub's first on.
  ///   - timeout: The longest time to wait.
  ///   - clock: The clock that measures the time-out: by default the test's
  ///     (``TestClock/current``), where the test moves it, or else the real one. If nobody moves
  ///     the test's, the wait ends after a minute of real time.
  /// - Returns: Whether there were so many calls. It is false, too, when the task is cancelled,
  ///   which is not reported.
  @discardableResult
  public nonisolated(nonsending) func called(
    times: Int = 1, within timeout: Duration = .seconds(1),
    clock: (any Clock<Duration>)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Bool {
    await called(
      times: times, within: timeout, clock, patience: .seconds(60),
      at: CodeLocation(fileID, filePath, line, column))
  }

  /// `patience`: the longest real time for which the test's clock may stand still.
  nonisolated(nonsending) func called(
    times: Int, within timeout: Duration, _ clock: (any Clock<Duration>)?, patience: Duration,
    at location: CodeLocation
  ) async -> Bool {
    let testClock = clock == nil ? TestClock.measuring : nil
    let deadline = testClock?.now.advanced(by: timeout)
    let ending = await log.wait(
      for: times, of: setup, within: timeout, clock ?? testClock ?? ContinuousClock(),
      patience: testClock.map { _ in patience })
    if case .timeOut(let calls) = ending {
      let isLimited = setup.condition != nil
      var (facts, fixes): ([(String, String)], [String]) = ([], [])
      if let testClock, let deadline, testClock.now < deadline {
        facts = [
          ("clock:", "the test's, which stood at \(testClock.now) for \(patience) of real time")
        ]
        fixes = [
          "If the call needs the time to pass, move the clock: `TestClock.current.advance(by:)`.",
          "Or measure real time: `called(within: …, clock: ContinuousClock())`.",
        ]
      }
      CallReport(about: [log]).fail(
        "Expected `\(name)` to be called \(counted(times))"
          + (isLimited ? " with such arguments" : "") + " within \(timeout), "
          + "but it was \(callText(calls, others: isLimited ? log.count - calls : 0)).",
        facts: facts, fixes: fixes, of: log,
        at: location)
    }
    return ending == .called
  }
}

/// Returns how often a requirement was called, with the expected arguments and with others.
private func callText(_ times: Int?, others: Int) -> String {
  let counts =
    (times.map { [counted($0)] } ?? []) + (others > 0 ? ["\(counted(others)) with others"] : [])
  return counts.isEmpty ? "not" : "called " + counts.joined(separator: ", and ")
}

func counted(_ times: Int) -> String { times == 1 ? "1 time" : "\(times) times" }
#endif
