// The check of what was found for a request, in a frame with policies or in one that has ended:
// whether a fallback's double replaces it, whether it is behind a boundary that the test refuses,
// and whether late work gets it at all.

extension Request {
  /// Whether it is reported, rather than the request that led to it or one that it will lead to.
  ///
  /// A resolution is reported once, not for each of its dependencies; nor for an optional that is
  /// resolved by requesting what it wraps, or a wrapper, which will request its service itself.
  package func isToBeReported(container: Resolver, _ frame: ContextFrame?) -> Bool {
    guard Chain.isEmpty, AsyncLink.current?.wasMadeOutside != true else { return false }
    return !(type is any OptionalType.Type || type is any RequestWrapper.Type)
      || Lookup.find(key, in: container.core, frame) != nil
  }
}

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
    let live = Live(found, request, container: container)
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

  /// Tells the test that set-up code runs for of a live service which that code gets.
  static func noteInSetUp(_ found: Found?, _ request: Request, container: Resolver) {
    guard needsAttention, isSettingUp, let test = settingUpFor?.value,
      test.policies != nil, test.endedFrame == nil,
      let service = Live(found, request, container: container)?.found
    else { return }
    Tests.findDelegate()?.note(
      .live(service.registration, of: service.owner, request, isWrapped: false, in: test))
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
    guard isGuarded, let live = Live(found, request, container: container) else {
      return false
    }
    return Tests.findDelegate()?.fallbackNeedsMain(request.key, of: live.core, in: self) ?? false
  }

  /// A live service or nothing, found for a request, where a double may be wanted.
  private struct Live {
    let found: Found?
    /// The container whose service it is.
    let core: ContainerCore

    init?(_ found: Found?, _ request: Request, container: Resolver) {
      self.found = found.flatMap { $0.standsForNothing ? nil : $0 }
      if let found = self.found, found.target.isDouble { return nil }
      // A wrapper is returned in any case, and requests its service itself.
      if self.found == nil, request.type is any RequestWrapper.Type { return nil }
      core = self.found?.owner ?? container.core
    }
  }
}

// MARK: - Boundaries

// Boundaries: what a program reaches beyond itself, such as its network. A boundary is a field of
// a registration, which only the policy of a test looks at: it may refuse live services behind it.

extension Found {
  /// The boundary that it is behind; an alias has none but its target's.
  fileprivate var boundary: String? {
    registration.aliasTarget == nil ? registration.options.boundary : nil
  }

  /// Returns the live service behind a boundary that the request would return or wrap, and that the
  /// test refuses; nil if there is none.
  func refusedBoundary(_ frame: ContextFrame) -> Found? {
    guard frame.dryRun == nil, let policy = frame.policies?.boundaries else { return nil }
    return followed.first {
      !$0.isDouble && $0.boundary.map { !policy.allowed.contains($0) } ?? false
    }
  }
}

@usableFromInline
package enum Boundary {
  /// Whether a test may refuse a request; a quick check.
  @usableFromInline static var mayBeRefused: Bool { ContextFrame.needsAttention }

  /// Returns the error of a request if its test refused it: of one that cannot throw, it may have
  /// been served by a double.
  static func refused(_ request: Request, container: Resolver) -> ResolutionError? {
    guard let frame = ContextFrame.current ?? .refusing(request, container: container),
      let policy = frame.policies?.boundaries,
      let found = Lookup.find(request, container: container, frame),
      let service = found.refusedBoundary(frame),
      let name = service.registration.options.boundary,
      policy.refused.withLock({ $0[service.registration.id]?.contains(request.key) ?? false })
    else { return nil }
    return ResolutionError(
      .boundary(name), request, registeredAt: service.registration.location)
  }

  /// Throws if a request was refused that can throw, although a double may stand in.
  static func check(_ request: Request, container: Resolver) throws(ResolutionError) {
    if mayBeRefused, let error = refused(request, container: container) {
      throw error
    }
  }

  /// Returns the boundaries of what production registers for a request.
  package static func names(behind request: Request, container: Resolver) -> [String] {
    Lookup.find(request, container: container, nil)?
      .followed.compactMap(\.boundary) ?? []
  }
}

extension ContextFrame {
  /// Returns the frame that refuses a request without a context, if one does.
  static func refusing(_ request: Request, container: Resolver) -> ContextFrame? {
    guard needsAttention, current == nil, !isSettingUp else { return nil }
    return Tests.delegate?.frame(refusing: request, container: container)
  }
}

extension ContextFrame? {
  /// Whether the test takes away the assembly that made a live registration.
  package func leavesOut(_ registration: Registration) -> Bool {
    guard let assembly = registration.options.assembly, !registration.options.isDouble else {
      return false
    }
    return self?.policies?.leavesOut(assembly) ?? false
  }
}
