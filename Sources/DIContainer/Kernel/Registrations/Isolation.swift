internal import DIPrimitives

#if canImport(Dispatch)
internal import Dispatch
#endif

// Factories that keep their isolation.
//
// - `Isolation` specifies where a registration's factory runs: anywhere, on the main actor, or in a
//   task.
// - Factories of the main actor are sync ones that are only ever called there. A request that can
//   wait goes there and is resolved like any sync request (AsyncRequest.swift); one that cannot
//   is resolved there, and gets a `ResolutionError` elsewhere.
// - Async factories are awaited. All concurrent requests for a kept instance wait for one task,
//   without blocking a thread (AsyncLink.swift).

/// The isolation of a factory.
enum Isolation {
  /// On the requesting thread.
  case anywhere
  /// On the main actor.
  case main
  /// In a task.
  case task
}

/// The queue of the main actor, whose blocks run on it without a task.
///
/// The runtime knows them by the main thread. But the queue is on other threads if `dispatchMain()`
/// serves it, as in servers and test runners.
private enum MainQueue {
  #if canImport(Dispatch)
  private static let mark: DispatchSpecificKey<Bool> = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// Whether the caller runs on the queue, or on one that targets it.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
  #else
  static var isCurrent: Bool { false }
  #endif
}

extension MainActor {
  /// Whether the caller runs on this actor.
  package static var isCurrent: Bool { di_is_main_thread() || MainQueue.isCurrent }

  /// Calls a closure, in code that runs on this actor without the compiler knowing.
  package static func assumingIsolated<Result>(
    _ body: @MainActor () throws -> Result
  ) rethrows -> Result {
    // The result stays on the actor.
    try assumeIsolated { Unchecked(try body()) }.value
  }
}
