internal import DIPrimitives

// The kernel's errors. The chain is read from the calling thread's resolutions.

extension ResolutionError {
  static var chain: [ChainLink] { ResolutionStack.current }

  /// Creates the error of a request that fails before it begins; the request ends the chain.
  init(
    _ reason: Reason, _ request: Request, registeredAt location: CodeLocation? = nil,
    underlying: (any Error)? = nil, asked: Resolver? = nil, nearMisses: [NearMiss] = [],
    notes: [String] = [], fixes: [String] = []
  ) {
    self.init(
      reason, key: request.key, chain: Self.chain + [request.chainLink], at: request.location,
      registeredAt: location, underlying: underlying, container: asked?.core.label,
      nearMisses: nearMisses, notes: notes, fixes: fixes)
  }

  static func notRegistered(_ request: Request, asked: Resolver) -> ResolutionError {
    let advice = Tests.delegate?.advice(onMissing: request, asked: asked)
    let start = StartupModule(missing: request, asked: asked)
    let fixes = [DefaultArguments.fix(request, asked: asked), start?.fix]
    return ResolutionError(
      .notRegistered, request, asked: asked,
      nearMisses: NearMiss.find(for: request.key, asked: asked),
      notes: (advice?.notes ?? []) + (start.map { [$0.note] } ?? []),
      fixes: (advice?.fixes ?? []) + fixes.compactMap(\.self))
  }

  /// Returns the error for a decoration with nothing registered below it.
  static func nothingToDecorate(
    _ request: Request, _ decoration: Registration, asked: Resolver
  ) -> ResolutionError {
    ResolutionError(.notRegistered, request, registeredAt: decoration.location, asked: asked)
  }

  static func factoryReturnedNil(
    _ request: Request, _ registration: Registration, asked: Resolver
  ) -> ResolutionError {
    ResolutionError(.factoryReturnedNil, request, registeredAt: registration.location, asked: asked)
  }

  /// Returns the error of a factory; called while the request is the innermost on its thread.
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
  static func cycle(
    _ request: Request, backTo step: UnsafeMutablePointer<di_step>
  ) -> ResolutionError {
    cycle(
      request, throughThreads: ResolutionStack.chain(of: di_thread_get()) { $0 == step })
  }

  /// Returns the error for a cycle of resolutions on one or several threads, closed by this
  /// request.
  static func cycle(
    _ request: Request, throughThreads links: [ChainLink], fixes: [String] = []
  ) -> ResolutionError {
    ResolutionError(
      .cycle, key: request.key,
      chain: links + [ChainLink(key: links.first?.key ?? request.key, location: request.location)],
      at: request.location, fixes: fixes)
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

  /// An error that is never shown: requests of start-up code do not wait.
  static var startupUnderWay: ResolutionError {
    ResolutionError(.other("start-up is under way"), at: CodeLocation())
  }

  /// Returns the error as the kernel's own type, the only one that it throws.
  @usableFromInline
  static func known(_ error: any Error) -> ResolutionError {
    error as? ResolutionError
      ?? ResolutionError(
        .factoryFailed("\(error)"), at: CodeLocation(), underlying: error)
  }
}

/// Prints the diagnosis and ends the process, after reporting it to the running test, if any.
@usableFromInline
func trap(_ error: any Error) -> Never {
  let error = ResolutionError.known(error)
  TrapGuard.abandon(error)
  let text = DiagnosisFormatter.text(for: error, isTrap: true)
  ContextFrame.report(DiagnosticIssue(text: text, severity: .error, location: error.requestedAt))
  fatalError(text, file: error.requestedAt.fileIDText, line: error.requestedAt.line)
}
