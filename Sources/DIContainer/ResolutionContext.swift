// Task locals do not follow code that leaves its task: detached tasks, queues, threads, callbacks.
// A context is what such code carries along. In production there is none, and carrying it costs
// next to nothing.

/// What the current task resolves in: its sandbox, layers, scoped root and recorders.
///
/// Code that leaves the task takes it along, so that doubles reach it:
///
/// ```swift
/// let context = ResolutionContext.current
/// queue.async { context.run { receipts.send() } }
///
/// queue.async(execute: ResolutionContext.carrying { receipts.send() })
/// ```
///
/// In production there is no context: `run` just runs.
public struct ResolutionContext: Sendable {
  private let frame: ContextFrame?
  private let token: CarriedContexts.Token?

  private init(_ frame: ContextFrame?) {
    self.frame = frame
    token = frame?.innermostScope.map {
      $0.extra(CarriedContexts.self, orMake: { CarriedContexts() }).makeToken()
    }
  }

  /// The context of the current task.
  public static var current: ResolutionContext {
    ResolutionContext(ContextFrame.current)
  }

  /// Runs an operation in this context, on whatever thread or task.
  ///
  /// *Replaces* the current context; where this one is empty, the current one stays.
  ///
  /// - Parameter operation: What runs inside.
  /// - Returns: What the operation returns.
  public func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    guard let frame else { return try operation() }
    defer { withExtendedLifetime(token) {} }
    return try ContextFrame.$bound.withValue(frame) { try operation() }
  }

  /// Runs an async operation in this context, on the caller's actor.
  ///
  /// - Parameter operation: What runs inside.
  /// - Returns: What the operation returns.
  public nonisolated(nonsending) func run<Result>(
    _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    guard let frame else { return try await operation() }
    defer { withExtendedLifetime(token) {} }
    return try await ContextFrame.$bound.withValue(frame) { try await operation() }
  }

  /// Wraps a closure that will be called elsewhere, so that it runs in the current context.
  ///
  /// - Parameter operation: The closure.
  /// - Returns: A closure of the same form.
  public static func carrying<each Argument, Result>(
    _ operation: @escaping (repeat each Argument) throws -> Result
  ) -> (repeat each Argument) throws -> Result {
    let context = current
    return { (argument: repeat each Argument) in
      try context.run { try operation(repeat each argument) }
    }
  }

  /// Wraps a closure that cannot throw; see `carrying(_:)`.
  public static func carrying<each Argument, Result>(
    _ operation: @escaping (repeat each Argument) -> Result
  ) -> (repeat each Argument) -> Result {
    let context = current
    return { (argument: repeat each Argument) in
      context.run { operation(repeat each argument) }
    }
  }

  /// Wraps a closure for another thread or task, so that it runs in the current context.
  public static func carrying<each Argument, Result>(
    _ operation: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    let context = current
    return { (argument: repeat each Argument) in
      context.run { operation(repeat each argument) }
    }
  }

  /// Wraps an async closure for another task, so that it runs in the current context.
  public static func carrying<Result>(
    _ operation: @escaping @Sendable () async throws -> Result
  ) -> @Sendable () async throws -> Result {
    let context = current
    return { try await context.run { try await operation() } }
  }
}

/// Counts the contexts of a scope that are carried somewhere, so that its end can wait for them.
package final class CarriedContexts: Sendable {
  private struct State {
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  final class Token: Sendable {
    private let contexts: CarriedContexts

    init(_ contexts: CarriedContexts) { self.contexts = contexts }

    deinit { contexts.drop() }
  }

  func makeToken() -> Token {
    state.withLock { $0.count += 1 }
    return Token(self)
  }

  private func drop() {
    let waiting = state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// How many contexts are still carried.
  package var count: Int { state.withLock { $0.count } }

  /// Waits until no context is carried any more, or `giveUp` is called.
  package func waitUntilDropped() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.count == 0 { return true }
        state.waiting.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Ends all waiting.
  package func giveUp() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
