internal import DIPrimitives

// From a property to an instance. The sources of the instance, in order of precedence:
//
//   1. a context that a test set after it registered a double;
//   2. a double that was registered for the property;
//   3. a context: one set outside the declaration, then one of the declaration;
//   4. another registration for the property;
//   5. the declaration.
//
// The common case, with only a declaration or a plain registration, has a fast path:
// ContainerManager+Deliver.swift.

extension FactoryRegistration where P == Void {
  /// Returns the instance that is kept for the property, if the fast path finds one.
  @inlinable @inline(__always)
  func kept(_ location: CodeLocation) -> T? {
    withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      return withUnsafeTemporaryAllocation(of: Request.self, capacity: 1) { memory in
        let request = memory.baseAddress.unsafelyUnwrapped
        request.initialize(to: Request(T.self, place, location: location))
        let isKept = ContainerManager.copyKept(
          owner.value, managed, request, bits, extras?.value, to: UnsafeMutableRawPointer(out))
        return isKept ? out.move() : nil
      }
    }
  }

  /// Returns the instance for the property, on the slow path.
  func answer(_ declared: @escaping () throws -> T, _ location: CodeLocation) throws -> T {
    try answer((), { _ in try declared() }, location)
  }
}

extension FactoryRegistration {
  @inline(__always)
  func request(_ location: CodeLocation) -> Request {
    Request(T.self, name: nil, property: declaration.property, location: location)
  }

  @inline(__always)
  func withRequest<Result>(
    _ location: CodeLocation, _ body: (UnsafePointer<Request>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: Request.self, capacity: 1) { memory in
      let request = memory.baseAddress.unsafelyUnwrapped
      request.initialize(to: self.request(location))
      return try body(UnsafePointer(request))
    }
  }

  /// Returns the instance for the property and a parameter, on the slow path.
  @inline(never)
  func answer(
    _ parameter: P, _ declared: @escaping (P) throws -> T, _ location: CodeLocation
  ) throws -> T {
    Startup.runIfPending()
    // The factory may have been made before a reset.
    core.factories.prepareLate(manager.resolver, core)
    return try AsyncLink.asStep {
      try withRequest(location) { try answer(parameter, declared, $0) }
    }
  }

  private func answer(
    _ parameter: P, _ declared: @escaping (P) throws -> T, _ request: UnsafePointer<Request>
  ) throws -> T {
    let asked = manager.resolver
    let frame = ContextFrame.answering(request, asked: asked)
    let choice = choose(declared, frame) { below, parameter, decoration in
      let live = try withRequest(decoration.location) {
        try produce(below, parameter, $0, ContextFrame.current)
      }
      return try decoration.transform(live)
    }
    if let double: T = try choice.found.standIn(request.pointee, asked: asked, frame) {
      return double
    }
    if let frame, !choice.isDouble { frame.noteLiveProperty(request.pointee) }
    return try produce(choice, parameter, request, frame)
  }

  private func produce(
    _ choice: Choice, _ parameter: P, _ request: UnsafePointer<Request>, _ frame: ContextFrame?
  ) throws -> T {
    let asked = manager.resolver
    if choice.isDeclaration, isPromise, core.factories.promiseTriggersError(core, frame) {
      throw ResolutionError.notRegistered(request.pointee, asked: asked)
    }
    return try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      let found = choice.found
      let place = place(for: parameter, choice, frame)
      defer { place.leave() }
      var wasCreated = false
      let registration = registration(in: place, for: choice, parameter) { wasCreated = true }
      // The registration made for the request only represents the holder.
      if frame?.dryRun == nil { choice.holder.noteResolved() }
      let deliver = { (args: UnsafePointer<Any>?) in
        try Engine.deliver(
          Found(registration: registration, owner: found.owner, isDouble: found.isDouble), request,
          args: args, asked: asked, frame, to: UnsafeMutableRawPointer(out))
      }
      // A recursion with parameters may end; one without is a cycle.
      let isAnswered =
        P.self == Void.self
        ? try deliver(nil) : try withUnsafePointer(to: parameter as Any) { try deliver($0) }
      guard isAnswered else {
        if declaration.isOptional { return (T.self as! any OptionalType.Type).none as! T }
        throw ResolutionError.factoryReturnedNil(request.pointee, registration, asked: asked)
      }
      let service = out.move()
      choice.decorator?(service, wasCreated)
      core.factories.decorator(core, frame)?(service)
      return service
    }
  }

  /// The place in which the instance for a request is kept or shared.
  private struct Place {
    /// The id that distinguishes it from other places.
    let id: UInt64
    var slot: Keeper?
    /// The entry for the parameter, if instances are kept by it; left when the request ends.
    var entered: (list: ParameterSlots<T>, entry: ParameterSlots<T>.Entry, caches: ContextFrame?)?

    func leave() {
      if let entered { entered.list.leave(entered.entry, keptIn: entered.caches) }
    }
  }

  private func place(for parameter: P, _ choice: Choice, _ frame: ContextFrame?) -> Place {
    let holder = choice.holder
    if keepBy == nil, choice.timeToLive == nil { return Place(id: holder.id, slot: holder.slot) }
    let record = record(holder)
    let caches = frame?.cacheFrame(for: holder.scope)
    var place = Place(id: holder.id, slot: holder.slot)
    if let keepBy, let parameters = record.parameters(holder.scope) {
      place = entry(for: keepBy(parameter), holder, parameters, caches)
    }
    if let slot = place.slot, let seconds = choice.timeToLive {
      forget(slot, of: choice, askedLast: seconds, caches)
    }
    return place
  }

  /// Forgets the instance that is kept for a slot if it was last requested too long ago.
  func forget(_ base: Keeper, of choice: Choice, askedLast seconds: Double, _ caches: ContextFrame?)
  {
    let isOfAsked = base.scope.kind == .containerAsked && core !== choice.owner
    let base = isOfAsked ? core.askedSlot(for: base) : base
    let slot = caches?.slot(for: base) ?? base
    if record(choice.holder).expiry.isExpired(slot, after: seconds) { slot.forget() }
  }

  /// Returns the place of the instance that a scope keeps, or a cycle shares, for a parameter.
  private func entry(
    for parameter: AnyHashable, _ holder: Registration, _ parameters: ParameterSlots<T>,
    _ caches: ContextFrame?
  ) -> Place {
    guard holder.slot != nil else {
      let entry = parameters.ofCycle(di_thread_get())?.enter(
        parameter, holder.scope, keptIn: caches)
      // Outside a cycle, nothing is shared.
      return Place(id: entry?.id ?? Registration.nextID(), slot: nil)
    }
    let list = parameters.own(caches)
    let entry = list.enter(parameter, holder.scope, keptIn: caches)
    return Place(id: entry.id, slot: entry.slot, entered: (list, entry, caches))
  }

  /// Returns the registration that represents the choice for one request.
  private func registration(
    in place: Place, for choice: Choice, _ parameter: P, isMaking: @escaping () -> Void
  ) -> Registration {
    let (holder, make, isOptional) = (choice.holder, choice.make, declaration.isOptional)
    return Registration(
      id: place.id, key: ServiceKey(T.self, property: declaration.property), scope: holder.scope,
      location: holder.location,
      recipe: Recipe(
        Make<T>.plain {
          isMaking()
          let service = try make(parameter)
          // A nil result is not kept.
          if isOptional, (service as? any OptionalType)?.content == nil { return nil }
          return service
        }),
      slot: place.slot, options: holder.options)
  }

  /// Returns the instance; throws if it is nil and the service was promised.
  func required(_ service: T, _ location: CodeLocation) throws -> T {
    guard isPromise, (service as? any OptionalType)?.content == nil else { return service }
    throw ResolutionError.notRegistered(request(location), asked: manager.resolver)
  }

  /// Returns the wrapped instance of an optional; throws if there is none.
  func wrapped<Wrapped>(_ service: T, _ location: CodeLocation) throws -> Wrapped
  where T == Wrapped? {
    if let service { return service }
    let request = request(location)
    let asked = manager.resolver
    guard let found = find(ContextFrame.current) else {
      if isPromise { throw ResolutionError.notRegistered(request, asked: asked) }
      guard let standIn = standIn(scope(settings(nil), nil), nil) else {
        // Registered meanwhile.
        return try wrapped(service, location)
      }
      throw ResolutionError.factoryReturnedNil(request, standIn, asked: asked)
    }
    throw ResolutionError.factoryReturnedNil(request, found.registration, asked: asked)
  }
}
