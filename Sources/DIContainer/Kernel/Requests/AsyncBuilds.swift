// The first request for a kept instance starts the build in a task of its own. That request and all
// others wait for it, without blocking a thread. One lock for all builds makes it possible to
// detect builds that would wait for each other.

/// The builds of kept and shared instances that are under way.
enum AsyncBuilds {
  /// The end of a build, or of the wait for it.
  enum Outcome {
    case built(AnyBox?)
    case failed(any Error)
    /// The waiter was cancelled.
    case cancelled
  }

  enum Place {
    /// There is an instance already.
    case present(AnyBox)
    /// A place among the waiters, the first of which has to start the build.
    case waiting(Ticket, isFirst: Bool)
    /// Waiting would never end.
    case circle([ChainLink])
  }

  struct Ticket {
    let build: UInt64
    let waiter: UInt64
  }

  // The instance is the user's, which its registration keeps for many tasks.
  typealias Continuation = CheckedContinuation<Unchecked<Outcome>, Never>

  private struct Build {
    /// The number of the keeper whose instance it makes.
    let keeper: UInt64
    /// The number of resets of the keeper when the build began.
    let turn: Int
    let cancelsWithLastWaiter: Bool
    var task: Task<Void, Never>?
    /// Whether its last waiter cancelled it, so that its instance is discarded.
    var isAbandoned = false
    /// Whether its instance is being kept, so that it can no longer be cancelled.
    var isBeingKept = false
    var waiters: Set<UInt64> = []
    /// The builds that it waits for, by waiter, with the chain from it to the request.
    var asks: [UInt64: (build: UInt64, links: [ChainLink])] = [:]
  }

  private struct Waiter {
    let build: UInt64
    let asker: UInt64?
    var continuation: Continuation?
    var outcome: Outcome?
  }

  private struct State {
    var last: UInt64 = 0
    var builds: [UInt64: Build] = [:]
    /// The builds that further requests join, by the number of the keeper.
    var current: [UInt64: UInt64] = [:]
    var waiters: [UInt64: Waiter] = [:]

    mutating func nextID() -> UInt64 {
      last += 1
      return last
    }

    /// Returns the chains by which one build waits for another.
    func path(from id: UInt64, to target: UInt64, _ seen: inout Set<UInt64>) -> [ChainLink]? {
      if id == target { return [] }
      guard seen.insert(id).inserted, let build = builds[id] else { return nil }
      for ask in build.asks.values {
        if let rest = path(from: ask.build, to: target, &seen) { return ask.links + rest }
      }
      return nil
    }

    mutating func removeWaiter(_ id: UInt64) {
      guard let waiter = waiters.removeValue(forKey: id) else { return }
      if let asker = waiter.asker { builds[asker]?.asks[id] = nil }
    }
  }

  private static let state = Lock(State())

  /// Joins the waiters for the instance of a keeper.
  static func join(
    _ keeper: Keeper, asker: (id: UInt64, links: [ChainLink])?, cancelsWithLastWaiter: Bool
  ) -> Place {
    state.withLock { state in
      if let present = keeper.strongBox { return .present(present) }
      let turn = keeper.forgettings
      var id: UInt64
      let isFirst: Bool
      if let known = state.current[keeper.id], state.builds[known]?.turn == turn {
        (id, isFirst) = (known, false)
        var seen: Set<UInt64> = []
        if let asker, let path = state.path(from: id, to: asker.id, &seen) {
          return .circle(asker.links + path)
        }
      } else {
        (id, isFirst) = (state.nextID(), true)
        state.builds[id] = Build(
          keeper: keeper.id, turn: turn, cancelsWithLastWaiter: cancelsWithLastWaiter)
        state.current[keeper.id] = id
      }
      let waiter = state.nextID()
      state.waiters[waiter] = Waiter(build: id, asker: asker?.id)
      state.builds[id]?.waiters.insert(waiter)
      if let asker { state.builds[asker.id]?.asks[waiter] = (id, asker.links) }
      return .waiting(Ticket(build: id, waiter: waiter), isFirst: isFirst)
    }
  }

  /// Sets the task of a build.
  static func start(_ id: UInt64, _ task: Task<Void, Never>) {
    let isAbandoned = state.withLock { state in
      state.builds[id]?.task = task
      return state.builds[id]?.isAbandoned ?? false
    }
    if isAbandoned { task.cancel() }
  }

  /// Begins to keep the instance of a build, unless it was abandoned.
  ///
  /// Returns the number of resets of the keeper when the build began, or nil if it was abandoned.
  static func beginKeeping(_ id: UInt64) -> Int? {
    state.withLock { state in
      guard let build = state.builds[id], !build.isAbandoned else { return nil }
      state.builds[id]?.isBeingKept = true
      return build.turn
    }
  }

  /// Ends a build and resumes all its waiters.
  static func end(_ id: UInt64, _ outcome: Outcome) {
    let (woken, build) = state.withLock { state -> ([Continuation], Build?) in
      let build = state.builds.removeValue(forKey: id)
      if let build, state.current[build.keeper] == id { state.current[build.keeper] = nil }
      var woken: [Continuation] = []
      for waiter in build?.waiters ?? [] {
        if let continuation = state.waiters[waiter]?.continuation {
          woken.append(continuation)
          state.removeWaiter(waiter)
        } else {
          state.waiters[waiter]?.outcome = outcome
        }
      }
      return (woken, build)
    }
    for continuation in woken { continuation.resume(returning: Unchecked(outcome)) }
    withExtendedLifetime(build) {}
  }

  /// Waits for the end of a build; a waiter may ignore its cancellation.
  static nonisolated(nonsending) func wait(_ ticket: Ticket, ignoresCancellation: Bool) async
    -> Outcome
  {
    if ignoresCancellation {
      return await withCheckedContinuation { attach($0, ticket.waiter) }.value
    }
    let waiter = ticket.waiter
    return await withTaskCancellationHandler {
      await withCheckedContinuation { attach($0, waiter) }.value
    } onCancel: {
      cancel(waiter)
    }
  }

  private static func attach(_ continuation: Continuation, _ id: UInt64) {
    let outcome = state.withLock { state -> Outcome? in
      guard let outcome = state.waiters[id]?.outcome else {
        state.waiters[id]?.continuation = continuation
        return nil
      }
      state.removeWaiter(id)
      return outcome
    }
    if let outcome { continuation.resume(returning: Unchecked(outcome)) }
  }

  private static func cancel(_ id: UInt64) {
    let (continuation, task) = state.withLock { state -> (Continuation?, Task<Void, Never>?) in
      guard let waiter = state.waiters[id], case .none = waiter.outcome else {
        return (nil, nil)
      }
      if waiter.continuation != nil {
        state.removeWaiter(id)
      } else {
        state.waiters[id]?.outcome = .cancelled
      }
      guard var build = state.builds[waiter.build] else { return (waiter.continuation, nil) }
      build.waiters.remove(id)
      var task: Task<Void, Never>?
      if build.waiters.isEmpty, build.cancelsWithLastWaiter, !build.isBeingKept {
        // Later requests start a build of their own.
        build.isAbandoned = true
        task = build.task
        if state.current[build.keeper] == waiter.build { state.current[build.keeper] = nil }
      }
      state.builds[waiter.build] = build
      return (waiter.continuation, task)
    }
    continuation?.resume(returning: Unchecked(.cancelled))
    task?.cancel()
  }

  /// Returns the number of requests that wait for the build of a keeper's instance; for tests.
  static func waiters(for keeper: Keeper) -> Int {
    state.withLock { state in
      state.current[keeper.id].flatMap { state.builds[$0]?.waiters.count } ?? 0
    }
  }
}
