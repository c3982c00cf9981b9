@testable import DITesting
import Foundation
import TestSupport
import Testing

@Suite("A wait for a call", .sandbox)
struct CallWaitTests {
  @Test("is over at once where the calls were made before")
  func before() async {
    let send = Stub<String, Void, Never>()
    send("a")
    send("b")
    #expect(await send.called())
    #expect(await send.called(times: 2, within: .zero))
  }

  @Test("is ended by the call")
  func woken() async {
    let send = Stub<String, Void, Never>()
    async let isCalled = send.called(times: 3, within: .seconds(3_600))
    for text in ["a", "b", "c"] {
      await Task.yield()
      send(text)
    }
    #expect(await isCalled)
    expectNoOtherCalls(send)
  }

  @Test("that takes too long is an issue, with what was called instead")
  func timeOut() async {
    let send = Stub<String, Void, Never>("Postbox.send(_:)")
    send("Receipt")
    let line: UInt = #line
    await expectIssue(
      """
      Expected `Postbox.send(_:)` to be called 2 times within 0.0 seconds, but it was called 1 time.

      Called:
        Postbox.send("Receipt")
      """, atLine: line + 9
    ) {
      let isCalled = await send.called(times: 2, within: .zero)
      #expect(!isCalled)
    }
  }

  @Test("for such arguments counts calls with others apart")
  func others() async {
    let send = Stub<String, Void, Never>("Postbox.send(_:)")
    send("Receipt")
    let line: UInt = #line
    await expectIssue(
      """
      Expected `Postbox.send(_:)` to be called 1 time with such arguments within 0.0 seconds, but \
      it was called 0 times, and 1 time with others.

      Called:
        Postbox.send("Receipt")
      """, atLine: line + 10
    ) {
      let isCalled = await send { $0 == "Bill" }.called(within: .zero)
      #expect(!isCalled)
    }
  }

  @Test("ends where the test's clock measures it, and nobody moves that", .time)
  func stoodStill() async {
    let send = Stub<String, Void, Never>("Postbox.send(_:)")
    let line: UInt = #line
    await expectIssue(
      """
      Expected `Postbox.send(_:)` to be called 1 time within 1.0 seconds, but it was called 0 times.

        clock:     the test's, which stood at 0.0 seconds for 0.0 seconds of real time
        this one:  not known to be registered

      To fix this:
        - If the code under test resolves it, register it: `double(…)`.
        - If the call needs the time to pass, move the clock: `TestClock.current.advance(by:)`.
        - Or measure real time: `called(within: …, clock: ContinuousClock())`.

      No stub was called.
      """, atLine: line
    ) {
      let isCalled = await send.called(
        times: 1, within: .seconds(1), nil, patience: .zero, at: CodeLocation(line: line))
      #expect(!isCalled)
    }
  }

  @Test("does not count calls between the time-out and its own end")
  func late() async {
    let send = Stub<String, Void, Never>("Postbox.send(_:)")
    let clock = AlarmClock()
    // The first job ends where the actor waits. The time-out makes the second one.
    let waiter = Waiter(
      StepExecutor(
        before: { if $0 == 2 { send("late") } },
        after: { if $0 == 1 { clock.ring() } }))
    let line: UInt = #line
    await expectIssue(
      """
      Expected `Postbox.send(_:)` to be called 1 time within 0.0 seconds, but it was called 0 times.

      Called:
        Postbox.send("late")
      """, atLine: line
    ) { await waiter.wait(for: send, clock, line: line) }
  }

  @Test("for fewer calls than none is over at once")
  func negative() async {
    let send = Stub<String, Void, Never>()
    #expect(await send.called(times: -1))
    #expect(await send.called(times: 0))
  }

  @Test("ends with the task that waits, which is no issue")
  func cancelled() async {
    let send = Stub<String, Void, Never>()
    let waiting = Task { await send.called(within: .seconds(3_600)) }
    waiting.cancel()
    #expect(await waiting.value == false)
  }

  @Test("takes a clock, and no other time")
  func clock() async {
    /// Never gets anywhere.
    struct StoppedClock: Clock {
      var now: ContinuousClock.Instant { ContinuousClock.now }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let (stream, _) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        throw CancellationError()
      }
    }
    let send = Stub<String, Void, Never>()
    async let isCalled = send.called(within: .zero, clock: StoppedClock())
    await Task.yield()
    send("a")
    #expect(await isCalled)
  }

  @Test("is woken by its call, ten thousand times in a busy pool, never by a timer")
  func busy() async {
    let count = isUnderThreadSanitizer ? 1_000 : 10_000
    let woken = await withTaskGroup(of: Bool.self) { group in
      // They take every thread of the pool, again and again.
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            var sum = 0
            for number in 0..<20_000 { sum &+= number }
            if sum == 1 { return false }
            await Task.yield()
          }
          return true
        }
      }
      for number in 0..<count {
        let stub = Stub<Int, Void, Never>()
        group.addTask { await stub.called(within: .seconds(3_600)) }
        group.addTask {
          stub(number)
          return true
        }
      }
      var all = true
      for await isWoken in group { all = all && isWoken }
      return all
    }
    #expect(woken)
  }
}

/// An actor whose jobs run one by one, with closures between them.
private actor Waiter {
  private let executor: StepExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: StepExecutor) { self.executor = executor }

  func wait(for send: Stub<String, Void, Never>, _ clock: AlarmClock, line: UInt) async {
    await send.called(within: .zero, clock: clock, line: line)
  }
}

private final class StepExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "StepExecutor")
  private let count = Lock(0)
  private let before: @Sendable (Int) -> Void
  private let after: @Sendable (Int) -> Void

  /// Takes what runs before and after a job, which gets the number of the job from 1.
  init(before: @escaping @Sendable (Int) -> Void, after: @escaping @Sendable (Int) -> Void) {
    (self.before, self.after) = (before, after)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      let number = self.count.withLock { count in
        count += 1
        return count
      }
      self.before(number)
      job.runSynchronously(on: self.asUnownedSerialExecutor())
      self.after(number)
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// A clock on which time passes when it rings.
private struct AlarmClock: Clock {
  private let bell = AsyncStream<Void>.makeStream()
  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  func ring() { bell.continuation.yield() }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    for await _ in bell.stream { return }
    throw CancellationError()
  }
}
