internal import DIPrimitives

/// The way of one request for an async factory, from the registration to the instance.
///
/// The counterpart of `Resolution`, with the same steps in the same order. It lacks what cannot
/// happen here: async services take no parameter, a dry run does not wait, and an alias that leads
/// back to itself has no async factory.
struct AsyncResolution {
  private let request: Request
  private let args: Any?
  private let container: Resolver
  private let ignoresCancellation: Bool
  private var found: Found
  private let frame: ContextFrame?
  /// The event that records it, if there is a recorder.
  private let recording: RecordedRequest?

  private var registration: Registration { found.registration }

  /// Creates the resolution of an attempt that found a registration.
  init(_ request: AsyncRequest, _ attempt: Attempt) {
    (self.request, args, container) = (request.request, request.args, request.container)
    ignoresCancellation = request.ignoresCancellation
    let (found, frame, container) = (attempt.found!, attempt.frame, request.container)
    self.frame = frame
    self.found = found.wrapping(container: container, frame, request.request.declared)
    recording = frame?.begin(request.request, self.found, container: container)
  }

  /// Returns the instance, as one event of the recorders.
  nonisolated(nonsending) func run() async throws -> Instance? {
    var made: Made?
    defer { found.end(made, frame, recording) }
    made = try await make()
    return made?.instance
  }

  private nonisolated(nonsending) func make() async throws -> Made? {
    try found.checkDryRun(request, frame)
    registration.noteResolved()
    if let alias = registration.alias { return try await follow(alias) }
    let cacheFrame = frame?.cacheFrame(for: registration.scope)
    switch found.keeping(requestedFrom: container) {
    case .graph:
      // The outermost instance of a graph has none to share with.
      guard let graph = AsyncLink.current?.graph else { fallthrough }
      return try await shared(in: graph, cacheFrame)
    case .nobody:
      return Made(new: try await construct(by: container))
    case .keeper(let base, let builder):
      let keeper = cacheFrame?.makeReplacement(for: base) ?? base
      found.modifiers?.forgetExpired(keeper)
      return try await kept(in: keeper, cacheFrame, by: builder)
    }
  }

  private nonisolated(nonsending) func follow(_ alias: Alias) async throws -> Made? {
    guard let target = Lookup.target(of: alias, in: container.core, frame) else { return nil }
    var next = self
    next.found = target.wrapping(container: container, frame)
    let made = try await next.make()
    return try made.map { Made(try alias.convert($0.instance, request), isNew: $0.isNew) }
  }

  // MARK: Construction

  private func checkCycle() throws {
    if args == nil, let links = AsyncLink.current?.cycle(closedBy: registration.id) {
      throw ResolutionError.cycle(request, through: links, circumstances: [.awaited])
    }
  }

  private func makeLink(build: AsyncBuild? = nil) -> AsyncLink {
    AsyncLink(
      parent: AsyncLink.current, registration: registration.id, hasArguments: args != nil,
      event: recording?.number ?? 0, build: build, request: request)
  }

  /// Returns a new instance, made in the calling task, or in another if it must not be cancelled.
  private nonisolated(nonsending) func construct(by builder: Resolver) async throws -> Instance? {
    try checkCycle()
    let link = makeLink()
    if !ignoresCancellation { return try await construct(link, by: builder) }
    // The caller waits, so its values are used by one of the two tasks at a time.
    let body = Unchecked { () async throws -> Instance? in
      try await construct(link, by: builder)
    }
    let task = Task { Unchecked(try await body.value()) }
    return try await task.value.value
  }

  private nonisolated(nonsending) func construct(
    _ link: AsyncLink, by builder: Resolver
  ) async throws -> Instance? {
    try await link.run {
      do {
        guard let make = found.maker.details.buildAsync else {
          throw ResolutionError(.needsAwait, request, registeredAt: registration.location)
        }
        let made = try await make(builder, Unchecked(args)).value
        if let made {
          _ = try registration.runSetters(of: made, builder, args, puttingOffCycles: false)
        }
        return made
      } catch {
        throw described(error)
      }
    }
  }

  private func described(_ error: any Error) -> any Error {
    switch error {
    case let error as CancellationError: ResolutionError.cancelled(request, by: error)
    default: Chain.described(error, request, registeredAt: registration.location)
    }
  }

  // MARK: Kept and shared instances

  /// Returns the instance that the object graph shares, or a new one.
  ///
  /// Branches that request it at the same time each get one of their own; that of the first to end
  /// is shared from then on.
  private nonisolated(nonsending) func shared(
    in graph: AsyncGraph, _ cacheFrame: ContextFrame?
  ) async throws -> Made? {
    if let shared = graph.instance(of: registration, cacheFrame) {
      return Made(shared, isNew: false)
    }
    let made = try await construct(by: container)
    if let made { graph.share(made, of: registration, cacheFrame) }
    return Made(new: made)
  }

  /// Returns the instance in a keeper, or the one that a build makes for all concurrent requests.
  private nonisolated(nonsending) func kept(
    in keeper: Keeper, _ cacheFrame: ContextFrame?, by builder: Resolver
  ) async throws -> Made? {
    if let kept = keeper.instance { return Made(kept, isNew: false) }
    try checkCycle()
    var isNew = false
    do {
      let instance = try await keeper.awaitBuild(
        for: request, ignoresCancellation: ignoresCancellation
      ) { build in
        // After the turn is taken, as by threads: later resets of the scope reach the keeper.
        keeper.joinScope()
        isNew = true
        start(build, in: keeper, cacheFrame, by: builder)
      }
      return instance.map { Made($0, isNew: isNew) }
    } catch is AsyncBuild.NotShared {
      return Made(new: try await construct(by: builder))
    }
  }

  private func start(
    _ build: AsyncBuild, in keeper: Keeper, _ cacheFrame: ContextFrame?, by builder: Resolver
  ) {
    let link = makeLink(build: build)
    build.start {
      guard let made = try await construct(link, by: builder) else { return (nil, true) }
      keeper.keep(made, by: build, onRelease: registration.onRelease(in: cacheFrame))
      // The requests may have been cancelled, but those of the factory are recorded below this
      // event.
      if let recording { frame?.finish(recording, as: .created) }
      // A weak scope keeps no values: each request makes one of its own.
      return (made, !registration.scope.isWeak || made.classInstance != nil)
    }
  }
}
