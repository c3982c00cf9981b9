// Single flight: the first request for a kept instance starts the build, in a task of its own; that
// request and all others wait for it, without blocking a thread. One lock for all builds makes it
// possible to see when builds would wait for each other.

/// The builds of kept and shared instances that are under way.
enum Flight {
  /// What is being built.
  enum Key: Hashable {
    case kept(ObjectIdentifier)
    case shared(ObjectIdentifier, AsyncCycle.Key)
  }

  /// How a build, or the wait for it, ended.
  enum Outcome {
    /// An instance in a `Carrier`, or none.
    case built(AnyObject?)
    case failed(any Error)
    /// The one who waited was cancelled.
    case cancelled
  }

  enum Place {
    /// There is an instance already.
    case present(AnyObject)
    /// A place among those who wait; the first has to start the build.
    case waiting(Ticket, isFirst: Bool)
    /// Waiting would never end.
    case circle([ChainLink])
  }

  struct Ticket {
    let flight: UInt64
    let waiter: UInt64
  }

  // What was made is the user's instance, which its registration keeps for many tasks.
  typealias Continuation = CheckedContinuation<Unchecked<Outcome>, Never>

  private struct Build {
    let key: Key
    /// How often the once-state had been told to forget when the build began.
    let turn: Int
    let cancelsWithLastWaiter: Bool
    var task: Task<Void, Never>?
    /// Whether its last waiter took it along: what it makes is nobody's.
    var isAbandoned = false
    /// Whether what it made is being kept: from now on nobody can take it along.
    var isLanding = false
    var waiters: Set<UInt64> = []
    /// What the build itself waits for, by waiter, with the chain from the build to the request.
    var asks: [UInt64: (flight: UInt64, links: [ChainLink])] = [:]
  }

  private struct Waiter {
    let flight: UInt64
    let asker: UInt64?
    var continuation: Continuation?
    var outcome: Outcome?
  }

  private struct State {
    var last: UInt64 = 0
    var builds: [UInt64: Build] = [:]
    var current: [Key: UInt64] = [:]
    var waiters: [UInt64: Waiter] = [:]

    mutating func nextID() -> UInt64 {
      last += 1
      return last
    }

    /// The chains on the way by which one build waits for another.
    func path(from flight: UInt64, to target: UInt64, _ seen: inout Set<UInt64>) -> [ChainLink]? {
      if flight == target { return [] }
      guard seen.insert(flight).inserted, let build = builds[flight] else { return nil }
      for ask in build.asks.values {
        if let rest = path(from: ask.flight, to: target, &seen) { return ask.links + rest }
      }
      return nil
    }

    mutating func removeWaiter(_ id: UInt64) {
      guard let waiter = waiters.removeValue(forKey: id) else { return }
      if let asker = waiter.asker { builds[asker]?.asks[id] = nil }
    }
  }

  private static let state = Lock(State())

  /// Takes a place among those who wait for what `key` stands for.
  ///
  /// `present` and `turn` only read, with the lock held.
  static func join(
    _ key: Key, asker: (id: UInt64, links: [ChainLink])?, cancelsWithLastWaiter: Bool,
    present: () -> AnyObject?, turn: () -> Int
  ) -> Place {
    state.withLock { state in
      if let present = present() { return .present(present) }
      let turn = turn()
      var flight: UInt64
      let isFirst: Bool
      if let known = state.current[key], state.builds[known]?.turn == turn {
        (flight, isFirst) = (known, false)
        var seen: Set<UInt64> = []
        if let asker, let path = state.path(from: flight, to: asker.id, &seen) {
          return .circle(asker.links + path)
        }
      } else {
        (flight, isFirst) = (state.nextID(), true)
        state.builds[flight] = Build(
          key: key, turn: turn, cancelsWithLastWaiter: cancelsWithLastWaiter)
        state.current[key] = flight
      }
      let waiter = state.nextID()
      state.waiters[waiter] = Waiter(flight: flight, asker: asker?.id)
      state.builds[flight]?.waiters.insert(waiter)
      if let asker { state.builds[asker.id]?.asks[waiter] = (flight, asker.links) }
      return .waiting(Ticket(flight: flight, waiter: waiter), isFirst: isFirst)
    }
  }

  /// Names the task that builds.
  static func start(_ flight: UInt64, _ task: Task<Void, Never>) {
    let isAbandoned = state.withLock { state in
      state.builds[flight]?.task = task
      return state.builds[flight]?.isAbandoned ?? false
    }
    if isAbandoned { task.cancel() }
  }

  /// Has a build keep what it made; nil if it was abandoned.
  ///
  /// Answers how often the once-state had been told to forget when the build began.
  static func land(_ flight: UInt64) -> Int? {
    state.withLock { state in
      guard let build = state.builds[flight], !build.isAbandoned else { return nil }
      state.builds[flight]?.isLanding = true
      return build.turn
    }
  }

  /// Ends a build and wakes all who wait for it.
  static func end(_ flight: UInt64, _ outcome: Outcome) {
    let (woken, build) = state.withLock { state -> ([Continuation], Build?) in
      let build = state.builds.removeValue(forKey: flight)
      if let build, state.current[build.key] == flight { state.current[build.key] = nil }
      var woken: [Continuation] = []
      for id in build?.waiters ?? [] {
        if let continuation = state.waiters[id]?.continuation {
          woken.append(continuation)
          state.removeWaiter(id)
        } else {
          state.waiters[id]?.outcome = outcome
        }
      }
      return (woken, build)
    }
    for continuation in woken { continuation.resume(returning: Unchecked(outcome)) }
    withExtendedLifetime(build) {}
  }

  /// Waits for the end of a build; a patient waiter cannot be cancelled.
  static nonisolated(nonsending) func wait(_ ticket: Ticket, isPatient: Bool) async -> Outcome {
    if isPatient {
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
      guard var build = state.builds[waiter.flight] else { return (waiter.continuation, nil) }
      build.waiters.remove(id)
      var task: Task<Void, Never>?
      if build.waiters.isEmpty, build.cancelsWithLastWaiter, !build.isLanding {
        // Whoever asks from now on gets a build of their own.
        build.isAbandoned = true
        task = build.task
        if state.current[build.key] == waiter.flight { state.current[build.key] = nil }
      }
      state.builds[waiter.flight] = build
      return (waiter.continuation, task)
    }
    continuation?.resume(returning: Unchecked(.cancelled))
    task?.cancel()
  }

  /// How many wait for the build of what a once-state keeps; for tests.
  static func waiters(for slot: Slot) -> Int {
    state.withLock { state in
      state.current[.kept(ObjectIdentifier(slot))].flatMap { state.builds[$0]?.waiters.count } ?? 0
    }
  }
}

/// Carries a built instance to those who wait.
final class Carrier<Service> {
  let service: Service

  init(_ service: Service) { self.service = service }
}
