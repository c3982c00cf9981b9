internal import DIPrimitives

// The general path of requests that can wait. Its steps are those of a request without `await`
// (Resolution.swift), in the same order. A sync factory runs on the sync general path:
// here, or on the factory's actor. A request for an async factory differs in how it calls the
// factory and how it waits for a build under way: without blocking a thread (AsyncBuild.swift).
//
// Nothing here is generic: code that knows the service's type takes it out of the `Instance`.

/// A request that can wait.
@usableFromInline
struct AsyncRequest {
  var request: Request
  let args: Any?
  let container: Resolver
  /// The id of a registration to look below; see `Lookup`.
  var below: UInt64?
  /// The registration that serves it, if the caller has found that.
  var known: Found?
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
    if known == nil, below == nil,
      let frame = ContextFrame.refusing(request, container: container)
    {
      return try await ContextFrame.$bound.withValue(frame) { try await resolved() }
    }
    for _ in 0..<Self.maximumRetries {
      let attempt = makeAttempt()
      let making = making(attempt)
      // The service may be registered anew meanwhile, to run elsewhere.
      do {
        if let resolved = try await resolved(attempt, making) { return resolved }
      } catch let error as ResolutionError where isOutdated(making, error) {}
      if Task.isCancelled, !ignoresCancellation {
        throw ResolutionError(.cancelled, request, underlying: CancellationError())
      }
    }
    return try resolvedHere(makeAttempt())
  }

  /// The number of times that a request follows a service which is registered anew while it waits.
  private static var maximumRetries: Int { 100 }

  /// Returns the instance of an attempt, resolved where the factory found for it runs; an outer nil
  /// if it has to be resolved elsewhere.
  private nonisolated(nonsending) func resolved(
    _ attempt: Attempt, _ making: Found?
  ) async throws -> Instance?? {
    switch isolation(attempt, making) {
    case .anywhere:
      switch selfResolving(attempt) {
      case let type as any AsyncSelfResolving.Type: return .some(try await type.instance(for: self))
      case let type as any ServiceModifier.Type: return .some(try await type.instance(for: self))
      default: break
      }
      return .some(try resolvedHere(attempt))
    case .main:
      if MainActor.isCurrent { return .some(try resolvedHere(attempt)) }
      return try await Self.resolvedOnMain(Unchecked(self)).value
    case .task:
      return .some(try await awaited(attempt))
    }
  }

  private func makeAttempt() -> Attempt {
    if let known { return Attempt(known: known) }
    return Attempt(request, container: container, below: below)
  }

  /// Returns the registration that makes the instance of an attempt.
  private func making(_ attempt: Attempt) -> Found? {
    attempt.found?.making(in: container.core, attempt.frame, request.declared)
  }

  private func isolation(_ attempt: Attempt, _ making: Found?) -> Isolation {
    if hasDoubleOnMain(attempt) { return .main }
    return making?.maker.isolation ?? .anywhere
  }

  /// Whether an attempt failed because the target of its alias, or the service that its decoration
  /// wraps, was registered anew once `making` was found.
  private func isOutdated(_ making: Found?, _ error: ResolutionError) -> Bool {
    switch error.reason {
    case .needsMainActor, .needsAwait:
      error.key == request.key
        && self.making(makeAttempt())?.registration !== making?.registration
    default: false
    }
  }

  /// Whether a fallback makes the double on the main actor.
  private func hasDoubleOnMain(_ attempt: Attempt) -> Bool {
    attempt.allowsDouble
      && attempt.frame?.hasDoubleOnMain(attempt.found, request, container: container) ?? false
  }

  /// Returns the type of the request, if that needs no registration and has none.
  private func selfResolving(_ attempt: Attempt) -> Any.Type? {
    guard attempt.found == nil, attempt.allowsDouble, request.property == nil else { return nil }
    return request.type
  }

  fileprivate func request(for wrapped: Any.Type) -> AsyncRequest {
    var content = self
    content.request = Request(wrapped, name: request.name, location: request.location)
    return content
  }

  /// Resolves an attempt on the sync general path.
  private func resolvedHere(_ attempt: Attempt) throws -> Instance? {
    note(attempt)
    return try Resolution.instance(
      for: request, args: args, container: container, attempt: attempt)
  }

  /// Resolves the request on the main actor, in a new attempt: what was found may be replaced, or
  /// be of a layer that is popped.
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
    switch request.isolation(attempt, request.making(attempt)) {
    case .anywhere where attempt.found != nil: break
    case .main: break
    case .anywhere, .task: return Unchecked(nil)
    }
    return Unchecked(.some(try request.resolvedHere(attempt)))
  }

  /// Resolves an attempt for an async factory.
  private nonisolated(nonsending) func awaited(
    _ attempt: Attempt
  ) async throws -> Instance? {
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

/// A type that is resolved without a registration, and whose content may have to be awaited.
protocol AsyncSelfResolving {
  /// Returns the result of a request for the type.
  nonisolated(nonsending) static func instance(for request: AsyncRequest) async throws -> Instance?
}

extension Optional: AsyncSelfResolving {
  /// Resolves the wrapped type: to nil, if nothing is registered.
  nonisolated(nonsending) static func instance(
    for request: AsyncRequest
  ) async throws -> Instance? {
    let service: Wrapped? = try await request.request(for: Wrapped.self).instance()
    return Instance(service)
  }
}

extension ServiceModifier {
  /// Returns the result of a request for the type; nil if its service is not registered.
  nonisolated(nonsending) fileprivate static func instance(
    for request: AsyncRequest
  ) async throws -> Instance? {
    try check(request.request)
    var content = request
    content.request = wanted(by: request.request)
    return try await content.instance(as: Service.self).map { Instance(Self($0)) }
  }
}

extension Found {
  /// Returns the double that replaces a live service, or an inner nil if the request is refused;
  /// nil if the service itself is used.
  ///
  /// Throws if the request comes too late and gets nothing.
  func checkedLive<Service>(
    _ request: Request, container: Resolver, _ frame: ContextFrame?, as type: Service.Type
  ) throws -> Service?? {
    guard let frame, frame.isGuarded else { return nil }
    guard let replaced = try frame.checkLive(self, request, container: container) else {
      return nil
    }
    if let replaced { return .some(replaced.value(as: type)) }
    if frame.endedSandbox != nil, ContextFrame.bound != nil {
      // The declaration of a property is not found by its key.
      let ended = frame.endedSandbox ?? frame
      throw ResolutionError(
        .late(test: ended.opener.name), request, registeredAt: registration.location)
    }
    return .some(nil)
  }
}
