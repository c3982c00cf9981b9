/// A request that can wait, with the registration found for it.
struct AsyncRequest {
  let request: Request
  let args: Any?
  let asked: Resolver
  /// Whether it ignores that its task is cancelled.
  let isPatient: Bool
  var found: Found
  let frame: ContextFrame?
  /// The event that records it, if there is a recorder.
  var recording: RecordedRequest?
}

/// The resolution of one request by a registration with an async factory.
///
/// The counterpart of `Resolution`, with the same steps in the same order.
struct AsyncProduce {
  let request: AsyncRequest
  private var registration: Registration { request.found.registration }

  typealias Made = (box: AnyBox?, wasCreated: Bool)

  init(request: AsyncRequest) { self.request = request }

  nonisolated(nonsending) func run() async throws -> Made {
    registration.noteResolved()
    if let alias = registration.alias { return try await follow(alias) }
    let asked = request.asked
    switch registration.scope.kind {
    case .unique:
      return (try await construct(), true)
    case .graph:
      return try await shared()
    case .kept, .weak, .site, .siteWeak:
      return try await kept(request.found.slot!, asked: asked)
    case .containerAsked:
      let base = request.found.slot!
      let isOwner = asked.core === request.found.owner && !request.found.ownHome.isUnder
      return try await kept(isOwner ? base : asked.core.keeper(for: base), asked: asked)
    case .owner, .ownerWeak:
      let owner = request.found.ownHome.isUnder ? nil : request.found.owner.resolver
      return try await kept(request.found.slot!, asked: owner ?? asked)
    }
  }

  private nonisolated(nonsending) func follow(_ alias: Alias) async throws -> Made {
    let (asked, frame) = (request.asked, request.frame)
    guard let found = Lookup.find(alias.key, in: asked.core, frame)?.wrapping(asked: asked, frame)
    else { return (nil, false) }
    var order = request
    order.found = found
    let made = try await AsyncProduce(request: order).run()
    return (try made.box.flatMap { try alias.convert($0, request.request) }, made.wasCreated)
  }

  // MARK: Construction

  private func makeLink(_ cycle: AsyncCycle, build: UInt64? = nil) -> AsyncLink {
    AsyncLink(
      parent: AsyncLink.current, cycle: cycle, registration: registration.id,
      hasArguments: request.args != nil, event: request.recording?.number ?? 0, build: build,
      request: request.request)
  }

  private func checkCircle() throws {
    if request.args == nil,
      let links = AsyncLink.current?.circle(closedBy: registration.id)
    {
      throw ResolutionError.cycle(request.request, throughTasks: links)
    }
  }

  /// Returns a new instance, made in the calling task, or in another if it must not be cancelled.
  private nonisolated(nonsending) func construct() async throws -> AnyBox? {
    try checkCircle()
    let link = makeLink(AsyncLink.current?.cycle ?? AsyncCycle())
    if !request.isPatient { return try await construct(link, asked: request.asked) }
    // The caller waits, so its values are used by one of the two tasks at a time.
    let body = Unchecked { () async throws -> AnyBox? in
      try await construct(link, asked: request.asked)
    }
    let task = Task { Unchecked(try await body.value()) }
    return try await task.value.value
  }

  private nonisolated(nonsending) func construct(
    _ link: AsyncLink, asked: Resolver
  ) async throws -> AnyBox? {
    try await link.run {
      do {
        guard let make = request.found.recipe.details.makeAsync else {
          throw ResolutionError.needsAwait(request.request, registration)
        }
        let box = try await make(asked, Unchecked(request.args)).value
        return registration.setsProperties ? try box.flatMap { try setProperties($0, asked) } : box
      } catch let error as ResolutionError {
        throw error
      } catch let error as CancellationError {
        throw ResolutionError.cancelled(request.request, by: error)
      } catch {
        throw ResolutionError.factoryFailed(
          error, request.request, registeredAt: registration.location)
      }
    }
  }

  /// Returns the instance in a box, which may be a value, with its properties set.
  private func setProperties(_ box: AnyBox, _ asked: Resolver) throws -> AnyBox? {
    try AnyBox.strong(of: registration.key.type) { memory in
      guard box.copy(to: memory) else { return false }
      _ = try withAddress(of: request.args) {
        try registration.setProperties(of: memory, asked, $0, puttingOffCircles: false)
      }
      return true
    }
  }

  // MARK: Shared and kept instances

  private nonisolated(nonsending) func shared() async throws -> Made {
    // The outermost instance of a cycle has none to share with.
    guard let cycle = AsyncLink.current?.cycle else { return (try await construct(), true) }
    let caches = request.frame?.cacheFrame(for: registration.scope)
    let key = AsyncCycle.Key(
      registration: registration.id, caches: caches.map { Unmanaged.passUnretained($0).toOpaque() })
    return try await built(
      .shared(ObjectIdentifier(cycle), key), asked: request.asked,
      present: { cycle.find(key) }, turn: { 0 }
    ) { box, _ in
      registration.withCopy(of: box) { memory in
        if registration.shares(memory) { cycle.add(box, key, in: caches) }
      }
    }
  }

  private nonisolated(nonsending) func kept(
    _ base: Keeper, asked: Resolver
  ) async throws -> Made {
    let caches = request.frame?.cacheFrame(for: registration.scope)
    let keeper = caches?.slot(for: base) ?? base
    request.found.property?.forgetExpired(keeper)
    return try await built(
      .kept(ObjectIdentifier(keeper)), asked: asked, present: { keeper.strongBox },
      turn: { keeper.forgettings }
    ) { box, turn in
      keeper.keep(box, unlessForgottenSince: turn, onRelease: registration.onRelease(in: caches)) {
        ResolutionError.cycle(request.request, throughTasks: $0)
      }
    } started: {
      // From now on a reset of the scope reaches the keeper and the build.
      keeper.joinScope()
    }
  }

  /// Joins the build of an instance that concurrent requests share, or starts it.
  private nonisolated(nonsending) func built(
    _ key: AsyncBuilds.Key, asked: Resolver, present: () -> AnyBox?, turn: () -> Int,
    keep: @escaping (AnyBox, Int) -> Void, started: () -> Void = {}
  ) async throws -> Made {
    if let box = present() { return (box, false) }
    try checkCircle()
    started()
    let place = AsyncBuilds.join(
      key, asker: AsyncLink.current?.innermostBuild,
      cancelsWithLastWaiter: registration.recipe.details.cancelsWithLastWaiter,
      present: present, turn: turn)
    switch place {
    case .present(let box):
      return (box, false)
    case .circle(let links):
      throw ResolutionError.cycle(request.request, throughTasks: links)
    case .waiting(let ticket, let isFirst):
      if isFirst { start(ticket.build, asked: asked, keep) }
      switch await AsyncBuilds.wait(ticket, isPatient: request.isPatient) {
      case .built(let box):
        return (box, isFirst)
      case .failed(let error):
        throw error
      case .cancelled:
        throw ResolutionError.cancelled(request.request)
      }
    }
  }

  /// Starts a build in a task of its own, which inherits the context of the first request.
  private func start(
    _ id: UInt64, asked: Resolver, _ keep: @escaping (AnyBox, Int) -> Void
  ) {
    let link = makeLink(AsyncLink.current?.cycle ?? AsyncCycle(), build: id)
    let build = Unchecked { () async -> AsyncBuilds.Outcome in
      do {
        let box = try await construct(link, asked: asked)
        if let box, let turn = AsyncBuilds.beginKeeping(id) {
          keep(box, turn)
          // The requests may have been cancelled, but those of the factory are recorded below this
          // event.
          if let recording = request.recording { request.frame?.finish(recording, as: .created) }
        }
        return .built(box)
      } catch {
        return .failed(error)
      }
    }
    AsyncBuilds.start(id, Task { AsyncBuilds.end(id, await build.value()) })
  }
}
