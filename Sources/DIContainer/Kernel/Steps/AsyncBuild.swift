// The first request for a kept instance of an async factory starts the build in a task of its own.
// That request and all others wait for it, without blocking a thread.
//
// Cycles of tasks are found here, those of threads in Turn.swift. No cycle has both:
// - a thread never waits for a task, because a sync request for an async factory throws;
// - a task never waits during a thread's turn of a keeper: the sync requests of an async factory
//   end, with the setters that they put off, before its next `await` (`AsyncLink.onThread`).

/// One build of a keeper's instance by a task, for which other tasks wait.
///
/// As with the turns of threads, the build lock guards it.
final class AsyncBuild {
  // The instance is the user's, which its registration keeps for many tasks.
  fileprivate typealias Outcome = Result<Unchecked<Instance?>, any Error>

  /// A request that waits for a build.
  fileprivate final class Waiter {
    let request: Request
    /// The resolution that the request is part of, if any.
    let requester = AsyncLink.current
    var build: AsyncBuild?
    /// Whether the request began the build.
    var isFirst = false
    var continuation: CheckedContinuation<Unchecked<Instance?>, any Error>?

    init(_ request: Request) { self.request = request }
  }

  /// The builds that further tasks may wait for, by the numbers of their keepers.
  fileprivate final class Table {
    var builds: [UInt64: AsyncBuild] = [:]
  }

  /// The end of a wait for a value that only the request which began the build may use.
  struct NotShared: Error {}

  // The build lock guards it.
  fileprivate static let table = Unchecked(Table())
  /// The number of the keeper, which a task that a factory leaves behind must not hold.
  private let keeper: UInt64
  /// The keeper's generation when the build began.
  let generation: Int
  /// The evidence of an instance that is kept, but cannot be used by the request that began it.
  private(set) var unfit: AnyObject?
  /// The request that began it, in the chains of errors.
  fileprivate let request: ChainLink
  fileprivate var waiters: [Waiter] = []

  fileprivate init(
    of keeper: Keeper, generation: Int, replacing unfit: AnyObject?, for request: Request
  ) {
    (self.keeper, self.generation, self.unfit) = (keeper.id, generation, unfit)
    self.request = request.chainLink
  }

  /// Runs the work of the build in a task, which inherits the context of the caller.
  ///
  /// The work returns the instance, and whether all requests that wait for it may use it.
  func start(_ work: @escaping () async throws -> (instance: Instance?, isShared: Bool)) {
    // The caller has handed it over.
    let work = Unchecked { [self] in
      do {
        let (instance, isShared) = try await work()
        end(.success(Unchecked(instance)), isShared: isShared)
      } catch {
        end(.failure(error), isShared: true)
      }
    }
    Task { await work.value() }
  }

  private func end(_ outcome: Outcome, isShared: Bool) {
    // A task that the factory leaves behind may hold the build, but nothing that the build held.
    let (woken, held) = BuildLock.withLock {
      // Later requests start another build.
      if Self.table.value.builds[keeper] === self { Self.table.value.builds[keeper] = nil }
      return (exchange(&waiters, with: []), exchange(&unfit, with: nil))
    }
    releaseUnlocked(held)
    for waiter in woken {
      let isUsed = isShared || waiter.isFirst
      waiter.continuation?.resume(with: isUsed ? outcome : .failure(NotShared()))
    }
  }

  fileprivate func add(_ waiter: Waiter) {
    waiter.build = self
    waiters.append(waiter)
  }

  /// Ends a request's wait, because its task was cancelled.
  fileprivate static func cancel(_ waiter: Waiter) {
    let isWaiting = BuildLock.withLock { waiter.build?.remove(waiter) ?? false }
    if isWaiting { waiter.continuation?.resume(throwing: WaitCancelled()) }
  }

  /// Removes a waiter; returns whether it was waiting.
  private func remove(_ waiter: Waiter) -> Bool {
    guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
    waiters.remove(at: index)
    return true
  }

  /// Returns the waiters by which the build waits for another one, if it does.
  ///
  /// `seen`: builds for which it does not wait.
  fileprivate func path(
    to target: AsyncBuild, _ seen: inout Set<ObjectIdentifier>
  ) -> [Waiter]? {
    if target === self { return [] }
    guard seen.insert(ObjectIdentifier(target)).inserted else { return nil }
    for waiter in target.waiters {
      if let build = waiter.requester?.innermostBuild, let path = path(to: build, &seen) {
        return path + [waiter]
      }
    }
    return nil
  }
}

/// The end of a wait whose task was cancelled, by any other.
private struct WaitCancelled: Error {}

extension Keeper {
  /// The build that further tasks may wait for, if one is under way; the build lock guards it.
  private var asyncBuild: AsyncBuild? {
    get { AsyncBuild.table.value.builds[id] }
    set { AsyncBuild.table.value.builds[id] = newValue }
  }

  /// Returns the instance that a task builds, once that is done; `start` is to start the build, if
  /// there is none.
  ///
  /// Throws the error of the build, `NotShared` if the instance is of another request only, or the
  /// reason why the request does not wait for it.
  nonisolated(nonsending) func awaitBuild(
    for request: Request, ignoresCancellation: Bool, orStart start: (AsyncBuild) -> Void
  ) async throws -> Instance? {
    // Only used under the build lock, once it is among the waiters.
    let waiter = Unchecked(AsyncBuild.Waiter(request))
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          waiter.value.continuation = continuation
          if let outcome = join(waiter.value, orStart: start) {
            return continuation.resume(with: outcome)
          }
          // The handler may have run before the request was among the waiters.
          if !ignoresCancellation, Task.isCancelled { AsyncBuild.cancel(waiter.value) }
        }.value
      } onCancel: {
        if !ignoresCancellation { AsyncBuild.cancel(waiter.value) }
      }
    } catch is WaitCancelled {
      // Made here, because the error has the chain of the task that makes it.
      throw ResolutionError(.cancelled, request, underlying: CancellationError())
    } catch let error as ResolutionError {
      guard let build = waiter.value.build, !waiter.value.isFirst else { throw error }
      throw error.replacing(build.request, by: request, after: ResolutionError.chain)
    }
  }

  /// The build that requests wait for, if one is under way that no reset preceded.
  private var currentBuild: AsyncBuild? {
    asyncBuild.flatMap { $0.generation == generation ? $0 : nil }
  }

  private enum JoinResult {
    /// There is an instance, which stays alive as long as the evidence is held.
    case filled(AnyObject)
    /// Among the waiters of a build, which is to be started if it is new.
    case waiting(AsyncBuild?)
    /// Waiting would never end.
    case cycle([ChainLink])
  }

  /// Adds a request to the waiters of a build; returns its outcome if there is nothing to wait for.
  private func join(
    _ waiter: AsyncBuild.Waiter, orStart start: (AsyncBuild) -> Void
  ) -> AsyncBuild.Outcome? {
    var unfit: AnyObject?
    while true {
      switch tryToJoin(waiter, replacing: unfit) {
      case .filled(let evidence):
        // Read under no lock.
        if let instance = withExtendedLifetime(evidence, { instance }) {
          return .success(Unchecked(instance))
        }
        // It exists, but is of the type on its actor only, or was forgotten meanwhile.
        unfit = evidence
      case .waiting(let new):
        if let new { start(new) }
        return nil
      case .cycle(let links):
        return .failure(
          ResolutionError.cycle(waiter.request, through: links, circumstances: [.awaited]))
      }
    }
  }

  private func tryToJoin(
    _ waiter: AsyncBuild.Waiter, replacing unfit: AnyObject?
  ) -> JoinResult {
    BuildLock.withLock {
      let present = evidence()
      if let present, present !== unfit { return .filled(present) }
      if let asyncBuild = currentBuild {
        var seen: Set<ObjectIdentifier> = []
        if let build = waiter.requester?.innermostBuild,
          let path = asyncBuild.path(to: build, &seen)
        {
          return .cycle(([waiter] + path).flatMap { $0.requester?.chainOfBuild ?? [] })
        }
        asyncBuild.add(waiter)
        return .waiting(nil)
      }
      // Another build, which began before a reset, is held by its task.
      let new = AsyncBuild(
        of: self, generation: generation, replacing: present, for: waiter.request)
      asyncBuild = new
      waiter.isFirst = true
      new.add(waiter)
      return .waiting(new)
    }
  }

  package var waitingTasks: Int { BuildLock.withLock { asyncBuild?.waiters.count ?? 0 } }

  /// Keeps an instance that a task has made, unless there is one, or the keeper was reset
  /// meanwhile.
  func keep(_ instance: Instance, by build: AsyncBuild, onRelease: OnRelease?) {
    let kept = makeKept(instance, onRelease)
    var displaced: KeptInstance?
    let keepingTime = keepingTime
    let (isKept, present) = BuildLock.withLock {
      let present = evidence()
      let isKept =
        (present == nil || present === build.unfit) && asyncBuild === build
        && build.generation == generation
      if isKept, let kept {
        displaced = exchange(kept)
        if let keepingTime { lastRequest = keepingTime }
      }
      return (isKept, present)
    }
    if !isKept { kept?.dropOnRelease() }
    releaseUnlocked((present, displaced, kept))
  }
}
