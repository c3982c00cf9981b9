// The entries to the general path, and its first steps: start-up, the look-up, a fallback's double.

/// An attempt to resolve a request: the frame that serves it, and the registration found there.
struct Attempt {
  let frame: ContextFrame?
  let found: Found?
  /// Whether a double may replace what was found: the search is no part of a decoration or a list.
  let allowsDouble: Bool
  private let isGuarded: Bool

  /// Looks up a request in the frame that serves it; a missing or ended frame is noted.
  init(noting request: Borrowed<Request>, container: Resolver) {
    (frame, isGuarded) = ContextFrame.frame(for: request.value, container: container)
    allowsDouble = true
    found = Self.find(
      request.value.key, request.value.declared, container, frame, below: nil)
  }

  /// Looks up a request; with `below`, the id of a registration, below that (see `Lookup`).
  init(_ request: Request, container: Resolver, below: UInt64? = nil) {
    frame = .current
    allowsDouble = below == nil
    isGuarded = allowsDouble && frame?.isGuarded ?? false
    found = Self.find(request.key, request.declared, container, frame, below: below)
  }

  private static func find(
    _ key: ServiceKey, _ declared: DeclaredProperty?, _ container: Resolver, _ frame: ContextFrame?,
    below: UInt64?
  ) -> Found? {
    let settings = container.core.settings
    // The factory may have been made before a reset, after which `autoRegister` is due again.
    if declared != nil { settings.runAutoRegisterIfDue(container, container.core) }
    if let found = Lookup.find(key, declared, in: container.core, frame, below: below) {
      return found
    }
    guard settings.runAutoRegisterIfDue(container, container.core) else { return nil }
    return Lookup.find(key, declared, in: container.core, frame, below: below)
  }

  /// Takes a registration that the caller has found.
  init(known found: Found) {
    (frame, self.found) = (.current, found)
    (allowsDouble, isGuarded) = (false, false)
  }

  /// Puts the double that replaces a live service into memory; returns nil if what was found is to
  /// be resolved.
  func checkLive(
    _ request: Borrowed<Request>, container: Resolver, to out: InstanceMemory
  ) throws -> Outcome? {
    guard let frame else { return nil }
    if !allowsDouble { noteWrapped(request.value, container: container, in: frame) }
    if isGuarded,
      let outcome = try frame.checkLive(found, request.value, container: container, to: out)
    {
      return outcome
    }
    if allowsDouble, let found, !found.isDouble {
      frame.noteLive(request, of: found.owner, requester: Chain.innermostKey)
    }
    return nil
  }

  private func noteWrapped(_ request: Request, container: Resolver, in frame: ContextFrame) {
    guard frame.policies != nil, let found,
      !found.isEffectivelyDouble(in: container.core, frame)
    else { return }
    Tests.findDelegate()?.note(
      .live(found.registration, of: found.owner, request, isWrapped: true, in: frame))
  }
}

extension Resolution {
  /// Puts the instance for a request into memory; returns false if there is none.
  ///
  /// `attempt`: the look-up, if the caller has made it.
  @inline(never)
  static func deliver(
    _ request: Borrowed<Request>, args: Borrowed<Any>?, container: Resolver,
    attempt: Attempt? = nil, to out: InstanceMemory
  ) throws -> Bool {
    Startup.runIfPending()
    if Chain.isEmpty, let link = AsyncLink.current {
      return try deliver(
        request, args: args, container: container, attempt: attempt, to: out, as: link)
    }
    switch try start(request, args: args, container: container, attempt, to: out) {
    case .done(let outcome): return outcome != .missed
    case .make(let resolution): return try resolution.make()
    }
  }

  /// Resolves a request that is part of an async resolution, as a step of that.
  @inline(never)
  private static func deliver(
    _ request: Borrowed<Request>, args: Borrowed<Any>?, container: Resolver,
    attempt: Attempt?, to out: InstanceMemory, as link: AsyncLink
  ) throws -> Bool {
    var isDelivered = false
    do {
      try link.onThread {
        isDelivered = try deliver(
          request, args: args, container: container, attempt: attempt, to: out)
      }
    } catch {
      // A property of a cycle could not be set.
      if isDelivered { out.destroy(request.value.type) }
      throw error
    }
    return isDelivered
  }

  @inline(never)
  private static func start(
    _ request: Borrowed<Request>, args: Borrowed<Any>?, container: Resolver,
    _ attempt: Attempt?, to out: InstanceMemory
  ) throws -> Start {
    let attempt = attempt ?? Attempt(noting: request, container: container)
    if let outcome = try attempt.checkLive(request, container: container, to: out) {
      return .done(outcome)
    }
    if attempt.found != nil {
      return try Resolution(
        attempt, request, args: args, container: container, to: out
      ).start()
    }
    // A declared property is resolved by its declaration only.
    let requested = request.value
    if attempt.allowsDouble, requested.property == nil,
      let type = requested.type as? any SelfResolving.Type,
      try type.deliver(requested, args: args, container: container, to: out)
    {
      return .done(.kept)
    }
    attempt.frame?.recordMiss(requested, in: container.core)
    return .done(.missed)
  }
}

// MARK: - Requests of the kernel

extension Resolution {
  /// Returns the instance for a request; nil if there is none.
  ///
  /// `below` is the id of a registration to look below; see `Lookup`.
  package static func instance<Service>(
    _ request: Request, args: Any?, container: Resolver, below: UInt64? = nil,
    as type: Service.Type = Service.self
  ) throws -> Service? {
    try withMemory(request, args) { address, args, out in
      let attempt = below.map { Attempt(request, container: container, below: $0) }
      return try deliver(address, args: args, container: container, attempt: attempt, to: out)
    }
  }

  /// Returns the instance for a factory's dependency; throws if there is none.
  static func need<Service>(
    _ request: Request, args: Any?, container: Resolver, as type: Service.Type = Service.self
  ) throws -> Service {
    if let service: Service = try instance(request, args: args, container: container) {
      return service
    }
    throw failure(request, container: container)
  }

  static func withMemory<Service>(
    _ request: Request, _ args: Any?,
    _ deliver: (
      Borrowed<Request>, Borrowed<Any>?, InstanceMemory
    ) throws -> Bool
  ) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = InstanceMemory(memory)
      let isDelivered = try request.withBorrowed { request in
        try withArguments(args) { try deliver(request, $0, out) }
      }
      return isDelivered ? out.move(as: Service.self) : nil
    }
  }

  /// Returns the reason why a request failed.
  @inline(never)
  package static func failure(_ request: Request, container: Resolver) -> ResolutionError {
    if let modifier = request.type as? any RequestModifier.Type {
      return failure(modifier.wanted(by: request), container: container)
    }
    if let refused = Boundary.refused(request, container: container) { return refused }
    let frame = ContextFrame.current
    guard let found = Lookup.find(request, container: container, frame) else {
      return .notRegistered(request, container: container)
    }
    if let ended = frame?.endedSandbox, !found.isEffectivelyDouble(in: container.core, frame) {
      return ResolutionError(
        .late(test: ended.opener.name), request, registeredAt: found.registration.location)
    }
    if request.property == nil, let id = found.registration.searchesBelow,
      Lookup.find(request, container: container, frame, below: id) == nil
    {
      // There is nothing to decorate.
      return ResolutionError(
        .notRegistered, request, registeredAt: found.registration.location, container: container)
    }
    if let absent = found.absentTarget(in: container.core, frame) {
      return failure(absent, container: container)
    }
    return ResolutionError(
      .factoryReturnedNil, request, registeredAt: found.registration.location,
      container: container)
  }
}

extension Found {
  /// Returns the instance that this registration makes or keeps for a request.
  func produce<Service>(_ request: Request, args: Any?, container: Resolver) throws -> Service? {
    try Resolution.withMemory(request, args) { request, args, out in
      try Resolution.deliver(
        request, args: args, container: container, attempt: Attempt(known: self), to: out)
    }
  }
}
