internal import DIPrimitives

// Task-locals do not follow code that leaves its task: detached tasks, queues, threads, callbacks.
// Such code takes a context along. In production there is no context, and capturing one costs next
// to nothing.

/// The context that the current task resolves in: its sandbox, layers, scoped root and recorders.
///
/// Pass it to code that leaves the task, so that doubles apply there too:
///
/// ```swift
/// let queue = DispatchQueue(label: "receipts")
/// let context = ResolutionContext.current
/// queue.async { context.run { try? Checkout().buy("TEA-GREEN") } }
///
/// queue.async(execute: ResolutionContext.carrying { try? Checkout().buy("TEA-GREEN") })
/// ```
///
/// In production the context is empty, and `run` only calls its operation.
public struct ResolutionContext: Sendable {
  private let frame: ContextFrame?

  /// The context of the current task.
  ///
  /// An instance that a container builds may store it, and pass it to the work that it starts. As
  /// in a child task, layers that are pushed on the scope afterwards apply too, until popped.
  public static var current: ResolutionContext {
    guard di_attention_needed() != 0, let current = ContextFrame.current else {
      return ResolutionContext(frame: nil)
    }
    // As for a child task, layers that are pushed on the scope apply while they are on it.
    return ResolutionContext(frame: ContextFrame.bound ?? current)
  }

  /// Runs an operation in this context, on any thread or task.
  ///
  /// It *replaces* the current context; if this one is empty, the current one stays.
  ///
  /// - Parameter operation: The operation to run.
  /// - Returns: What the operation returns.
  @discardableResult
  public func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    guard let frame else { return try operation() }
    return try ContextFrame.$bound.withValue(frame) { try operation() }
  }

  /// Runs an async operation in this context.
  ///
  /// An operation that is written in an actor's code runs on that actor.
  @discardableResult
  public nonisolated(nonsending) func run<Result>(
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    guard let frame else { return try await operation() }
    return try await ContextFrame.$bound.withValue(frame) { try await operation() }
  }

  // In Swift 5 mode the compiler cannot choose between this form and the `@Sendable` one below,
  // which takes any closure there.

  /// Wraps a closure that will be called elsewhere, so that it runs in the current context.
  ///
  /// - Parameter operation: The closure, with any parameters.
  /// - Returns: A closure of the same form.
  @available(swift, introduced: 6)
  public static func carrying<each Argument, Result>(
    _ operation: @escaping (repeat each Argument) -> Result
  ) -> (repeat each Argument) -> Result {
    let context = current
    return { (argument: repeat each Argument) in
      context.run { operation(repeat each argument) }
    }
  }

  /// Wraps a throwing closure that will be called elsewhere, to run in the current context.
  @_disfavoredOverload
  public static func carrying<each Argument, Result>(
    _ operation: @escaping (repeat each Argument) throws -> Result
  ) -> (repeat each Argument) throws -> Result {
    let context = current
    return { (argument: repeat each Argument) in
      try context.run { try operation(repeat each argument) }
    }
  }

  /// Wraps a closure for another thread or task, so that it runs in the current context.
  @_disfavoredOverload
  public static func carrying<each Argument, Result>(
    _ operation: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    let context = current
    return { (argument: repeat each Argument) in
      context.run { operation(repeat each argument) }
    }
  }

  /// Wraps an async closure for another task, so that it runs in the current context.
  @_disfavoredOverload
  public static func carrying<Result>(
    _ operation: @escaping @Sendable () async throws -> Result
  ) -> @Sendable () async throws -> Result {
    let context = current
    return { try await context.run { try await operation() } }
  }
}
