// The entries to the general path, and its first steps: start-up, the look-up, a fallback's double.

extension Resolution {
  /// Puts the instance for a request into memory; returns false if there is none.
  ///
  /// `below` is the id of a registration to look below; see `Lookup`. `found` is the result of the
  /// look-up, if the caller has it.
  @inline(never)
  package static func deliver(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, container: Resolver,
    below: UInt64? = nil, found: Found? = nil, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    Startup.runIfPending()
    if ResolutionStack.isEmpty, let link = AsyncLink.current {
      return try deliver(
        request, args: args, container: container, below: below, found: found, to: out, as: link)
    }
    switch try start(request, args: args, container: container, below: below, found: found, to: out)
    {
    case .done(let outcome): return outcome != .missed
    case .make(let resolution): return try resolution.make()
    }
  }

  /// Puts the instance that a registration makes or keeps for a request into memory.
  static func deliver(
    _ found: Found, _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?,
    container: Resolver, _ frame: ContextFrame?, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    let resolution = Resolution(found, request, args: args, container: container, frame, to: out)
    switch try resolution.start() {
    case .done(let outcome): return outcome != .missed
    case .make(let resolution): return try resolution.make()
    }
  }

  /// Resolves a request that is part of an async resolution, as a step of that.
  @inline(never)
  private static func deliver(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, container: Resolver,
    below: UInt64?,
    found: Found?, to out: UnsafeMutableRawPointer, as link: AsyncLink
  ) throws -> Bool {
    var isDelivered = false
    do {
      try link.onThread {
        isDelivered = try deliver(
          request, args: args, container: container, below: below, found: found, to: out)
      }
    } catch {
      // A property of a circle could not be set.
      if isDelivered { InstanceMemory.destroy(out, request.pointee.type) }
      throw error
    }
    return isDelivered
  }

  @inline(never)
  private static func start(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, container: Resolver,
    below: UInt64?, found known: Found?, to out: UnsafeMutableRawPointer
  ) throws -> Start {
    let isDeclared = request.pointee.declared != nil
    // The factory may have been made before a reset, after which `autoRegister` is due again.
    if isDeclared { container.core.settings.runAutoRegisterIfDue(container, container.core) }
    let (frame, isGuarded) = ContextFrame.frame(for: request, container: container)
    var found = known ?? Lookup.find(request, container: container, frame, below: below)
    if found == nil, container.core.settings.runAutoRegisterIfDue(container, container.core) {
      found = Lookup.find(request, container: container, frame, below: below)
    }
    if let frame, isGuarded, below == nil {
      switch frame.standIn(for: found, request, container: container, to: out) {
      case .none: break
      case .double: return .done(.created)
      case .refused: return .done(.missed)
      case .onMainOnly: throw ResolutionError.fallbackNeedsMain(request.pointee)
      }
    }
    if let found {
      if let frame, isDeclared, below == nil, !found.isDouble {
        frame.noteLiveProperty(request)
      }
      return try Resolution(found, request, args: args, container: container, frame, to: out)
        .start()
    }
    if below == nil, !isDeclared,
      let type = request.pointee.type as? any SelfResolving.Type,
      try type.deliver(request.pointee, args: args, container: container, to: out)
    {
      return .done(.kept)
    }
    frame?.observe { $0.missed(request.pointee, in: container.core) }
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
    try withMemory(request, args) { request, args, out in
      try deliver(request, args: args, container: container, below: below, to: out)
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

  fileprivate static func withMemory<Service>(
    _ request: Request, _ args: Any?,
    _ deliver: (
      UnsafePointer<Request>, UnsafePointer<Any>?, UnsafeMutableRawPointer
    ) throws -> Bool
  ) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      let isDelivered = try withUnsafePointer(to: request) { request in
        try withAddress(of: args) { try deliver(request, $0, UnsafeMutableRawPointer(out)) }
      }
      return isDelivered ? out.move() : nil
    }
  }

  /// Returns the reason why a request failed.
  @inline(never)
  package static func failure(_ request: Request, container: Resolver) -> ResolutionError {
    if let modifier = request.type as? any RequestModifier.Type {
      return failure(modifier.wanted(by: request), container: container)
    }
    let frame = ContextFrame.current
    guard let found = Lookup.find(request, container: container, frame) else {
      return .notRegistered(request, container: container)
    }
    if let ended = frame?.endedSandbox, !found.isEffectivelyDouble(in: container.core, frame) {
      return .late(request, test: ended.owner.name, found.registration)
    }
    if request.property == nil, let id = found.registration.searchesBelow,
      Lookup.find(request, container: container, frame, below: id) == nil
    {
      return .nothingToDecorate(request, found.registration, container: container)
    }
    if let absent = found.absentTarget(in: container.core, frame) {
      return failure(absent, container: container)
    }
    return .factoryReturnedNil(request, found.registration, container: container)
  }
}

extension Found {
  /// Returns the instance that this registration makes or keeps for a request.
  func produce<Service>(_ request: Request, args: Any?, container: Resolver) throws -> Service? {
    try Resolution.withMemory(request, args) { request, args, out in
      try Resolution.deliver(
        self, request, args: args, container: container, ContextFrame.current, to: out)
    }
  }
}
