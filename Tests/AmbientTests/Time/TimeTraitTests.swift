import DIContainer
@testable import DITesting
import Foundation
import Testing

@Suite("Time that a test owns", .sandbox, .time)
struct TimeTraitTests {
  @Test("is what services get, and a retry needs no real time")
  func retries() async throws {
    Resolver.production { Resolver.registerPatientTill() }
    let time = TestClock.current
    let patientTill: PatientTill = Resolver.resolve()
    #expect(patientTill.clock as? TestClock === time)
    async let tries = patientTill.sell(failing: 2)
    for _ in 0..<2 {
      await time.sleeper(atLeast: .seconds(30))
      time.advance(by: .seconds(30))
    }
    #expect(try await tries == 3)
    #expect(time.now == .seconds(60))
  }

  @Test("needs no registration, and reaches by key path and under any name")
  func anywhere() {
    let time = TestClock.current
    #expect(Resolver.resolve((any Clock<Duration>).self) as? TestClock === time)
    #expect(Resolver.resolve((any Clock<Duration>).self, name: "retry") as? TestClock === time)
    #expect(Container.shared.patientTill().clock as? TestClock === time)
  }

  @Test("gives way to a clock that the test registers")
  func registered() {
    let own = TestClock()
    Resolver.main.register { own as any Clock<Duration> }
    #expect(Resolver.resolve((any Clock<Duration>).self) as? TestClock === own)
  }

  @Test("is no live service of a strict test", .strict)
  func strict() { _ = Container.shared.patientClock() }

  @Test("is anew for each test case", arguments: [1, 2])
  func anew(_ seconds: Int) {
    #expect(TestClock.current.now == .zero)
    TestClock.current.advance(by: .seconds(seconds))
  }

  @Test("is that of the innermost trait, which may only move", .time(.immediate))
  func immediate() async throws {
    #expect(try await Container.shared.patientTill().sell(failing: 3) == 4)
    #expect(TestClock.current.now == .seconds(90))
  }

  @Test("measures how long a call is awaited")
  func called() async {
    let time = TestClock.current
    let stub = Stub<Int, Void, Never>("PatientTill.ring(_:)")
    let issue = Task { () -> String in
      await time.sleeper(atLeast: .seconds(10))
      stub(1)
      return "called"
    }
    #expect(await stub.called(within: .seconds(10)))
    #expect(await issue.value == "called")
    await withKnownIssue {
      async let isCalled = stub.called(times: 2, within: .seconds(10))
      await time.sleeper(atLeast: .seconds(10))
      time.run()
      _ = await isCalled
    } matching: {
      "\($0)".contains("to be called 2 times within 10.0 seconds, but it was called 1 time")
    }
  }

  @Test("is measured in real time for a call where sleeping is immediate", .time(.immediate))
  func calledImmediately() async {
    let stub = Stub<Int, Void, Never>()
    async let isCalled = stub.called(within: .seconds(3_600))
    stub(1)
    #expect(await isCalled)
    #expect(TestClock.current.now == .zero)
  }
}

@Suite("Sleepers that a test leaves")
struct SleeperFindingTests {
  @Test("are reported with the clock's requests")
  func left() async throws {
    let time = ClockOfTest(TestClock())
    let task = Lock<Task<Int, any Error>?>(nil)
    let line: UInt = #line + 8
    let issues = Lock<[DiagnosticIssue]>([])
    let opener = ScopeOpener(
      .sandbox, policy: time.policy(), name: "checkout", location: CodeLocation()
    ) { issue in issues.withLock { $0.append(issue) } }
    try await opener.run {
      time.attach(to: try #require(ContextFrame.current))
      time.clock.advance(by: .seconds(5))
      let patientTill = PatientTill(clock: Resolver.resolve())
      task.withLock { $0 = Task { try await patientTill.sell(failing: 1) } }
      await time.clock.sleeper()
      time.reportSleepers(to: try #require(ContextFrame.current))
    }
    #expect(
      issues.withLock { $0 }.map(\.text) == [
        """
        The test ended while somebody slept on its clock.

          clock:      at 5.0 seconds
          sleeping:   from 5.0 seconds to 35.0 seconds
          requested:  AmbientTests/TimeTraitTests.swift:\(line)

        To fix this:
          - Move the clock to the end of their sleep: `TestClock.current.run()`, and await them.
          - Or cancel their tasks, which ends a sleep at once.
        """
      ])
    #expect(issues.withLock { $0 }.map(\.severity) == [.warning])
    time.clock.run()
    #expect(try await task.withLock { $0 }?.value == 2)
  }

  @Test(
    "fail a strict test",
    .compactMapIssues { issue in
      let text = "\(issue)"
      return text.contains("(error)") && text.contains("slept on its clock") ? nil : issue
    }, .sandbox, .strict, .time)
  func strict() async throws {
    let clock: any Clock<Duration> = Resolver.resolve()
    Task { try await clock.sleep(for: .seconds(1)) }
    await TestClock.current.sleeper()
  }

  @Test("and those who wait for one are told of if the test is cancelled, as by a time limit")
  func cancelled() async {
    let time = ClockOfTest(TestClock())
    let issues = Lock<[String]>([])
    let test = Task {
      let opener = ScopeOpener(.sandbox, name: "checkout", location: CodeLocation()) { issue in
        issues.withLock { $0.append(issue.text) }
      }
      try await opener.run {
        try await time.watchingCancellation(in: opener.frame) {
          async let waiting: Void = time.clock.sleeper(atLeast: .seconds(60))
          try await time.clock.sleep(for: .seconds(30))
          await waiting
        }
      }
    }
    await time.clock.sleeper()
    test.cancel()
    _ = await test.result
    let text = issues.withLock { $0 }.joined(separator: "\n\n")
    #expect(text.hasPrefix("The test was cancelled while its clock stood still.\n\n  clock:"))
    #expect(text.contains("\n  sleeping:  from 0.0 seconds to 30.0 seconds\n"))
    #expect(text.contains("TestClock.current.advance(by: …)"))
  }

  @Test("may be on a live clock in a strict test, which is told of the trait", .sandbox)
  func live() {
    let issues = Lock<[String]>([])
    var policy = FramePolicy()
    policy.strictness = .fail
    let shop = Resolver { $0.register { ContinuousClock() as any Clock<Duration> } }
    ScopeOpener(.sandbox, policy: policy, name: "checkout", location: CodeLocation()) { issue in
      issues.withLock { $0.append(issue.text) }
    }.run { _ = shop.resolve((any Clock<Duration>).self) }
    let advice = "Or let the test move its clock. Add the `.time` trait to the test or its suite."
    #expect(issues.withLock { $0 }.map { $0.contains(advice) } == [true])
  }

  @Test("without a test's clock: one issue, and a clock that no wait hangs on", .sandbox)
  func none() async {
    let issues = Lock(0)
    await withKnownIssue {
      await TestClock.current.sleeper(atLeast: .seconds(30))
      await TestClock.current.sleeper()
    } matching: {
      issues.withLock { $0 += 1 }
      return "\($0)".contains("There is no test clock here.")
    }
    #expect(issues.withLock { $0 } == 1)
  }
}
