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
