internal import DIPrimitives

// Everything that can happen between a registration and an instance, in order: the alias is
// followed, the event begins, the scope decides where an instance is kept, the factory runs, its
// properties are set, decorations see the instance, the event ends.

/// One request on its way from a registration to an instance, which goes to uninitialised memory.
struct Produce {
  let registration: AnyRegistration
  let found: Found
  let requested: UnsafePointer<Request>
  let args: UnsafePointer<Any>?
  let asked: Resolver
  let frame: ContextFrame?
  let out: UnsafeMutableRawPointer

  private var request: Request { requested.pointee }

  /// Answers whether there is an instance.
  func run() throws -> Bool {
    guard let frame else {
      var wasCreated = false
      return try decorate(if: produce(event: 0, &wasCreated))
    }
    return try frame.observing(requested, found, asked: asked) { event, wasCreated in
      let isAnswered = try decorate(if: produce(event: event, &wasCreated))
      if isAnswered, let dryRun = frame.dryRun {
        dryRun.made(registration.asAny(out), registration)
      }
      if isAnswered { frame.note(out, found, request) }
      return isAnswered
    }
  }

  func produce(event: UInt64, _ wasCreated: inout Bool) throws -> Bool {
    if frame?.dryRun == nil { registration.options.usage?.set(true) }
    try registration.checkHome(requested)
    if registration.isAlias {
      return try registration.followAlias(
        AliasRequest(request: requested, asked: asked, args: args, event: event, out: out),
        &wasCreated)
    }
    let thread = di_thread_get()
    let scope = registration.scope
    switch scope.kind {
    case .unique:
      wasCreated = true
      return try construct(thread, asked: asked, event: event)
    case .graph:
      return try shared(thread, event: event, &wasCreated)
    case .kept, .weak, .site, .siteWeak:
      return try kept(thread, registration.slot!, asked: asked, event: event, &wasCreated)
    case .containerAsked:
      let base = registration.slot!
      let slot = asked.core === found.owner ? base : asked.core.askedSlot(for: base)
      return try kept(thread, slot, asked: asked, event: event, &wasCreated)
    case .owner, .ownerWeak:
      let owner = found.owner.resolver ?? asked
      return try kept(thread, registration.slot!, asked: owner, event: event, &wasCreated)
    }
  }

  private func construct(
    _ thread: UnsafeMutablePointer<di_thread>, asked: Resolver, slot: AnySlot? = nil,
    event: UInt64, early: () -> Void = {}
  ) throws -> Bool {
    try Engine.construct(
      thread, registration.id, requested, hasArguments: args != nil,
      slot: slot.map { Unmanaged.passUnretained($0).toOpaque() }, event: event
    ) {
      guard try registration.build(out, asked, args) else { return false }
      if registration.setsProperties {
        // What the properties ask for may ask for this instance in turn.
        early()
        try registration.setProperties(of: out, asked, args)
      }
      return true
    }
  }

  private func shared(
    _ thread: UnsafeMutablePointer<di_thread>, event: UInt64, _ wasCreated: inout Bool
  ) throws -> Bool {
    let scope = frame?.cacheFrame(for: registration.scope).map {
      Unmanaged.passUnretained($0).toOpaque()
    }
    if di_frames(thread) != nil,
      GraphArena.copy(registration.id, scope, to: out, thread)
    {
      return true
    }
    wasCreated = true
    var isShared = false
    let isBuilt = try construct(thread, asked: asked, event: event) {
      isShared = true
      registration.share(out, scope, thread, values: registration.options.sharesValues)
    }
    if isBuilt, !isShared, di_frames(thread) != nil {
      registration.share(out, scope, thread, values: registration.options.sharesValues)
    }
    return isBuilt
  }

  private func kept(
    _ thread: UnsafeMutablePointer<di_thread>, _ base: AnySlot, asked: Resolver, event: UInt64,
    _ wasCreated: inout Bool
  ) throws -> Bool {
    let keeper = frame?.cacheFrame(for: registration.scope)
    let slot = keeper?.slot(for: base) ?? base
    let address = Unmanaged.passUnretained(slot).toOpaque()
    // An instance whose properties ask for it again is found here, as in a resolution cycle.
    if registration.setsProperties, di_frames(thread) != nil,
      GraphArena.copy(registration.id, address, to: out, thread)
    {
      return true
    }
    var created = false
    let isFilled = try slot.fill(
      out, thread, onRelease: onRelease(in: keeper),
      cycle: { ResolutionError.cycle(request, throughThreads: $0) }
    ) {
      created = true
      return try construct(thread, asked: asked, slot: slot, event: event) {
        registration.share(out, address, thread, values: true)
        slot.show(early: out)
      }
    }
    wasCreated = created
    return isFilled
  }

  /// What tears a kept instance down, in the context that keeps it (RULES 14).
  private func onRelease(in keeper: ContextFrame?) -> AnySlot.OnRelease? {
    guard let tearDown = registration.onRelease else { return nil }
    guard let keeper else {
      return { instance in ContextFrame.$bound.withValue(nil) { tearDown(instance) } }
    }
    return { [weak keeper] instance in
      ContextFrame.$bound.withValue(keeper) { tearDown(instance) }
    }
  }

  private func decorate(if isAnswered: Bool) -> Bool {
    if isAnswered, let decorate = Resolver.currentDecoration(frame) {
      decorate(registration.asAny(out))
    }
    return isAnswered
  }
}

extension Found {
  /// The instance that this very registration makes or keeps for a request.
  func produce<Service>(_ request: Request, args: Any?, asked: Resolver) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress!
      func run(_ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?) throws -> Bool {
        try Produce(
          registration: registration, found: self, requested: request, args: args, asked: asked,
          frame: ContextFrame.current, out: UnsafeMutableRawPointer(out)
        ).run()
      }
      let isMade = try withUnsafePointer(to: request) { request in
        guard let args else { return try run(request, nil) }
        return try withUnsafePointer(to: args) { try run(request, $0) }
      }
      return isMade ? out.move() : nil
    }
  }
}
