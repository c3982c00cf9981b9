#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A test's clock stands with the frame of its trait or test case. Requests get it as a fallback:
// wherever a live `any Clock<Duration>` or none would be returned, by type or by key path.

extension TestClock {
  /// The clock of the running test: of the innermost `.time`, `.deterministic` or test case.
  ///
  /// Where there is none, this reports an issue, once for a sandbox, and returns a clock that no
  /// other code gets: on that one, sleeps and waits end at once.
  public static var current: TestClock {
    let frame = ContextFrame.current
    let holder = frame?.sandbox ?? frame
    if let clock = ofTest ?? holder?.extra(TestClock.self) { return clock }
    TestHooks.install()
    IssueReporter.fail(
      Diagnosis(
        headline: "There is no test clock here.",
        fixes: ContextFrame.clockAdvice
      ).text,
      at: ProcessHooks.current.testLocation() ?? frame?.opener.location ?? CodeLocation())
    let clock = TestClock(.immediate)
    return holder?.extra(TestClock.self) { clock } ?? clock
  }

  /// The innermost clock of the scopes around the caller, if there is one.
  static var ofTest: TestClock? {
    ContextFrame.current?.chain.lazy.compactMap { $0.extra(ClockOfTest.self)?.clock }.first
  }

  /// The clock that measures the test's time-outs, if there is one.
  ///
  /// One on which sleeps end at once would end each time-out before anything can happen.
  static var measuring: TestClock? { ofTest.flatMap { $0.sleeping == .immediate ? nil : $0 } }
}

/// A test's clock, with the requests that got it.
final class ClockOfTest: Sendable {
  let clock: TestClock
  private let requests = Lock<[RequestOrigin]>([])

  init(_ clock: TestClock) {
    self.clock = clock
    // Lifetimes that the container measures obey the clock too.
    ExpiryClock.testTime.withLock { $0 = { TestClock.ofTest?.now.offset } }
  }

  /// Returns the policy under which requests for a clock get this one.
  func policy(_ policy: FramePolicy = FramePolicy()) -> FramePolicy {
    var policy = policy
    let clock = clock
    policy.fallbacks.append(
      Fallback(noting: { [requests] origin in
        requests.withLock { if !$0.contains(origin) { $0.append(origin) } }
      }) { $0.isRequest(for: (any Clock<Duration>).self) ? clock : nil })
    return policy
  }

  func attach(to frame: ContextFrame) {
    _ = frame.extra(ClockOfTest.self) { self }
  }

  /// The place of the test; of XCTest's, which is unknown, that of the first request for the clock.
  private func location(in frame: ContextFrame) -> CodeLocation {
    let test = frame.opener.location
    return test.line > 0 ? test : requests.withLock { $0.first?.location } ?? test
  }

  /// The requests that handed out the clock, as lines of a diagnosis.
  private var requestFacts: [(String, String)] {
    requests.withLock { $0 }.map { origin in
      let requester = origin.requester.map { ", by `\($0)`" } ?? ""
      return ("requested:", "\(origin.location)\(requester)")
    }
  }

  /// Runs a test, and reports who sleeps on its clock if its task is cancelled.
  nonisolated(nonsending) func watchingCancellation(
    in frame: ContextFrame, _ test: () async throws -> Void
  ) async throws {
    // At once, as work that the test started by itself may sleep on.
    try await withTaskCancellationHandler(operation: test) { reportCancelled(to: frame) }
  }

  /// Reports who slept on the clock, or waited for a sleeper, when the test itself was cancelled,
  /// as it is by a time limit.
  func reportCancelled(to frame: ContextFrame) {
    let pauses = clock.pauses
    if pauses.isEmpty { return }
    let facts = pauses.map { pause in
      switch pause {
      case .sleep(let began, let deadline): ("sleeping:", "from \(began) to \(deadline)")
      case .wait(let duration, let count):
        ("waiting:", "for sleepers with at least \(duration) to go (\(count))")
      }
    }
    frame.report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "The test was cancelled while its clock stood still.",
          facts: [("clock:", "at \(clock.now)")] + facts + requestFacts,
          fixes: [
            "Move the clock once somebody sleeps: `TestClock.current.advance(by: …)`, or `.run()`.",
            "If nobody sleeps, check that the code under test sleeps on this clock.",
          ]
        ).text, severity: .warning, location: location(in: frame)))
  }

  /// Reports the sleepers that the test leaves, with the requests that handed them the clock.
  func reportSleepers(to frame: ContextFrame) {
    let sleeps = clock.sleeps
    if sleeps.isEmpty { return }
    frame.report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: sleeps.count == 1
            ? "The test ended while somebody slept on its clock."
            : "The test ended while \(sleeps.count) sleepers were left on its clock.",
          facts: [("clock:", "at \(clock.now)")]
            + sleeps.map { ("sleeping:", "from \($0.began) to \($0.deadline)") }
            + requestFacts,
          fixes: [
            "Move the clock to the end of their sleep: `TestClock.current.run()`, and await them.",
            "Or cancel their tasks, which ends a sleep at once.",
          ]
        ).text, severity: frame.findingSeverity, location: location(in: frame)))
  }
}
#endif
