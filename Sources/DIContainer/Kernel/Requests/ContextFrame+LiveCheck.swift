// The check of what was found for a request, in a frame with policies or in one that has ended:
// whether a fallback's double replaces it, whether it is behind a boundary that the test refuses,
// and whether late work gets it at all.

/// The outcome of the check of a request.
enum LiveCheck {
  /// What was found is to be resolved.
  case passed
  /// The request gets a fallback's double, or nothing.
  case replaced(Instance?)
}

extension ContextFrame {
  /// Checks the registration found for a request.
  ///
  /// Doubles pass, unless they wrap what is behind a refused boundary. For live services, and if
  /// nothing is registered, a fallback may have a double; otherwise late work of sandboxes that
  /// have ended gets nothing. Throws if the double belongs to the main actor, and the caller runs
  /// elsewhere.
  func checkLive(_ found: Found?, _ request: Request, container: Resolver) throws -> LiveCheck {
    let tests = Tests.findDelegate()
    let live = Live(found, request, container: container, self)
    if let live {
      let double = tests?.fallback(for: request, of: live.core, in: self)
      if let double = try instance(of: double, request, container: container) {
        return .replaced(double)
      }
      if live.found == nil { return .passed }
      // Work without a context was served by the scope while that was open, so it is not late.
      if endedSandbox != nil, ContextFrame.bound != nil {
        recordMiss(request, in: container.core)
        return .replaced(nil)
      }
    }
    if let found, let boundary = found.refusedBoundary(self) {
      found.registration.noteResolved()
      let double = tests?.refuse(
        request, for: boundary.registration, of: boundary.owner, in: self)
      if let double = try instance(of: double, request, container: container) {
        return .replaced(double)
      }
      recordMiss(request, in: container.core)
      return .replaced(nil)
    }
    if let found = live?.found {
      tests?.note(
        .live(found.registration, of: found.owner, request, isWrapped: false, in: self))
    }
    return .passed
  }

  /// Returns nil as the result of a request that was refused, or throws if it came too late.
  func refused<Service>(
    _ request: Request, registeredAt location: CodeLocation
  ) throws -> Service? {
    guard let ended = endedSandbox, ContextFrame.bound != nil else { return nil }
    throw ResolutionError(.late(test: ended.opener.name), request, registeredAt: location)
  }

  /// Returns a fallback's double, if there is one.
  private func instance(
    of double: FallbackDouble?, _ request: Request, container: Resolver
  ) throws -> Instance? {
    switch double {
    case nil:
      return nil
    case .double(let double, let isNew):
      recordFallback(request, in: container.core, isNew: isNew)
      return Instance(double, as: request.type)
    case .onMainOnly:
      recordMiss(request, in: container.core)
      throw ResolutionError.fallbackNeedsMain(request)
    }
  }

  /// Whether a fallback has a double for a request, which belongs to the main actor.
  func hasDoubleOnMain(_ found: Found?, _ request: Request, container: Resolver) -> Bool {
    guard isGuarded, let live = Live(found, request, container: container, self) else {
      return false
    }
    return Tests.findDelegate()?.fallbackNeedsMain(request.key, of: live.core, in: self) ?? false
  }

  /// A live service or nothing, found for a request, where a double may be wanted.
  private struct Live {
    let found: Found?
    /// The container whose service it is.
    let core: ContainerCore

    init?(_ found: Found?, _ request: Request, container: Resolver, _ frame: ContextFrame) {
      self.found = found.flatMap { $0.standsForNothing ? nil : $0 }
      if let found = self.found, found.target.isDouble { return nil }
      // A wrapper is returned in any case, and requests its service itself.
      if self.found == nil, request.type is any RequestWrapper.Type { return nil }
      core = self.found?.owner ?? container.core
    }
  }
}
