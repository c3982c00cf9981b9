internal import DIPrimitives

// How the kernel makes errors. The chain is read off the calling thread's resolutions.

extension ResolutionError {
  static var chain: [ChainLink] {
    ResolutionStack.isEmpty ? AsyncLink.chain : ResolutionStack.current
  }

  static func notRegistered(_ request: Request, asked: Resolver) -> ResolutionError {
    let key = request.key
    let chain = chain
    let loss = asked.core.loss(of: key)
    return ResolutionError(
      .notRegistered, key: key,
      chain: chain + [ChainLink(key: key, location: request.location)],
      at: request.location, container: asked.core.label,
      nearMisses: NearMiss.find(for: key, asked: asked), notes: loss?.notes ?? [],
      fixes: loss == nil ? [] : [SandboxLoss.fix])
  }

  /// Nothing is registered below what is to be decorated.
  static func nothingToDecorate(
    _ request: Request, _ decoration: Registration, asked: Resolver
  ) -> ResolutionError {
    ResolutionError(
      .notRegistered, key: request.key,
      chain: chain + [ChainLink(key: request.key, location: request.location)],
      at: request.location, registeredAt: decoration.location, container: asked.core.label)
  }

  static func factoryReturnedNil(
    _ request: Request, _ registration: Registration, asked: Resolver
  ) -> ResolutionError {
    ResolutionError(
      .factoryReturnedNil, key: request.key,
      chain: chain + [ChainLink(key: request.key, location: request.location)],
      at: request.location, registeredAt: registration.location, container: asked.core.label)
  }

  /// Called while the request is the innermost on its thread.
  static func factoryFailed(
    _ error: any Error, _ request: Request, registeredAt location: CodeLocation? = nil
  ) -> ResolutionError {
    ResolutionError(
      .factoryFailed("\(error)"), key: request.key, chain: chain, at: request.location,
      registeredAt: location, underlying: error)
  }

  static func tooDeep(_ request: Request) -> ResolutionError {
    ResolutionError(
      .tooDeep, key: request.key,
      chain: chain + [ChainLink(key: request.key, location: request.location)],
      at: request.location)
  }

  /// A cycle on one thread, which closes with a link that leads back to `registration`.
  static func cycle(
    _ request: Request, backTo frame: UnsafeMutablePointer<di_frame>
  ) -> ResolutionError {
    cycle(request, links: ResolutionStack.chain(of: di_thread_get(), fromFrame: frame))
  }

  /// A cycle that several threads' resolutions form together.
  static func cycle(_ request: Request, throughThreads links: [ChainLink]) -> ResolutionError {
    cycle(request, links: links)
  }

  private static func cycle(_ request: Request, links: [ChainLink]) -> ResolutionError {
    ResolutionError(
      .cycle, key: request.key,
      chain: links + [ChainLink(key: links.first?.key ?? request.key, location: request.location)],
      at: request.location)
  }

  static func late(
    _ request: Request, test: String, _ registration: Registration
  ) -> ResolutionError {
    ResolutionError(
      .late(test: test), key: request.key,
      chain: chain + [ChainLink(key: request.key, location: request.location)],
      at: request.location, registeredAt: registration.location)
  }

  static func notImplemented(
    _ type: String, by service: String, _ request: Request, at location: CodeLocation
  ) -> ResolutionError {
    ResolutionError(
      .notImplemented(protocol: type, by: service), key: request.key,
      chain: chain + [ChainLink(key: request.key, location: request.location)],
      at: request.location, registeredAt: location)
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

  /// Never shown: start-up code that asks for something is let through.
  static var startupUnderWay: ResolutionError {
    ResolutionError(.other("start-up is under way"), at: CodeLocation())
  }

  /// The error as the kernel's own type; it throws no other.
  @usableFromInline
  static func known(_ error: any Error) -> ResolutionError {
    error as? ResolutionError
      ?? ResolutionError(
        .factoryFailed("\(error)"), at: CodeLocation(), underlying: error)
  }
}

/// Prints the diagnosis and ends the process, having told the running test if there is one.
@usableFromInline
package func trap(_ error: any Error) -> Never {
  let error = ResolutionError.known(error)
  Errand.giveUp(error)
  let text = error.description
  ContextFrame.report(DiagnosticIssue(text: text, severity: .error, location: error.requestedAt))
  fatalError(text, file: error.requestedAt.fileIDText, line: error.requestedAt.line)
}

extension SandboxLoss {
  /// What a diagnosis says about it.
  var notes: [String] {
    ["a sandbox registered it, for itself alone: \(location)", "that sandbox: \(sandbox)"]
  }

  static let fix =
    "Set up what production needs in `Resolver { r in … }` (`init(configure:)`), in `autoRegister` "
    + "or in `registerAllServices`: that stays, also where a test makes the container."
}
