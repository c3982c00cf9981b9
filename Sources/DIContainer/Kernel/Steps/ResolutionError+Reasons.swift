internal import DIPrimitives

// The kernel's errors, as facts, which `Diagnostics` turns into text. The chain is that of the
// calling thread, or else of its task.

extension ResolutionError {
  static var chain: [ChainLink] { ResolutionStack.current }

  /// Creates the error of a request that fails before it begins; the request ends the chain.
  init(
    _ reason: Reason, _ request: Request, registeredAt location: CodeLocation? = nil,
    underlying: (any Error)? = nil, container: Resolver? = nil,
    circumstances: [Circumstance] = []
  ) {
    self.init(
      reason, key: request.key, chain: Self.chain + [request.chainLink], at: request.location,
      registeredAt: location, underlying: underlying, container: container?.core.label,
      circumstances: circumstances)
  }

  /// Returns the error for a decoration with nothing registered below it.
  static func nothingToDecorate(
    _ request: Request, _ decoration: Registration, container: Resolver
  ) -> ResolutionError {
    ResolutionError(
      .notRegistered, request, registeredAt: decoration.location, container: container)
  }

  static func factoryReturnedNil(
    _ request: Request, _ registration: Registration, container: Resolver
  ) -> ResolutionError {
    ResolutionError(
      .factoryReturnedNil, request, registeredAt: registration.location, container: container)
  }

  /// Returns the error of a factory; called while the request is the innermost one.
  static func factoryFailed(
    _ error: any Error, _ request: Request, registeredAt location: CodeLocation? = nil
  ) -> ResolutionError {
    ResolutionError(
      .factoryFailed("\(error)"), key: request.key, chain: chain, at: request.location,
      registeredAt: location, underlying: error)
  }

  static func tooDeep(_ request: Request) -> ResolutionError {
    ResolutionError(.tooDeep, request)
  }

  /// Returns the error for a cycle on the calling thread, closed by a request for what `step`
  /// makes.
  static func cycle(_ request: Request, backTo step: Step) -> ResolutionError {
    cycle(
      request, throughThreads: ResolutionStack.chain(of: di_thread_get()) { $0 == step })
  }

  /// Returns the error for a cycle of resolutions on one or several threads, closed by this
  /// request.
  static func cycle(
    _ request: Request, throughThreads links: [ChainLink], circumstances: [Circumstance] = []
  ) -> ResolutionError {
    ResolutionError(
      .cycle, key: request.key,
      chain: links + [ChainLink(key: links.first?.key ?? request.key, location: request.location)],
      at: request.location, circumstances: circumstances)
  }

  static func leftOut(_ request: Request, _ registration: Registration) -> ResolutionError {
    ResolutionError(
      .other("`\(request.key)` is left out of dry runs."), request,
      registeredAt: registration.location, circumstances: [.leftOut])
  }

  static func late(
    _ request: Request, test: String, _ registration: Registration
  ) -> ResolutionError {
    ResolutionError(.late(test: test), request, registeredAt: registration.location)
  }

  /// Returns the error for an instance that could not be cast to the protocol of its registration.
  static func notImplemented(
    _ type: Any.Type, by service: Any.Type, _ instance: Any, _ request: Request,
    at location: CodeLocation
  ) -> ResolutionError {
    let concrete = Swift.type(of: instance)
    let reason: Reason =
      conformsOnActorOnly(concrete, to: type)
      ? .implementedOnActor(protocol: describe(type), by: describe(concrete))
      : .notImplemented(protocol: describe(type), by: describe(service))
    return ResolutionError(reason, request, registeredAt: location)
  }

  static func argument(_ reason: Reason, _ location: CodeLocation) -> ResolutionError {
    let chain = chain
    return ResolutionError(
      reason, key: chain.last?.key, chain: chain, at: chain.last?.location ?? location,
      registeredAt: location)
  }

  static func containerCycle(
    _ child: String, in container: String, at location: CodeLocation
  ) -> ResolutionError {
    ResolutionError(.containerCycle(child: child), at: location, container: container)
  }

  /// Returns the error as the kernel's own type, the only one that it throws.
  @usableFromInline
  static func known(_ error: any Error) -> ResolutionError {
    error as? ResolutionError
      ?? ResolutionError(
        .factoryFailed("\(error)"), at: CodeLocation(), underlying: error)
  }
}

// MARK: - Errors of factories that keep their isolation

extension ResolutionError {
  static func needsActor(
    _ actor: any Actor, _ request: Request, _ registration: Registration
  ) -> ResolutionError {
    ResolutionError(
      .needsActor(actor.inWords), request, registeredAt: registration.location)
  }

  /// Returns the error for the innermost request under way, whose factory reports it itself.
  static func needsActor(_ actor: any Actor) -> ResolutionError {
    let chain = chain
    return ResolutionError(
      .needsActor(actor.inWords), key: chain.last?.key, chain: chain,
      at: chain.last?.location ?? CodeLocation())
  }

  /// Returns the error for properties that are set on the main actor while the factory runs
  /// elsewhere.
  static func setsPropertiesOnMain() -> ResolutionError {
    needsActor(MainActor.shared).adding([.setsPropertiesOnMain])
  }

  /// Returns the error for a fallback's double of the main actor that was requested elsewhere.
  static func fallbackNeedsMain(_ request: Request) -> ResolutionError {
    ResolutionError(
      .other(
        "The fallback makes its double of `\(request.key)` on the main actor, and was requested "
          + "from elsewhere without `await`."), request, circumstances: [.fallbackOnMain])
  }

  static func needsAwait(_ request: Request, _ registration: Registration) -> ResolutionError {
    ResolutionError(.needsAwait, request, registeredAt: registration.location)
  }

  static func leavesActor(
    _ actor: any Actor, _ request: Request, _ registration: Registration
  ) -> ResolutionError {
    ResolutionError(
      .leavesActor(actor.inWords), request, registeredAt: registration.location)
  }

  static func cancelled(_ request: Request) -> ResolutionError {
    ResolutionError(.cancelled, request, underlying: CancellationError())
  }

  /// Returns the error for the innermost request under way, whose factory was cancelled.
  static func cancelled(_ request: Request, by error: CancellationError) -> ResolutionError {
    ResolutionError(
      .cancelled, key: request.key, chain: chain, at: request.location, underlying: error)
  }

  /// Returns the error for a cycle of async builds, in one task or in several that wait for each
  /// other.
  static func cycle(_ request: Request, throughTasks links: [ChainLink]) -> ResolutionError {
    cycle(request, throughThreads: links, circumstances: [.awaited])
  }

  /// Returns the error for a cycle that a request without `await` closes among the dependencies of
  /// an async service; nil if that is not being built on behalf of this thread.
  static func cycleThroughAwait(
    _ request: Request, _ registration: Registration
  ) -> ResolutionError? {
    let thread = di_thread_get()
    let running = di_running(registration.id, false)
    var step = di_steps(thread)
    while let inner = step, inner.pointee.running != running { step = inner.pointee.parent }
    guard let step else { return nil }
    return cycle(
      request, throughThreads: ResolutionStack.chain(of: thread) { $0 == step },
      circumstances: [.awaited])
  }
}

/// Prints the diagnosis and ends the process, after reporting it to the running test, if any.
@usableFromInline
package func trap(_ error: any Error) -> Never {
  let error = ResolutionError.known(error)
  TrapGuard.abandon(error, endBuilds: ResolutionStack.endBuilds)
  let text = "\(error.adding([.fatal]))"
  ContextFrame.report(DiagnosticIssue(text: text, severity: .error, location: error.requestedAt))
  fatalError(text, file: error.requestedAt.fileIDText, line: error.requestedAt.line)
}
