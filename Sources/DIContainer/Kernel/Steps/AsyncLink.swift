internal import DIPrimitives

// The async resolutions under way: for tasks what the steps of a `Chain` are for threads. The chain
// is bound to the task, so it reaches child tasks and whatever an async factory calls.
//
// A kept instance is built in a task of its own, and all requests for it wait for that task without
// blocking a thread. Cycles of tasks are found here, those of threads in Turn.swift. No cycle has
// both:
// - a thread never waits for a task, because a sync request for an async factory throws;
// - a task never waits during a thread's turn of a keeper: the sync requests of an async factory
//   end, with the setters that they put off, before its next `await` (`AsyncLink.onThread`).

/// One async resolution in progress.
final class AsyncLink: Sendable {
  @TaskLocal private static var bound: AsyncLink?

  /// The instances that the resolutions of an object graph share.
  ///
  /// Branches of a graph that resolve at the same time may each make an instance for a
  /// registration: that of the first branch to be done is shared from then on.
  typealias Graph = Lock<[Chain.GraphKey: AnyObject]>

  private let parent: AsyncLink?
  /// What is made, and whether the request has arguments, as in a step.
  private let subject: Chain.Subject
  private let hasArguments: Bool
  /// The recorded event that the resolution belongs to, or 0.
  private let event: UInt64
  // The request is immutable, and the build lock guards the build. The tasks that a factory leaves
  // behind hold the link, but not what a property declares, which holds its container.
  private let requested: Unchecked<Request>
  private let performed: Unchecked<AsyncBuild?>
  /// The object graph, until the resolution ends.
  private let sharedGraph: Lock<Graph?>
  private let hasEnded = Atomic()
  /// Whether the request was made late, or while a sandbox was open by work that belongs to none.
  ///
  /// Then it is reported, and the requests that its factory makes are not.
  let wasMadeOutside = ContextFrame.isOutside

  /// Creates the resolution of a request by a registration, which performs a build if the instance
  /// is to be kept.
  init(
    _ request: Request, _ subject: Chain.Subject, hasArguments: Bool, event: UInt64,
    build: AsyncBuild?
  ) {
    parent = Self.current
    (self.subject, self.hasArguments) = (subject, hasArguments)
    self.event = event
    requested = Unchecked(Request(request.key, location: request.location))
    performed = Unchecked(build)
    sharedGraph = Lock(parent?.graph ?? Graph([:]))
  }

  /// The innermost resolution that the calling task works for.
  ///
  /// Tasks that a factory starts and leaves behind inherit the binding. Once the resolution has
  /// ended, they work for none.
  static var current: AsyncLink? {
    guard di_attention_has_async(di_attention_needed()), let bound, !bound.hasEnded.isSet
    else { return nil }
    return bound
  }

  /// Whether the calling task may work for a resolution.
  static var isBound: Bool { bound != nil }

  /// Its request, without what the property declares.
  var request: Request { requested.value }

  /// The object graph; one of its own if the resolution has ended.
  var graph: Graph { sharedGraph.withLock { $0 } ?? Graph([:]) }

  /// Runs the work of the resolution itself.
  nonisolated(nonsending) func run<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    // The shortest path of requests does not follow async chains.
    di_attention_add_async(1)
    defer {
      hasEnded.set(true)
      di_attention_add_async(-1)
      // This may be the last reference to what the graph shares.
      releaseUnlocked(sharedGraph.withLock { exchange(&$0, with: nil) })
    }
    return try await Self.$bound.withValue(self) { try await body() }
  }

  // MARK: The chain

  /// The resolution and those that wait for it, innermost first.
  private var underWay: some Sequence<AsyncLink> {
    sequence(first: self, next: \.parent).prefix { !$0.hasEnded.isSet }
  }

  /// The chain, outermost first.
  var chain: [ChainLink] { underWay.reversed().map(\.request.chainLink) }

  /// The registrations whose instances are being built.
  var registrations: [UInt64] { underWay.map(\.subject.registration) }

  /// The event of the innermost resolution that has one, or 0.
  var innermostEvent: UInt64 { underWay.first { $0.event != 0 }?.event ?? 0 }

  /// The innermost build of a kept instance that the resolution is part of.
  fileprivate var build: AsyncBuild? { underWay.lazy.compactMap(\.performed.value).first }

  /// The chain from that build on, outermost first.
  fileprivate var chainOfBuild: [ChainLink] { chain { $0.performed.value != nil } ?? [] }

  /// Returns the cycle that a further request for the same would close.
  func cycle(closedBy subject: Chain.Subject) -> [ChainLink]? {
    chain { $0.subject == subject && !$0.hasArguments }
  }

  /// Returns the chain from the innermost resolution that satisfies a predicate on, outermost
  /// first.
  private func chain(from fits: (AsyncLink) -> Bool) -> [ChainLink]? {
    let underWay = Array(underWay)
    guard let first = underWay.firstIndex(where: fits) else { return nil }
    return underWay[...first].reversed().map(\.request.chainLink)
  }

  // MARK: Sync resolutions

  /// Runs sync resolutions as part of this one.
  ///
  /// The chain is placed on the thread's stack, and the thread uses the shared instances of the
  /// graph.
  func onThread<Result>(_ body: () throws -> Result) throws -> Result {
    let (links, chain, graph) = (Array(underWay.reversed()), Chain.current, graph)
    // The steps, and with them the graph, belong to the thread.
    precondition(chain.steps.isEmpty, "a resolution is under way on the thread")
    chain.graph = graph.withLock { $0 }
    defer {
      let shared = exchange(&chain.graph, with: [:])
      graph.withLock { $0.merge(shared) { first, _ in first } }
      // Another branch may share its own instance instead of this one.
      releaseUnlocked(shared)
    }
    return try links.map(\.request).withUnsafeBufferPointer { requests in
      chain.steps = links.indices.map { index in
        Chain.Step(
          subject: links[index].subject, hasArguments: links[index].hasArguments,
          request: requests.baseAddress! + index, event: links[index].event, build: nil)
      }
      defer { chain.steps = [] }
      do {
        let result = try body()
        try chain.runPutOff()
        return result
      } catch {
        chain.dropPutOff()
        throw error
      }
    }
  }
}

// MARK: - Builds of kept instances

/// A build of a keeper's instance by a task, for which requests wait; the build lock guards it.
final class AsyncBuild {
  // The instance is the user's, which its registration keeps for many tasks.
  typealias Outcome = Result<Unchecked<Instance?>, any Error>

  /// The keeper's generation when the build began.
  fileprivate let generation: Int
  /// The request that began it, in the chains of errors.
  fileprivate let first: ChainLink
  fileprivate var waiters: [Waiter] = []

  fileprivate init(_ generation: Int, for first: ChainLink) {
    (self.generation, self.first) = (generation, first)
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
      if let build = waiter.requester?.build, let path = path(to: build, &seen) {
        return path + [waiter]
      }
    }
    return nil
  }

  /// A request that waits for a build.
  final class Waiter {
    fileprivate let request: Request
    /// The resolution that the request is part of, if any.
    fileprivate let requester = AsyncLink.current
    fileprivate let outcome = AsyncStream<Outcome>.makeStream()
    fileprivate(set) var build: AsyncBuild!

    init(_ request: Request) { self.request = request }

    /// Returns the instance once it is built; throws the error of the build, or the reason if the
    /// task is cancelled, which leaves the build to the others.
    nonisolated(nonsending) func instance() async throws -> Instance? {
      do {
        // The stream ends without an outcome where the task is cancelled.
        for await result in outcome.stream { return try result.get().value }
      } catch let error as ResolutionError {
        throw error.replacing(build.first, by: request, after: ResolutionError.chain)
      }
      BuildLock.withLock { build.waiters.removeAll { $0 === self } }
      throw ResolutionError(.cancelled, request, underlying: CancellationError())
    }
  }
}

extension Keeper {
  /// A request that can wait, where no instance is kept.
  enum Joined {
    /// It is among the waiters of a build, which it has to start if that is new.
    case waiting(isNew: Bool)
    /// Waiting would never end.
    case cycle([ChainLink])
  }

  /// Returns the kept instance, or adds a request to the waiters of a task's build.
  ///
  /// Unlike a thread, which waits until an outdated build is over, a task begins a new one beside
  /// it: its waiters are told the outcome of the build that they joined, an error included.
  func join(_ waiter: AsyncBuild.Waiter) -> Beginning<Joined> {
    let found: Beginning<Joined> = search {
      // A build that a reset preceded, or a thread's, goes on for those who wait for it.
      let present = (build as? AsyncBuild).flatMap { $0.generation == generation ? $0 : nil }
      var seen: Set<ObjectIdentifier> = []
      if let present, let own = waiter.requester?.build, let path = present.path(to: own, &seen) {
        return .found(
          .other(.cycle(([waiter] + path).flatMap { $0.requester?.chainOfBuild ?? [] })))
      }
      let joined = present ?? AsyncBuild(generation, for: waiter.request.chainLink)
      build = joined
      joined.waiters.append(waiter)
      waiter.build = joined
      return .found(.other(.waiting(isNew: present == nil)))
    }
    if case .other(.waiting(isNew: true)) = found { joinScope() }
    return found
  }

  /// Ends a build by a task, and keeps the instance if there is one.
  func end(_ build: AsyncBuild, with outcome: AsyncBuild.Outcome, onRelease: OnRelease?) {
    let made = try? outcome.get().value
    let waiters = end(build, build.generation, keeping: made, onRelease: onRelease) { _ in
      DIContainer.exchange(&build.waiters, with: [])
    }
    for waiter in waiters { waiter.outcome.continuation.yield(outcome) }
  }

  package var waitingTasks: Int {
    BuildLock.withLock { (build as? AsyncBuild)?.waiters.count ?? 0 }
  }
}
