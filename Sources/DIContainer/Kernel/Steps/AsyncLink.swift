internal import DIPrimitives

// The async resolutions under way: what a thread's stack frames are to sync ones. The chain is
// bound to the task, so it reaches child tasks and whatever an async factory calls.

/// One async resolution in progress.
final class AsyncLink: Sendable {
  @TaskLocal private static var bound: AsyncLink?

  let parent: AsyncLink?
  let graph: AsyncGraph
  /// The registration whose factory runs, and whether the request has arguments, as in a step.
  private let registration: UInt64
  private let hasArguments: Bool
  /// The recorded event that the resolution belongs to, or 0.
  private let event: UInt64
  /// The build of a kept or shared instance that this resolution performs, if there is one.
  private var build: AsyncBuild? { built.value }
  // Immutable. The tasks that a factory leaves behind hold the link, but not what the property
  // declares, which holds its container.
  private let requested: Unchecked<Request>
  // The build lock guards it.
  private let built: Unchecked<AsyncBuild?>
  private let hasEnded = Atomic()
  private let declaredProperty: Lock<DeclaredProperty?>
  /// Whether the request was made late, or while a sandbox was open by work that belongs to none.
  ///
  /// Then it is reported, and the requests that its factory makes are not.
  let wasMadeOutside: Bool

  init(
    parent: AsyncLink?, registration: UInt64, hasArguments: Bool, event: UInt64,
    build: AsyncBuild?, request: Request
  ) {
    self.parent = parent
    graph = parent?.graph ?? AsyncGraph()
    (self.registration, self.hasArguments) = (registration, hasArguments)
    self.event = event
    built = Unchecked(build)
    declaredProperty = Lock(request.declared)
    wasMadeOutside = ContextFrame.isOutside
    requested = Unchecked(Request(request.key, location: request.location))
    graph.addUser()
  }

  /// Its request, without what the property declares.
  var request: Request { requested.value }

  /// The property as its code declares it, if the request is by key path and under way.
  var declared: DeclaredProperty? { declaredProperty.withLock { $0 } }

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

  /// Runs the work of the resolution itself.
  nonisolated(nonsending) func run<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    defer { end() }
    return try await Self.$bound.withValue(self) { try await body() }
  }

  private func end() {
    hasEnded.set(true)
    // It may be the last reference to the container.
    releaseUnlocked(declaredProperty.withLock { exchange(&$0, with: nil) })
    graph.removeUser()
  }

  // MARK: The chain

  /// The resolution and those that wait for it, innermost first.
  private var underWay: some Sequence<AsyncLink> {
    sequence(first: self, next: \.parent).prefix { !$0.hasEnded.isSet }
  }

  /// The chain, outermost first.
  var chain: [ChainLink] { underWay.reversed().map(\.request.chainLink) }

  /// The registrations whose instances are being built.
  var registrations: [UInt64] { underWay.map(\.registration) }

  /// The event of the innermost resolution that has one, or 0.
  var innermostEvent: UInt64 { underWay.first { $0.event != 0 }?.event ?? 0 }

  /// The innermost build of a kept or shared instance that the resolution is part of.
  var innermostBuild: AsyncBuild? { underWay.first { $0.build != nil }?.build }

  /// The chain from the innermost build on, outermost first.
  var chainOfBuild: [ChainLink] { chain { $0.build != nil } ?? [] }

  /// Returns the cycle that a further request for a registration's factory would close.
  func cycle(closedBy registration: UInt64) -> [ChainLink]? {
    chain { $0.registration == registration && !$0.hasArguments }
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
    let (links, chain) = (Array(underWay.reversed()), Chain.current)
    // The steps, and with them the graph, belong to the thread.
    precondition(chain.steps.isEmpty, "a resolution is under way on the thread")
    return try links.map(\.request).withUnsafeBufferPointer { requests in
      chain.steps = links.indices.map { links[$0].step(for: requests.baseAddress! + $0) }
      chain.graph = graph.instances
      defer {
        chain.steps = []
        graph.share(exchange(&chain.graph, with: [:]))
      }
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

  private func step(for request: UnsafePointer<Request>) -> Chain.Step {
    Chain.Step(
      registration: registration, hasArguments: hasArguments, request: request,
      event: event, build: nil)
  }
}
