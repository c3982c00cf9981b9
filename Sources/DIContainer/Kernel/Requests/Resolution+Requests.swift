// The entries to the general path, and its first steps: start-up, the look-up, a fallback's double.

/// An attempt to resolve a request: the frame that serves it, and the registration found there.
struct Attempt {
  let frame: ContextFrame?
  let found: Found?
  /// Whether a double may replace what was found: it is not one of a list.
  let allowsDouble: Bool
  private let isGuarded: Bool

  /// Looks up a request in the frame that serves it; a missing or ended frame is noted.
  init(noting request: borrowing Request, container: Resolver, boundTo bound: ContextFrame?) {
    (frame, isGuarded) = ContextFrame.frameNoting(request, container: container, boundTo: bound)
    allowsDouble = true
    found = Self.find(request, container, frame)
  }

  init(_ request: borrowing Request, container: Resolver) {
    frame = .current
    allowsDouble = true
    isGuarded = frame?.isGuarded ?? false
    found = Self.find(request, container, frame)
  }

  private static func find(
    _ request: borrowing Request, _ container: Resolver, _ frame: ContextFrame?
  ) -> Found? {
    // The factory may have been made before a reset, after which `autoRegister` is due again.
    if request.declared != nil { container.core.runAutoRegisterIfDue(container) }
    let found = Lookup.find(request, container: container, frame)
    if let found, !found.isOverNothing { return found }
    guard container.core.runAutoRegisterIfDue(container) else { return found }
    return Lookup.find(request, container: container, frame)
  }

  /// Takes a registration that the caller has found.
  init(known found: Found) {
    (frame, self.found) = (.current, found)
    (allowsDouble, isGuarded) = (false, false)
  }

  /// Checks what was found, in a frame.
  func checkLive(_ request: Request, container: Resolver) throws -> LiveCheck {
    guard let frame else {
      ContextFrame.noteInSetUp(found, request, container: container)
      return .passed
    }
    if isGuarded,
      case .replaced(let double) = try frame.checkLive(found, request, container: container)
    {
      return .replaced(double)
    }
    if allowsDouble, let found, !found.isDouble {
      frame.noteFirstLive(request, of: found.owner, origin: Chain.currentLinks.first)
    }
    return .passed
  }
}

extension Resolution {
  /// Returns the instance for a request; nil if there is none.
  ///
  /// `attempt`: the look-up, if the caller has made it.
  @inline(never)
  static func instance(
    for request: Request, args: Any?, container: Resolver, attempt: Attempt? = nil
  ) throws -> Instance? {
    // Read once: that takes longer than all else of these steps.
    let bound = ContextFrame.bound
    Startup.runIfPending(boundTo: bound)
    if Chain.isEmpty, let link = AsyncLink.current {
      // As a step of the async resolution that the request is part of.
      return try link.onThread {
        try instance(for: request, args: args, container: container, attempt: attempt)
      }
    }
    switch try start(request, args: args, container: container, boundTo: bound, attempt) {
    case .done(let made): return made?.instance
    case .make(let resolution): return try resolution.make()
    }
  }

  @inline(never)
  private static func start(
    _ request: Request, args: Any?, container: Resolver, boundTo bound: ContextFrame?,
    _ attempt: Attempt?
  ) throws -> Start {
    // An operator's operand is a closure, for which the request would be copied.
    let attempt =
      if let attempt { attempt } else {
        Attempt(noting: request, container: container, boundTo: bound)
      }
    if case .replaced(let double) = try attempt.checkLive(request, container: container) {
      return .done(double.map { Made($0, isNew: false) })
    }
    if let found = attempt.found {
      return try Resolution(found, request, args: args, container: container, attempt.frame).start()
    }
    // A declared property is resolved by its declaration only.
    if attempt.allowsDouble, request.property == nil,
      let type = request.type as? any SelfResolving.Type,
      let made = try type.instance(for: request, args: args, container: container)
    {
      return .done(Made(made, isNew: false))
    }
    attempt.frame?.recordMiss(request, in: container.core)
    return .done(nil)
  }
}

// MARK: - Requests of the kernel

extension Resolution {
  /// Returns the instance for a request; nil if there is none.
  package static func instance<Service>(
    _ request: Request, args: Any?, container: Resolver, as type: Service.Type = Service.self
  ) throws -> Service? {
    try instance(for: request, args: args, container: container)?.value(as: type)
  }

  /// Returns the reason why a request failed.
  @inline(never)
  package static func failure(_ request: Request, container: Resolver) -> ResolutionError {
    if let modifier = request.type as? any RequestModifier.Type {
      return failure(modifier.wanted(by: request), container: container)
    }
    if let refused = Boundary.refused(request, container: container) { return refused }
    let frame = ContextFrame.current
    guard let found = Lookup.find(request, container: container, frame), !found.isPromise else {
      return .notRegistered(request, container: container)
    }
    if let ended = frame?.endedSandbox, !found.target.isDouble {
      return ResolutionError(
        .late(test: ended.opener.name), request, registeredAt: found.registration.location)
    }
    if found.isOverNothing {
      // There is nothing to decorate.
      return ResolutionError(
        .notRegistered, request, registeredAt: found.registration.location, container: container)
    }
    if let absent = found.absentTarget {
      return failure(absent, container: container)
    }
    return ResolutionError(
      .factoryReturnedNil, request, registeredAt: found.registration.location,
      container: container)
  }
}
