import DIContainer

// Bare threads belong to no test, and while other tests have sandboxes open that would be reported.
// What runs here is none of theirs.

/// Runs a body on some threads at once, outside of all tests, and returns when all have finished.
package func onOwnThreads(
  _ count: Int, stackSize: Int = 0, _ body: @escaping @Sendable (Int) -> Void
) {
  _ = threadsAreOurs
  onThreads(count, stackSize: stackSize) { number in
    ContextFrame.$bound.withValue(ContextFrame.base) { body(number) }
  }
}

/// The result of a body that runs on a thread of its own, outside of all tests.
package func onOwnThread<Result: Sendable>(
  stackSize: Int = 0, _ body: @escaping @Sendable () -> Result
) -> Result {
  _ = threadsAreOurs
  return onThread(stackSize: stackSize) {
    ContextFrame.$bound.withValue(ContextFrame.base) { body() }
  }
}
