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
