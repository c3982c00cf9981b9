// The check of what was found for a request, in a frame with policies or in one that has ended:
// whether a fallback's double replaces it, and whether late work gets it at all.

/// The outcome of the check of a registration that was found.
enum StandIn {
  /// The registration is resolved, if there is one.
  case none
  /// A fallback's double was returned.
  case double
  /// Nothing is returned: it would be a live service, for work that outlived its sandbox.
  case refused
  /// A fallback has a double, which belongs to the main actor; the caller runs elsewhere.
  case onMainOnly
}

extension ContextFrame {
  /// Whether live services need a check before they are returned.
  var isGuarded: Bool { policies != nil || endedScope != nil }

  /// Checks the registration found for a request, and may put a double into memory instead.
  ///
  /// Doubles pass. For live services, and if nothing is registered, a fallback may supply a double;
  /// otherwise sandboxes that have ended refuse: their late work gets nothing.
  func standIn(
    for found: Found?, _ request: UnsafePointer<Request>, container: Resolver,
    to out: UnsafeMutableRawPointer
  ) -> StandIn {
    guard let live = Live(found, request.pointee, container: container, self) else { return .none }
    let tests = Tests.findDelegate()
    switch tests?.copyFallback(for: request.pointee, live.core, in: self, to: out) {
    case nil:
      break
    case .double(let isNew):
      observe { $0.fellBack(request.pointee, in: container.core, isNew: isNew) }
      return .double
    case .onMainOnly:
      observe { $0.missed(request.pointee, in: container.core) }
      return .onMainOnly
    }
    guard let found = live.found else { return .none }
    // Work without a context was served by the scope while that was open, so it is not late.
    if endedSandbox != nil, ContextFrame.bound != nil {
      observe { $0.missed(request.pointee, in: container.core) }
      return .refused
    }
    tests?.noteLive(found.registration, of: found.owner, request.pointee, in: self)
    return .none
  }

  /// Whether a fallback has a double for a request, which belongs to the main actor.
  ///
  /// On the main actor, the double is made: one of another type does not count.
  func hasDoubleOnMain(_ found: Found?, _ request: Request, container: Resolver) -> Bool {
    guard isGuarded, let live = Live(found, request, container: container, self) else {
      return false
    }
    return Tests.findDelegate()?.needsMain(forFallback: request.key, live.core, in: self) ?? false
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
