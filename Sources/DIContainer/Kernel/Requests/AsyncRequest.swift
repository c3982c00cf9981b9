internal import DIPrimitives

// The general path of requests that can wait. Its steps are those of a request without `await`
// (Resolution.swift), in the same order. A sync factory runs on the sync general path:
// here, or on the factory's actor. A request for an async factory differs in how it calls the
// factory and how it waits for a build under way: without blocking a thread (AsyncBuild.swift).
//
// Nothing here is generic: instances are passed in boxes, and code that knows the service's type
// takes them out.

/// A request that can wait.
@usableFromInline
struct AsyncRequest {
  /// The actors on which the instance may be used.
  @usableFromInline
  enum CallerIsolation {
    case any
    /// The service is not Sendable, so it stays on the caller's actor, or on none.
    case only((any Actor)?)
  }

  var request: Request
  let args: Any?
  let container: Resolver
  /// The id of a registration to look below; see `Lookup`.
  var below: UInt64?
  /// The registration that serves it, if the caller has found that.
  var known: Found?
  /// Whether it ignores that its task is cancelled.
  var ignoresCancellation = false
  var isolation = CallerIsolation.any

  /// Returns the instance, or nil when nothing is registered or the factory returned nil.
  nonisolated(nonsending) func instance<Service>(
    as type: Service.Type = Service.self
  ) async throws -> Service? {
    try await box().flatMap { $0.load(as: type) }
  }

  /// Returns the instance in a box, resolved where its factory runs.
  nonisolated(nonsending) func box() async throws -> AnyBox? {
    Startup.runIfNeeded()
    while true {
      let attempt = makeAttempt()
      switch isolation(attempt) {
      case .anywhere:
        if let optional = unregisteredOptional(attempt) {
          // An optional always resolves: to nil, if nothing is registered.
          return optional.box(try await request(for: optional.wrapped).box())
        }
        return try boxHere(attempt)
      case .actor(let actor):
        try checkCaller(attempt, leaving: actor)
        if actor.isCurrent { return try boxHere(attempt) }
        if let box = try await Self.box(of: Unchecked(self), on: actor).value { return box }
      // Otherwise it was registered anew, to run elsewhere, while the request waited for the actor.
      case .task:
        return try await awaitedBox(attempt)
      }
    }
  }

  private func makeAttempt() -> Attempt {
    if let known { return Attempt(known: known) }
    return Attempt(request, container: container, below: below)
  }

  /// Returns the isolation in which an attempt is resolved.
  private func isolation(_ attempt: Attempt) -> Isolation {
    if hasDoubleOnMain(attempt) { return .actor(MainActor.shared) }
    return attempt.found?.isolation(
      container: container, attempt.frame, request.declared) ?? .anywhere
  }

  /// Whether a fallback makes the double on the main actor.
  private func hasDoubleOnMain(_ attempt: Attempt) -> Bool {
    attempt.allowsDouble
      && attempt.frame?.hasDoubleOnMain(attempt.found, request, container: container) ?? false
  }

  private func checkCaller(
    _ attempt: Attempt, leaving actor: any Actor
  ) throws(ResolutionError) {
    guard case .only(let isolation) = isolation, isolation !== actor else { return }
    guard let found = attempt.found, !hasDoubleOnMain(attempt) else {
      throw .fallbackNeedsMain(request)
    }
    throw .leavesActor(actor, request, found.registration)
  }

  private func unregisteredOptional(_ attempt: Attempt) -> (any OptionalType.Type)? {
    guard attempt.found == nil, attempt.allowsDouble, request.declared == nil else { return nil }
    return request.type as? any OptionalType.Type
  }

  private func request(for wrapped: Any.Type) -> AsyncRequest {
    var content = self
    content.request = Request(
      wrapped, name: request.name, property: request.property, location: request.location)
    return content
  }

  /// Resolves an attempt on the sync general path.
  private func boxHere(_ attempt: Attempt) throws -> AnyBox? {
    note(attempt)
    return try AnyBox.strong(of: request.type) { memory in
      try withUnsafePointer(to: request) { request in
        try withAddress(of: args) {
          try Resolution.deliver(
            request, args: $0, container: container, attempt: attempt, to: memory)
        }
      }
    }
  }

  /// Resolves the request on an actor, in a new attempt: what was found may be replaced, or be of a
  /// layer that is popped.
  ///
  /// Returns nil if it has to be resolved elsewhere: by what was registered meanwhile, or because
  /// the double that a fallback made on the main actor is of another type.
  private static func box(
    of request: Unchecked<Self>, on actor: isolated any Actor
  ) async throws -> Unchecked<AnyBox??> {
    // The caller waits, so its values are used by one of the two actors at a time.
    let request = request.value
    let attempt = request.makeAttempt()
    switch request.isolation(attempt) {
    case .anywhere where attempt.found != nil: break
    case .actor(let own) where own === actor: break
    case .anywhere, .actor, .task: return Unchecked(nil)
    }
    return Unchecked(.some(try request.boxHere(attempt)))
  }

  /// Resolves an attempt for an async factory.
  private nonisolated(nonsending) func awaitedBox(_ attempt: Attempt) async throws -> AnyBox? {
    note(attempt)
    if let replaced = try attempt.checkLive(request, container: container) { return replaced }
    return try await AsyncResolution(self, attempt).run()
  }

  /// Notes a request with a missing or ended frame.
  private func note(_ attempt: Attempt) {
    guard attempt.allowsDouble else { return }
    _ = ContextFrame.frame(for: request, container: container)
  }
}

extension Attempt {
  /// Returns a box with the double that replaces a live service.
  ///
  /// Nil if what was found is to be resolved; an inner nil if work that is too late gets nothing.
  fileprivate func checkLive(
    _ request: Request, container: Resolver
  ) throws -> AnyBox?? {
    var outcome: Outcome?
    let box = try AnyBox.strong(of: request.type) { memory in
      outcome = try checkLive(request, container: container, to: memory)
      return outcome == .created
    }
    return outcome == nil ? nil : .some(box)
  }
}

extension Found {
  /// Returns the double that replaces a live service, or nil if the service itself is used.
  ///
  /// Throws if the request comes too late and gets nothing.
  func fallbackDouble<Service>(
    _ request: Request, container: Resolver, _ frame: ContextFrame?
  ) throws -> Service? {
    guard let frame, frame.isGuarded else { return nil }
    var outcome: Outcome?
    let double: Service? = try Resolution.withMemory(request, nil) { _, _, out in
      outcome = try frame.checkLive(self, request, container: container, to: out)
      return outcome == .created
    }
    // Refused only because it is late: the declaration of a property is not found by its key.
    if outcome == .missed {
      throw ResolutionError.late(
        request, test: frame.endedSandbox?.opener.name ?? frame.opener.name, registration)
    }
    return double
  }
}
