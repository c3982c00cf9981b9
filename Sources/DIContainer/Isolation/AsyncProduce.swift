internal import DIPrimitives

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

  /// The number of that event, or 0.
  fileprivate var event: UInt64 { recording?.number ?? 0 }
}

/// The resolution of one request by a registration with an async factory.
///
/// The counterpart of `Produce`, with the same steps in the same order.
struct AsyncProduce<Service> {
  let registration: Registration
  let request: AsyncRequest

  typealias Made = (service: Service?, wasCreated: Bool)

  nonisolated(nonsending) func run() async throws -> Made {
    registration.noteResolved()
    if let target = registration.aliasTarget { return try await follow(target) }
    switch registration.scope.kind {
    case .unique:
      return (try await construct(), true)
    case .graph:
      return try await shared()
    case .kept, .weak, .site, .siteWeak:
      return try await kept(registration.slot!, asked: request.asked)
    case .containerAsked:
      let base = registration.slot!
      let asked = request.asked.core
      return try await kept(
        asked === request.found.owner && !registration.home.isUnder
          ? base : asked.askedSlot(for: base), asked: request.asked)
    case .owner, .ownerWeak:
      let owner = registration.home.isUnder ? nil : request.found.owner.resolver
      return try await kept(registration.slot!, asked: owner ?? request.asked)
    }
  }

  private nonisolated(nonsending) func follow(_ target: ServiceKey) async throws -> Made {
    let (asked, frame) = (request.asked, request.frame)
    guard
      let found = Lookup.find(target.rawKey, in: asked.core, frame)?
        .wrapping(asked: asked, frame)
    else { return (nil, false) }
    var request = request
    request.found = found
    let made = try await found.registration.produce(request)
    guard let any = made.service?.value else { return (nil, made.wasCreated) }
    guard let service = any as? Service else {
      throw ResolutionError.notImplemented(
        Service.self, by: target.type, any, request.request, at: registration.location)
    }
    return (service, made.wasCreated)
  }

  // MARK: Construction

  private func makeLink(_ cycle: AsyncCycle, flight: UInt64?) throws -> AsyncLink {
    let outer = AsyncLink.current
    if request.args == nil, let links = outer?.circle(closedBy: registration.id) {
      throw ResolutionError.cycle(request.request, throughTasks: links)
    }
    return AsyncLink(
      parent: outer, cycle: cycle, registration: registration.id,
      hasArguments: request.args != nil, event: request.event, flight: flight,
      request: request.request)
  }

  /// Returns a new instance, made in the calling task, or in another if it must not be cancelled.
  private nonisolated(nonsending) func construct() async throws -> Service? {
    let link = try makeLink(AsyncLink.current?.cycle ?? AsyncCycle(), flight: nil)
    if !request.isPatient { return try await construct(link, asked: request.asked) }
    return try await inTask { try await construct(link, asked: request.asked) }
  }

  private nonisolated(nonsending) func inTask(
    _ body: @escaping () async throws -> Service?
  ) async throws -> Service? {
    // The caller waits, so its values are used by one of the two tasks at a time.
    let body = Unchecked(body)
    let task = Task { Unchecked(Carrier(try await body.value())) }
    return try await task.value.value.service
  }

  private nonisolated(nonsending) func construct(
    _ link: AsyncLink, asked: Resolver
  ) async throws -> Service? {
    try await link.run {
      do {
        guard let maker = registration.recipe.details.makeAsync else {
          throw ResolutionError.needsAwait(request.request, registration)
        }
        let make = unsafeDowncast(maker, to: AsyncMaker<Service>.self).make
        guard var service = try await make(asked, Unchecked(request.args)).value else {
          return nil
        }
        if registration.setsProperties { try setProperties(&service, asked) }
        return service
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

  private func setProperties(_ service: inout Service, _ asked: Resolver) throws {
    try withUnsafeMutablePointer(to: &service) { memory in
      func set(_ args: UnsafePointer<Any>?) throws {
        for block in registration.recipe.details.properties {
          try block.set(asked, UnsafeMutableRawPointer(memory), args)
        }
      }
      guard let args = request.args else { return try set(nil) }
      try withUnsafePointer(to: args) { try set($0) }
    }
  }

  // MARK: Shared and kept instances

  private nonisolated(nonsending) func shared() async throws -> Made {
    // The outermost instance of a cycle has none to share with.
    guard let outer = AsyncLink.current else { return (try await construct(), true) }
    let cycle = outer.cycle
    let caches = request.frame?.cacheFrame(for: registration.scope)
    let key = AsyncCycle.Key(
      registration: registration.id, caches: caches.map { Unmanaged.passUnretained($0).toOpaque() })
    return try await fly(
      .shared(ObjectIdentifier(cycle), key), asked: request.asked,
      present: { cycle.find(key).map { unsafeDowncast($0, to: Carrier<Service>.self).service } },
      turn: { 0 }
    ) { service, _ in
      guard registration.options.sharesValues || classInstance(service) != nil else { return }
      cycle.add(Carrier(service), key, in: caches)
    }
  }

  private nonisolated(nonsending) func kept(
    _ base: Keeper, asked: Resolver
  ) async throws -> Made {
    let caches = request.frame?.cacheFrame(for: registration.scope)
    let slot = caches?.slot(for: base) ?? base
    return try await fly(
      .kept(ObjectIdentifier(slot)), asked: asked, present: { slot.kept() },
      turn: { slot.forgettings }
    ) { service, turn in
      _ = try? slot.value(
        di_thread_get(), onRelease: registration.onRelease(in: caches),
        cycle: { ResolutionError.cycle(request.request, throughTasks: $0) }
      ) { slot.forgettings == turn ? service : nil }
    } started: {
      // From now on a reset of the scope reaches the slot and the build.
      slot.joinScope()
    }
  }

  /// Joins the build of an instance that concurrent requests share, or starts it.
  private nonisolated(nonsending) func fly(
    _ key: Flight.Key, asked: Resolver, present: () -> Service?, turn: () -> Int,
    keep: @escaping (Service, Int) -> Void, started: () -> Void = {}
  ) async throws -> Made {
    if let service = present() { return (service, false) }
    let outer = AsyncLink.current
    if request.args == nil, let links = outer?.circle(closedBy: registration.id) {
      throw ResolutionError.cycle(request.request, throughTasks: links)
    }
    started()
    let place = Flight.join(
      key, asker: outer?.innermostFlight,
      cancelsWithLastWaiter: registration.recipe.details.cancelsWithLastWaiter,
      present: { present().map { Carrier($0) } }, turn: turn)
    switch place {
    case .present(let carrier):
      return (unsafeDowncast(carrier, to: Carrier<Service>.self).service, false)
    case .circle(let links):
      throw ResolutionError.cycle(request.request, throughTasks: links)
    case .waiting(let ticket, let isFirst):
      if isFirst { start(ticket.flight, asked: asked, keep) }
      switch await Flight.wait(ticket, isPatient: request.isPatient) {
      case .built(let carrier):
        return (carrier.map { unsafeDowncast($0, to: Carrier<Service>.self).service }, isFirst)
      case .failed(let error):
        throw error
      case .cancelled:
        throw ResolutionError.cancelled(request.request)
      }
    }
  }

  /// Starts a build in a task of its own, which inherits the context of the first request.
  private func start(
    _ flight: UInt64, asked: Resolver, _ keep: @escaping (Service, Int) -> Void
  ) {
    let link = AsyncLink(
      parent: AsyncLink.current, cycle: AsyncLink.current?.cycle ?? AsyncCycle(),
      registration: registration.id, hasArguments: request.args != nil, event: request.event,
      flight: flight, request: request.request)
    let build = Unchecked { () async -> Flight.Outcome in
      do {
        let service = try await construct(link, asked: asked)
        if let service, let turn = Flight.land(flight) {
          keep(service, turn)
          // The requests may have been cancelled, but those of the factory are recorded below this
          // event.
          if let recording = request.recording { request.frame?.finish(recording, as: .created) }
        }
        return .built(service.map { Carrier($0) })
      } catch {
        return .failed(error)
      }
    }
    Flight.start(flight, Task { Flight.end(flight, await build.value()) })
  }
}
