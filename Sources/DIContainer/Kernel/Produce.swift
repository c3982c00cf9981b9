internal import DIPrimitives

// Everything that can happen between a registration and an instance, in order: the alias is
// followed, the event begins, the scope decides where an instance is kept, the factory runs, its
// properties are set, decorations see the instance, the event ends.

/// One request on its way from a registration to an instance.
struct Produce<Service> {
  let registration: Registration<Service>
  let found: Found
  let request: Request
  let args: Any?
  let asked: Resolver
  let frame: ContextFrame?

  func run() throws -> Service? {
    guard let frame else {
      var wasCreated = false
      let service = try produce(event: 0, &wasCreated)
      decorate(service)
      return service
    }
    return try frame.observing(request, found, asked: asked) { event, wasCreated in
      let service = try produce(event: event, &wasCreated)
      decorate(service)
      if frame.hasPolicies, let service { frame.watch(service, found, request) }
      return service
    }
  }

  func produce(event: UInt64, _ wasCreated: inout Bool) throws -> Service? {
    registration.options.usage?.set(true)
    try registration.checkHome(request)
    if let alias = registration.recipe.alias {
      return try alias.resolve(request, asked, args, event, &wasCreated)
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
    event: UInt64, early: (Service) -> Void = { _ in }
  ) throws -> Service? {
    try Engine.construct(
      thread, registration.id, request, hasArguments: args != nil,
      slot: slot.map { Unmanaged.passUnretained($0).toOpaque() }, event: event
    ) {
      guard let service = try registration.make(asked, args) else { return nil }
      if !registration.recipe.properties.isEmpty {
        // What the properties ask for may ask for this instance in turn.
        early(service)
        for properties in registration.recipe.properties {
          try properties(asked, service, Resolver.Args(args))
        }
      }
      return service
    }
  }

  private func shared(
    _ thread: UnsafeMutablePointer<di_thread>, event: UInt64, _ wasCreated: inout Bool
  ) throws -> Service? {
    let caches = frame?.cacheFrame(for: registration.scope)
    let scope = caches.map { Unmanaged.passUnretained($0).toOpaque() }
    if thread.pointee.frames != nil,
      let object = GraphArena.of(thread)?.find(registration.id, scope)
    {
      return Engine.unboxed(object, as: Service.self)
    }
    wasCreated = true
    var isAdded = false
    func add(_ service: Service) {
      isAdded = true
      guard registration.options.sharesValues || Engine.isClassInstance(service) else { return }
      GraphArena.make(thread).add(Engine.boxed(service), registration.id, scope)
    }
    let service = try construct(thread, asked: asked, event: event, early: add)
    if let service, !isAdded, thread.pointee.frames != nil { add(service) }
    return service
  }

  private func kept(
    _ thread: UnsafeMutablePointer<di_thread>, _ base: AnySlot, asked: Resolver, event: UInt64,
    _ wasCreated: inout Bool
  ) throws -> Service? {
    let own = frame?.cacheFrame(for: registration.scope)?.slot(for: base) ?? base
    let slot = unsafeDowncast(own, to: Slot<Service>.self)
    // An instance whose properties ask for it again is found here, as in a resolution cycle.
    if !registration.recipe.properties.isEmpty, thread.pointee.frames != nil,
      let object = GraphArena.of(thread)?.find(registration.id, slotAddress(slot))
    {
      return Engine.unboxed(object, as: Service.self)
    }
    var created = false
    let service = try slot.value(
      thread, onRelease: registration.recipe.onRelease,
      cycle: { ResolutionError.cycle(request, throughThreads: $0) }
    ) {
      created = true
      return try construct(thread, asked: asked, slot: slot, event: event) {
        let instance = Engine.boxed($0)
        GraphArena.make(thread).add(instance, registration.id, slotAddress(slot))
        slot.show(early: instance)
      }
    }
    wasCreated = created
    return service
  }

  private func slotAddress(_ slot: AnySlot) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(slot).toOpaque()
  }

  private func decorate(_ service: Service?) {
    guard let service, let decorate = Resolver.currentDecoration(frame) else { return }
    decorate(service)
  }
}
