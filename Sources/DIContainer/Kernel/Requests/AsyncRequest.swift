// The general path of requests that can wait. Its steps are those of a request without `await`
// (Resolution.swift), in the same order. A sync factory runs on the sync general path: here, or on
// the main actor. A request for an async factory differs in how it calls the factory and how it
// waits for a build under way: without blocking a thread (AsyncLink.swift).
//
// Nothing here is generic: code that knows the service's type takes it out of the `Instance`.

/// A request that can wait.
@usableFromInline
struct AsyncRequest {
  var request: Request
  let args: Any?
  let container: Resolver
  /// Whether it ignores that its task is cancelled.
  var ignoresCancellation = false

  /// Returns the instance, or nil when nothing is registered or the factory returned nil.
  nonisolated(nonsending) func instance<Service>(
    as type: Service.Type = Service.self
  ) async throws -> Service? {
    try await resolved()?.value(as: type)
  }

  /// Returns the instance, resolved where its factory runs.
  nonisolated(nonsending) func resolved() async throws -> Instance? {
    Startup.runIfNeeded()
    if let frame = ContextFrame.refusing(request, container: container) {
      return try await ContextFrame.$bound.withValue(frame) { try await resolved() }
    }
    var attempt = makeAttempt()
    if belongsToMain(attempt) {
      if MainActor.isCurrent { return try resolvedHere(attempt) }
      if let resolved = try await Self.resolvedOnMain(Unchecked(self)).value { return resolved }
      attempt = makeAttempt()
    }
    if hasContent(attempt) { return try await holdingContent() }
    return isolation(attempt) == .task ? try await awaited(attempt) : try resolvedHere(attempt)
  }

  private func makeAttempt() -> Attempt { Attempt(request, container: container) }

  /// Where the factory runs that an attempt found.
  private func isolation(_ attempt: Attempt) -> Isolation {
    attempt.found?.making?.maker.isolation ?? .anywhere
  }

  /// Whether the factory runs on the main actor, or a fallback may make a double there.
  private func belongsToMain(_ attempt: Attempt) -> Bool {
    attempt.frame?.hasDoubleOnMain(attempt.found, request, container: container) ?? false
      || isolation(attempt) == .main
  }

  /// Has a test told of a request with a missing or ended frame.
  private func noteFrame() {
    _ = ContextFrame.frameNoting(request, container: container)
  }

  /// Resolves an attempt on the sync general path.
  private func resolvedHere(_ attempt: Attempt) throws -> Instance? {
    noteFrame()
    return try Resolution.instance(
      for: request, args: args, container: container, attempt: attempt)
  }

  /// Resolves the request on the main actor, in a new attempt: a double may have been registered
  /// meanwhile.
  ///
  /// Returns nil if it has to be resolved elsewhere: by what was registered meanwhile, or because
  /// the double that a fallback made on the main actor is of another type.
  @MainActor
  private static func resolvedOnMain(
    _ request: Unchecked<Self>
  ) throws -> Unchecked<Instance??> {
    // The caller waits, so its values are used by one of the two actors at a time.
    let request = request.value
    let attempt = request.makeAttempt()
    let runsHere =
      request.belongsToMain(attempt) || attempt.found != nil && request.isolation(attempt) != .task
    return Unchecked(runsHere ? .some(try request.resolvedHere(attempt)) : nil)
  }

  /// Resolves an attempt for an async factory.
  private nonisolated(nonsending) func awaited(_ attempt: Attempt) async throws -> Instance? {
    noteFrame()
    if case .replaced(let double) = try attempt.checkLive(request, container: container) {
      return double
    }
    return try await AsyncResolution(attempt.found!, self, attempt.frame).run()
  }
}

// MARK: - Types that hold another service

// An optional, and a modifier of a request, resolve without a registration by requesting their
// content, which may have to be awaited.

extension AsyncRequest {
  /// Whether the request is for such a type, and nothing serves it.
  private func hasContent(_ attempt: Attempt) -> Bool {
    attempt.found == nil && request.property == nil && request.type is any ContentHolder.Type
  }

  private nonisolated(nonsending) func holdingContent() async throws -> Instance? {
    let type = request.type as! any ContentHolder.Type
    var content = self
    content.request = try type.content(of: request)
    return type.instance(holding: try await content.resolved())
  }
}

// MARK: - The way to an instance

/// The way of one request for an async factory, from the registration to the instance.
///
/// The counterpart of `Resolution`. It lacks what cannot happen here: async properties take no
/// parameter, a dry run does not wait, and an alias that leads back to itself has no async factory.
private struct AsyncResolution {
  private let asked: AsyncRequest
  private var found: Found
  private let frame: ContextFrame?
  /// The event that records it, if there is a recorder.
  private let recording: RecordedRequest?

  private var request: Request { asked.request }
  private var args: Any? { asked.args }
  private var registration: Registration { found.registration }

  /// Creates the resolution of a request for which a registration was found.
  init(_ found: Found, _ asked: AsyncRequest, _ frame: ContextFrame?) {
    (self.found, self.asked, self.frame) = (found, asked, frame)
    recording = frame?.begin(asked.request, found, container: asked.container)
  }

  /// Returns the instance, as one event of the recorders.
  nonisolated(nonsending) func run() async throws -> Instance? {
    let made: Made?
    do {
      made = try await make()
    } catch {
      found.end(nil, after: error, frame, recording)
      throw error
    }
    found.end(made, frame, recording)
    return made?.instance
  }

  private nonisolated(nonsending) func make() async throws -> Made? {
    try found.checkDryRun(request, frame)
    registration.noteResolved()
    if let alias = registration.alias { return try await follow(alias) }
    switch found.keeping(requestedFrom: asked.container, args, frame) {
    case .graph(let cacheFrame):
      // The outermost instance of a graph has none to share with.
      guard let graph = AsyncLink.current?.graph else {
        return Made(new: try await construct(by: asked.container))
      }
      let key = Chain.GraphKey(subject: found.subject, cacheFrame: cacheFrame)
      if let shared = graph.withLock({ $0[key] }) {
        return Made(Instance(object: shared), isNew: false)
      }
      let made = try await construct(by: asked.container)
      if let made, registration.shares(made) {
        graph.withLock { if $0[key] == nil { $0[key] = made.object } }
      }
      return Made(new: made)
    case .nobody:
      return Made(new: try await construct(by: asked.container))
    case .keeper(let keeper, let cacheFrame, let builder):
      return try await kept(in: keeper, cacheFrame, by: builder)
    }
  }

  private nonisolated(nonsending) func follow(_ alias: Alias) async throws -> Made? {
    guard let target = found.next else { return nil }
    var next = self
    next.found = target
    let made = try await next.make()
    return try made.map { Made(try alias.convert($0.instance, request), isNew: $0.isNew) }
  }

  /// Returns the instance in a keeper, or the one that a build makes for all concurrent requests.
  private nonisolated(nonsending) func kept(
    in keeper: Keeper, _ cacheFrame: ContextFrame?, by builder: Resolver
  ) async throws -> Made? {
    if let kept = keeper.instance { return Made(kept, isNew: false) }
    try checkCycle()
    let waiter = AsyncBuild.Waiter(request)
    var isFirst = false
    switch keeper.join(waiter) {
    case .kept(let instance):
      return Made(instance, isNew: false)
    case .other(.cycle(let links)):
      throw ResolutionError.cycle(request, through: links, circumstances: [.awaited])
    case .other(.waiting(let isNew)):
      isFirst = isNew
      if isNew { start(waiter.build, in: keeper, cacheFrame, by: builder) }
    }
    guard let instance = try await patiently({ try await waiter.instance() }) else { return nil }
    if !isFirst, keeper.scope.isWeak, instance.classInstance == nil {
      // A weak scope keeps no values: each request makes one of its own.
      return Made(new: try await construct(by: builder))
    }
    return Made(instance, isNew: isFirst)
  }

  /// Runs a build in a task of its own, which inherits the context of the caller.
  private func start(
    _ build: AsyncBuild, in keeper: Keeper, _ cacheFrame: ContextFrame?, by builder: Resolver
  ) {
    let link = makeLink(build)
    // The caller has handed it over.
    let work = Unchecked {
      let outcome: AsyncBuild.Outcome
      do {
        let made = try await construct(link, by: builder)
        // The request may have been cancelled, but those of the factory are recorded below its
        // event.
        if made != nil, let recording { frame?.finish(recording, as: .created) }
        outcome = .success(Unchecked(made))
      } catch {
        outcome = .failure(error)
      }
      keeper.end(build, with: outcome, onRelease: registration.onRelease(in: cacheFrame))
    }
    Task { await work.value() }
  }

  // MARK: Construction

  private func checkCycle() throws {
    if args == nil, let links = AsyncLink.current?.cycle(closedBy: found.subject) {
      throw ResolutionError.cycle(request, through: links, circumstances: [.awaited])
    }
  }

  private func makeLink(_ build: AsyncBuild? = nil) -> AsyncLink {
    AsyncLink(
      request, found.subject, hasArguments: args != nil, event: recording?.number ?? 0,
      build: build)
  }

  private nonisolated(nonsending) func construct(by builder: Resolver) async throws -> Instance? {
    try checkCycle()
    let link = makeLink()
    return try await patiently { try await construct(link, by: builder) }
  }

  /// Runs work in the calling task or, if it is to ignore that this is cancelled, in another.
  private nonisolated(nonsending) func patiently<Result>(
    _ work: nonisolated(nonsending) @escaping () async throws -> Result
  ) async throws -> Result {
    if !asked.ignoresCancellation { return try await work() }
    // The caller waits, so its values are used by one of the two tasks at a time.
    let work = Unchecked(work)
    return try await Task { Unchecked(try await work.value()) }.value.value
  }

  private nonisolated(nonsending) func construct(
    _ link: AsyncLink, by builder: Resolver
  ) async throws -> Instance? {
    try await link.run {
      do {
        let made = try await make(by: builder)
        if let made {
          _ = try registration.runSetters(of: made, builder, args, puttingOffCycles: false)
        }
        return made
      } catch let error as CancellationError {
        throw ResolutionError(.cancelled, request, isUnderWay: true, underlying: error)
      } catch {
        throw Chain.described(error, request, registeredAt: registration.location)
      }
    }
  }

  /// Calls the factory, or resolves what a decoration wraps and decorates that.
  private nonisolated(nonsending) func make(by builder: Resolver) async throws -> Instance? {
    if let decoration = found.decoration, let wrapped = found.next {
      let inner = AsyncRequest(
        request: found.requestForWrapped(request), args: args, container: builder,
        ignoresCancellation: asked.ignoresCancellation)
      wrapped.noteWrapped(inner.request, container: builder, frame)
      return try decoration.apply(try await AsyncResolution(wrapped, inner, frame).run())
    }
    // What was found has to be awaited, or it would be resolved elsewhere.
    return try await found.maker.details.buildAsync!(builder, Unchecked(args)).value
  }
}
