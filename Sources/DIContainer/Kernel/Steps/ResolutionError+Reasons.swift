// The kernel's errors, as facts, which `Diagnostics` turns into text. The chain is that of the
// calling thread, or else of its task.

extension ResolutionError {
  static var chain: [ChainLink] { Chain.currentLinks }

  /// Creates the error of a request, which ends the chain.
  ///
  /// `isUnderWay`: whether the request is the innermost one already; otherwise it fails before it
  /// begins.
  init(
    _ reason: Reason, _ request: Request, isUnderWay: Bool = false,
    registeredAt location: CodeLocation? = nil, underlying: (any Error)? = nil,
    container: Resolver? = nil, circumstances: [Circumstance] = []
  ) {
    self.init(
      reason, key: request.key, chain: Self.chain + (isUnderWay ? [] : [request.chainLink]),
      at: request.location, registeredAt: location, underlying: underlying,
      container: container?.core.label, circumstances: circumstances)
  }

  /// Returns the error for a cycle of resolutions, on threads or in tasks, closed by this request.
  static func cycle(
    _ request: Request, through links: [ChainLink], circumstances: [Circumstance] = []
  ) -> ResolutionError {
    ResolutionError(
      .cycle, key: request.key,
      chain: links + [ChainLink(key: links.first?.key ?? request.key, location: request.location)],
      at: request.location, circumstances: circumstances)
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

  /// Creates the error of the innermost request under way, which its factory reports.
  init(_ reason: Reason, readAt location: CodeLocation?) {
    let chain = Self.chain
    self.init(
      reason, key: chain.last?.key, chain: chain,
      at: chain.last?.location ?? location ?? CodeLocation(), registeredAt: location)
  }

  /// Returns the error as the kernel's own type, the only one that it throws.
  @usableFromInline
  static func known(_ error: any Error) -> ResolutionError {
    error as? ResolutionError
      ?? ResolutionError(
        .factoryFailed("\(error)"), at: CodeLocation(), underlying: error)
  }
}

extension Registration {
  /// Returns what the factory did, if it failed itself; nil if something that it requested did.
  ///
  /// `error`: the error of the request; nil if the factory returned nil.
  func failure(_ error: (any Error)?) -> String? {
    guard let error else { return "returned nil" }
    let known = ResolutionError.known(error)
    guard case .factoryFailed(let text) = known.reason, known.registeredAt ?? location == location
    else { return nil }
    return "threw " + text.prefix { !$0.isNewline }
  }
}

// MARK: - Errors of factories that keep their isolation

extension ResolutionError {
  /// The error of a factory of the main actor that was called elsewhere.
  static var needsMain: ResolutionError {
    ResolutionError(.needsMainActor, readAt: nil)
  }

  /// Returns the error for a fallback's double of the main actor that was requested elsewhere.
  static func fallbackNeedsMain(_ request: Request) -> ResolutionError {
    ResolutionError(
      .other(
        "The fallback makes its double of `\(request.key)` on the main actor, and was requested "
          + "from elsewhere without `await`."), request, circumstances: [.fallbackOnMain])
  }

  /// Returns the error for a cycle that a request without `await` closes among the dependencies of
  /// an async service; nil if that is not being built on behalf of this thread.
  static func cycleThroughAwait(
    _ request: Request, _ registration: Registration
  ) -> ResolutionError? {
    let chain = Chain.current
    guard let index = chain.index(of: registration.subject) else { return nil }
    return cycle(request, through: chain.links(from: index), circumstances: [.awaited])
  }
}

/// Prints the diagnosis and ends the process, after reporting it to the running test, if any.
@usableFromInline
package func trap(_ error: any Error) -> Never {
  let error = LazyOrigin.noted(in: .known(error))
  TrapGuard.abandon(error, endBuilds: Chain.current.endBuilds)
  var text = "\(error.adding([.fatal]))"
  if let frame = ContextFrame.current {
    if case .boundary = error.reason {
      // The test was told of the refusal, with all of this.
      text = String(text.prefix { $0 != "\n" })
    } else {
      frame.report(DiagnosticIssue(text: text, severity: .error, location: error.requestedAt))
    }
  }
  fatalError(text, file: error.requestedAt.fileIDText, line: error.requestedAt.line)
}
