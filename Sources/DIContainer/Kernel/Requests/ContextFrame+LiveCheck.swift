// The check of what was found for a request, in a frame with policies or in one that has ended:
// whether a fallback's double replaces it, whether it is behind a boundary that the test refuses,
// and whether late work gets it at all.

extension ContextFrame {
  /// Checks the registration found for a request; returns nil if that is to be resolved.
  ///
  /// Doubles pass, unless they wrap what is behind a refused boundary. For live services, and if
  /// nothing is registered, a fallback may put a double into memory; otherwise sandboxes that have
  /// ended return nothing to their late work. Throws if the double belongs to the main actor, and
  /// the caller runs elsewhere.
  func checkLive(
    _ found: Found?, _ request: Request, container: Resolver, to out: InstanceMemory
  ) throws -> Outcome? {
    let tests = Tests.findDelegate()
    let live = Live(found, request, container: container, self)
    if let live {
      let double = tests?.fallback(for: request, of: live.core, in: self)
      if try put(double, request, container: container, to: out) { return .created }
      if live.found == nil { return nil }
      // Work without a context was served by the scope while that was open, so it is not late.
      if endedSandbox != nil, ContextFrame.bound != nil {
        recordMiss(request, in: container.core)
        return .missed
      }
    }
    if let found, let boundary = found.refusedBoundary(of: request, in: container.core, self) {
      found.registration.noteResolved()
      let double = tests?.refuse(
        request, for: boundary.registration, of: boundary.owner, in: self)
      if try put(double, request, container: container, to: out) { return .created }
      recordMiss(request, in: container.core)
      return .missed
    }
    if let found = live?.found {
      tests?.note(
        .live(found.registration, of: found.owner, request, isWrapped: false, in: self))
    }
    return nil
  }

  /// Puts a fallback's double into memory; returns false if there is none.
  private func put(
    _ double: FallbackDouble?, _ request: Request, container: Resolver, to out: InstanceMemory
  ) throws -> Bool {
    switch double {
    case nil:
      return false
    case .double(let double, let isNew):
      out.initialize(to: double, of: request.type)
      recordFallback(request, in: container.core, isNew: isNew)
      return true
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
      self.found = found.flatMap { $0.standsForNothing(in: container.core, frame) ? nil : $0 }
      if let found = self.found, found.isEffectivelyDouble(in: container.core, frame) { return nil }
      // A wrapper is returned in any case, and requests its service itself.
      if self.found == nil, request.type is any RequestWrapper.Type { return nil }
      core = self.found?.owner ?? container.core
    }
  }
}
