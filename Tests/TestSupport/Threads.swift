import DIContainer
import DITesting
import Foundation

/// Whether ThreadSanitizer watches, which makes stack frames larger and traps slow.
package let isUnderThreadSanitizer: Bool = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil

/// Read once by whoever has bare threads ask outside of all sandboxes: they belong to no test, and
/// while other tests have sandboxes open that would be reported.
package let threadsAreOurs: Void = Sandbox.unscopedPolicy = .allow

/// Runs a body on some threads at once and returns when all of them have finished.
///
/// - Parameters:
///   - count: How many threads.
///   - stackSize: The size of each thread's stack in bytes; 0 for the system's choice.
///   - body: Gets the thread's number, from 0.
package func onThreads(
  _ count: Int, stackSize: Int = 0, _ body: @escaping @Sendable (Int) -> Void
) {
  let finished = DispatchSemaphore(value: 0)
  let start = Barrier(count)
  for number in 0..<count {
    let thread = Thread {
      start.wait()
      body(number)
      finished.signal()
    }
    if stackSize > 0 { thread.stackSize = stackSize }
    thread.start()
  }
  for _ in 0..<count { finished.wait() }
}

/// The result of a body that runs on a thread of its own.
package func onThread<Result: Sendable>(
  stackSize: Int = 0, _ body: @escaping @Sendable () -> Result
) -> Result {
  let result = Lock<Result?>(nil)
  onThreads(1, stackSize: stackSize) { _ in
    let value = body()
    result.withLock { $0 = value }
  }
  return result.withLock { $0! }
}

/// Where some threads wait for each other, once.
package final class Barrier: Sendable {
  private let missing: Lock<Int>
  private let count: Int
  private let open = DispatchSemaphore(value: 0)

  package init(_ count: Int) {
    self.count = count
    missing = Lock(count)
  }

  /// Returns when as many threads have come as the barrier is for.
  ///
  /// Whoever comes after that passes; a minute of waiting in vain is over too, and fails whatever
  /// the test goes on to expect.
  package func wait() {
    let left = missing.withLock { missing in
      missing -= 1
      return missing
    }
    if left > 0 {
      _ = open.wait(timeout: .now() + 60)
    } else if left == 0 {
      for _ in 1..<count { open.signal() }
    }
  }
}

/// Counts from several threads.
package final class Counter: Sendable {
  private let count = Lock(0)

  package init() {}

  package var value: Int { count.withLock { $0 } }

  @discardableResult
  package func increment() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  package func decrement() { count.withLock { $0 -= 1 } }
}
