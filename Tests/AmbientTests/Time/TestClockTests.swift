import DIContainer
@testable import DITesting
import Foundation
import TestSupport
import Testing

@Suite("A test's clock")
struct TestClockTests {
  private let clock = TestClock()

  @Test("reports that it was to move back, which it never does")
  func back() {
    clock.advance(to: .seconds(90))
    let line: UInt = #line + 9
    expectIssue(
      """
      A test's clock was to move back, from 90.0 seconds to 60.0 seconds: it only moves forwards.

      To fix this:
        - Advance it by a positive duration, or to an instant that is still to come.
      """, atLine: line
    ) {
      clock.advance(to: .seconds(60))
    }
  }

  @Test("reports the sleepers that an XCTest leaves where the clock was requested")
  func left() async {
    let (time, issues) = (ClockOfTest(clock), Lock<[DiagnosticIssue]>([]))
    let opener = ScopeOpener(
      .sandbox, policy: time.policy(), name: "TillTests.testSells", isTest: true,
      location: CodeLocation(line: 0), report: { issue in issues.withLock { $0.append(issue) } })
    let line: UInt = #line + 2
    await opener.run {
      let requested = Resolver.resolve((any Clock<Duration>).self)
      let task = Task { try await requested.sleep(for: .seconds(1)) }
      await clock.sleeper()
      time.reportSleepers(to: opener.frame)
      task.cancel()
    }
    #expect(issues.withLock { $0 }.map(\.location.line) == [line])
  }

  @Test("that sleeps end at once on ends waits for a sleeper at once, too", .timeLimit(.minutes(1)))
  func immediateWait() async {
    await TestClock(.immediate).sleeper(atLeast: .seconds(30))
    #expect(!Task.isCancelled)
  }

  @Test("starts at zero, and only moves when it is moved")
  func moves() {
    #expect(clock.now == .zero)
    #expect(clock.minimumResolution == .zero)
    clock.advance(by: .seconds(30))
    #expect(clock.now == .seconds(30))
    clock.advance(to: .seconds(90))
    #expect(clock.now == TestClock.Instant(offset: .seconds(90)))
    clock.run()
    #expect(clock.now == .seconds(90))
    #expect("\(clock.now)" == "90.0 seconds")
  }

  @Test("has a date that moves with it, and can be set")
  func date() {
    #expect(clock.date == Date(timeIntervalSinceReferenceDate: 0))
    clock.advance(by: .milliseconds(1_500))
    #expect(clock.date == Date(timeIntervalSinceReferenceDate: 1.5))
    clock.date = Date(timeIntervalSince1970: 1_000)
    #expect(clock.date == Date(timeIntervalSince1970: 1_000))
    clock.advance(by: .seconds(2))
    #expect(clock.date == Date(timeIntervalSince1970: 1_002))
    #expect(clock.now == TestClock.Instant(offset: .milliseconds(3_500)))
  }

  @Test("ends a sleep when it reaches the deadline, whatever the tolerance")
  func sleeps() async throws {
    let clock = clock
    let isAwake = Counter()
    let task = Task {
      try await clock.sleep(for: .seconds(30), tolerance: .seconds(10))
      isAwake.increment()
    }
    await clock.sleeper(atLeast: .seconds(30))
    clock.advance(by: .milliseconds(29_999))
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(1))
    #expect(clock.sleepers == 0)
    try await task.value
    #expect(isAwake.value == 1)
  }

  @Test("lets nobody sleep to an instant that is not in the future")
  func past() async throws {
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: .seconds(5))
    try await clock.sleep(for: .zero)
    #expect(clock.now == .seconds(5))
  }

  @Test("runs to the last sleeper, in the order of the deadlines and then of arrival")
  func order() async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    let (clock, queue) = (clock, QueueExecutor())
    let names = Lock<[String]>([])
    let sleepers = [("c", 3), ("a", 1), ("b", 2), ("a2", 1), ("c2", 3)]
    var tasks: [Task<Void, any Error>] = []
    for (index, (name, seconds)) in sleepers.enumerated() {
      tasks.append(
        Task(executorPreference: queue) {
          try await clock.sleep(for: .seconds(seconds))
          names.withLock { $0.append(name) }
        })
      await clock.sleeper(count: index + 1)
    }
    clock.run()
    #expect(clock.now == .seconds(3))
    for task in tasks { try await task.value }
    #expect(names.withLock { $0 } == ["a", "a2", "b", "c", "c2"])
  }

  @Test("lets a cancelled sleeper leave at once")
  func cancelled() async {
    let clock = clock
    let task = Task { try await clock.sleep(for: .seconds(30)) }
    let other = Task { try await clock.sleep(for: .seconds(30)) }
    await clock.sleeper(count: 2)
    task.cancel()
    #expect(clock.sleepers == 1)
    await #expect(throws: CancellationError.self) { try await task.value }
    other.cancel()
    await #expect(throws: CancellationError.self) { try await other.value }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(30))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.sleepers == 0)
  }

  @Test("serves sleepers of any actor and thread")
  func everywhere() async throws {
    let (clock, actor) = (clock, Alarm())
    let main = Task { @MainActor in try await clock.sleep(for: .seconds(1)) }
    let isolated = Task { try await actor.ring(after: .seconds(1), on: clock) }
    let detached = Task.detached(priority: .background) { try await clock.sleep(for: .seconds(1)) }
    let fromThread = Lock<Task<Void, any Error>?>(nil)
    onThreads(1) { _ in
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      fromThread.withLock { $0 = task }
    }
    await clock.sleeper(atLeast: .seconds(1), count: 4)
    onThreads(1) { _ in clock.advance(by: .seconds(1)) }
    try await main.value
    try await isolated.value
    try await detached.value
    try await fromThread.withLock { $0 }?.value
    #expect(await actor.rings == 1)
  }

  @Test("wakes whoever waits for a sleeper with so much to go, and nobody else")
  func waits() async throws {
    let clock = clock
    let isOver = Counter()
    let waiter = Task {
      await clock.sleeper(atLeast: .seconds(30))
      return isOver.increment()
    }
    let short = Task { try await clock.sleep(for: .seconds(29)) }
    await clock.sleeper(atLeast: .seconds(29))
    #expect(isOver.value == 0)
    let long = Task { try await clock.sleep(for: .seconds(31)) }
    #expect(await waiter.value == 1)
    // Who has slept for a while has less to go.
    clock.advance(by: .seconds(2))
    let next = Task { await clock.sleeper(atLeast: .seconds(30)) }
    next.cancel()
    await next.value
    clock.run()
    try await short.value
    try await long.value
  }

  @Test("only moves where sleeping is immediate")
  func immediate() async throws {
    let clock = TestClock(.immediate)
    try await clock.sleep(for: .seconds(30))
    try await clock.sleep(until: .seconds(10))
    #expect(clock.now == .seconds(30))
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(30))
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(clock.now == .seconds(30))
  }

  // In a process of its own: the tasks that keep the pool busy would keep it from all other tests.
  @Test("neither hangs nor misses a sleeper while the pool is busy, at background priority")
  func stress() async {
    await #expect(processExitsWith: .success) {
      let isOver = Counter()
      let busy = (0..<ProcessInfo.processInfo.activeProcessorCount * 2).map { _ in
        Task.detached(priority: .high) {
          var sum = 0
          while isOver.value == 0 {
            for number in 0..<10_000 { sum &+= number }
            await Task.yield()
          }
          return sum
        }
      }
      await withTaskGroup(of: Void.self) { group in
        var left = 10_000
        for _ in 0..<64 { group.addTask(priority: .background) { await retryingRun() } }
        for await _ in group where left > 64 {
          left -= 1
          group.addTask(priority: .background) { await retryingRun() }
        }
      }
      isOver.increment()
      for task in busy { _ = await task.value }
    }
  }
}

extension TestClock {
  /// How many sleep now.
  fileprivate var sleepers: Int { sleeps.count }
}

private actor Alarm {
  private(set) var rings = 0

  func ring(after duration: Duration, on clock: any Clock<Duration>) async throws {
    try await clock.sleep(for: duration)
    rings += 1
  }
}

/// One test of a retry: two sleeps, one that is cancelled, and a waiter for each.
private func retryingRun() async {
  let clock = TestClock()
  let retries = Task {
    try await clock.sleep(for: .seconds(30))
    try await clock.sleep(for: .seconds(60))
    return clock.now
  }
  let watchdog = Task { try await clock.sleep(for: .seconds(3_600)) }
  await clock.sleeper(atLeast: .seconds(3_600))
  await clock.sleeper(count: 2)
  clock.advance(by: .seconds(30))
  await clock.sleeper(atLeast: .seconds(60), count: 2)
  watchdog.cancel()
  clock.run()
  let ended = try? await retries.value
  #expect(ended == .seconds(90))
  await #expect(throws: CancellationError.self) { try await watchdog.value }
}

/// Runs jobs one after the other.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "sleepers")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
