internal import DIPrimitives

// From a property to an instance. What answers, in this order:
//
//   1. a context that a test set after it registered a double;
//   2. a double that was registered for the property;
//   3. a context: one set from outside, then one of the declaration;
//   4. what was registered for the property otherwise;
//   5. the declaration.
//
// The common case, nothing but a declaration or a plain registration, is answered by `answer` with
// one look at the container's table.

extension ContainerManager {
  /// Puts the instance for a property into memory, or traps; see `deliver`.
  ///
  /// The caller's hold on `owner` keeps the manager alive.
  @usableFromInline
  static func deliverOrTrap(
    _ owner: AnyObject, _ manager: Unmanaged<ContainerManager>,
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer, _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) -> Bool {
    do {
      return try manager._withUnsafeGuaranteedRef {
        try $0.deliver(request, bits, extras, to: out, declared)
      }
    } catch {
      trap(error)
    }
  }

  /// Puts the instance for a property into memory if that takes no more than a look at the
  /// container's own table; answers false, and does nothing, otherwise.
  @inline(__always)
  private func deliver(
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer, _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool {
    // A factory that was just registered, or promised, takes a closer look.
    let code = bits
    guard Engine.isUndisturbed, code <= DeclaredScope.custom, core.isCalm,
      extras == nil || extras.unsafelyUnwrapped.isOnlyScope
    else { return false }
    let thread = di_thread_get()
    di_pin(thread)
    guard let found = core.find(request) else {
      di_unpin(thread)
      return false
    }
    let declarations = found._withUnsafeGuaranteedRef { $0.options.declarations }
    let isRegistered = declarations == DeclaredScope.anyCode
    let isRight =
      isRegistered
      || declarations == code + 1
        && (code != DeclaredScope.custom
          || found._withUnsafeGuaranteedRef { $0.scope === extras?.scope })
    guard isRight else {
      di_unpin(thread)
      return false
    }
    switch found._withUnsafeGuaranteedRef({ $0.path }) {
    case .unique:
      let id = found._withUnsafeGuaranteedRef { $0.id }
      guard isRegistered else {
        di_unpin(thread)
        return try Engine.construct(thread, id, request, hasArguments: false, in: core) {
          try declared(out)
        }
      }
      let build = found._withUnsafeGuaranteedRef { $0.build }
      di_unpin(thread)
      // What is registered by key path takes no container: any will do.
      return try Engine.construct(thread, id, request, hasArguments: false, in: core) {
        try build(out, Resolver.main, nil)
      }
    case .graph:
      let registration = found.takeUnretainedValue()
      di_unpin(thread)
      let isOutermost = di_frames(thread) == nil
      if !isOutermost, GraphArena.copy(registration.id, nil, to: out, thread) { return true }
      let isBuilt = try Engine.construct(
        thread, registration.id, request, hasArguments: false, in: core
      ) {
        isRegistered ? try registration.build(out, Resolver.main, nil) : try declared(out)
      }
      if isBuilt, !isOutermost { registration.share(out, nil, thread, values: true) }
      return isBuilt
    case .kept:
      let isKept = found._withUnsafeGuaranteedRef { Slot.copyPinned($0.keptAt, to: out) }
      di_unpin(thread)
      return isKept
    case .alias, .other:
      di_unpin(thread)
      return false
    }
  }
}

extension FactoryRegistration where P == Void {
  /// The instance for the property.
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

  /// The instance for the property and a parameter, whatever it takes.
  @inline(never)
  func answer(
    _ parameter: P, _ declared: @escaping (P) throws -> T, _ location: CodeLocation
  ) throws -> T {
    Startup.runIfPending()
    // The factory may have been made before a reset.
    core.factories.prepareLate(manager.resolver, core)
    // A step of an async resolution goes on as part of it.
    if ResolutionStack.isEmpty, let link = AsyncLink.current {
      return try link.onThread {
        try withRequest(location) { try answer(parameter, declared, $0) }
      }
    }
    return try withRequest(location) { try answer(parameter, declared, $0) }
  }

  private func answer(
    _ parameter: P, _ declared: @escaping (P) throws -> T, _ request: UnsafePointer<Request>
  ) throws -> T {
    let asked = manager.resolver
    let frame = ContextFrame.answering(request, asked: asked)
    let choice = choose(declared, frame)
    if choice.isDeclaration, isPromise, core.factories.promiseTriggersError(core, frame) {
      throw ResolutionError.notRegistered(request.pointee, asked: asked)
    }
    return try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      let raw = UnsafeMutableRawPointer(out)
      let (holder, record) = (choice.holder, self.record(choice.holder))
      let found = Found(registration: holder, owner: choice.owner, isDouble: choice.isDouble)
      if let frame, frame.isGuarded {
        switch frame.standIn(for: found, request, asked: asked, to: raw) {
        case .none: break
        case .double: return out.move()
        case .refused: throw Engine.failure(request.pointee, asked: asked)
        }
      }
      var (id, slot) = (holder.id, holder.slot)
      // What a scope keeps for a parameter, or a cycle shares for it, has an entry meanwhile.
      let caches =
        keepBy == nil && choice.timeToLive == nil ? nil : frame?.cacheFrame(for: holder.scope)
      let list =
        keepBy == nil
        ? nil
        : slot == nil
          ? record.parameters(holder.scope).ofCycle(di_thread_get())
          : record.parameters(holder.scope).own(caches)
      let entry = list?.enter(keepBy!(parameter), holder.scope, keptIn: caches)
      defer { if let entry, slot != nil { list!.leave(entry, keptIn: caches) } }
      if let entry {
        id = entry.id
        if slot != nil { slot = entry.slot }
      } else if keepBy != nil {
        id = Registration.nextID()
      }
      if let slot, let seconds = choice.timeToLive {
        let slot = caches?.slot(for: slot) ?? slot
        if record.expiry.isExpired(slot, after: seconds) { slot.forget() }
      }
      var wasCreated = false
      let make = choice.make
      let isOptional = declaration.isOptional
      let registration = Registration(
        id: id, key: ServiceKey(T.self, property: declaration.property), scope: holder.scope,
        location: holder.location,
        recipe: Recipe(
          Make<T>.plain {
            wasCreated = true
            let service = try make(parameter)
            // Nothing is kept for an answer of nil.
            if isOptional, (service as? any OptionalType)?.content == nil { return nil }
            return service
          }),
        slot: slot, options: holder.options)
      // What is made for the request only stands for it.
      if frame?.dryRun == nil { holder.noteUse() }
      let produce = { (args: UnsafePointer<Any>?) in
        try Engine.deliver(
          Found(registration: registration, owner: found.owner, isDouble: found.isDouble), request,
          args: args, asked: asked, frame, to: raw)
      }
      // A recursion with parameters comes to an end; one without is a cycle.
      let isAnswered =
        P.self == Void.self
        ? try produce(nil) : try withUnsafePointer(to: parameter as Any) { try produce($0) }
      guard isAnswered else {
        if isOptional { return (T.self as! any OptionalType.Type).none as! T }
        throw ResolutionError.factoryReturnedNil(request.pointee, registration, asked: asked)
      }
      let service = out.move()
      choice.decorator?(service, wasCreated)
      core.factories.decorator(core, frame)?(service)
      return service
    }
  }

  /// What answers a request.
  struct Choice {
    let make: (P) throws -> T
    /// Stands for what answers: its identity, its scope, where its instance is kept.
    let holder: Registration
    let owner: ContainerCore
    var isDouble = false
    var isDeclaration = false
    var decorator: ((T, Bool) -> Void)?
    var timeToLive: Double?
  }

  func choose(
    _ declaredMake: @escaping (P) throws -> T, _ frame: ContextFrame?
  ) -> Choice {
    let outside = settings(frame)
    let declared = declared
    let found = find(frame)
    let registered = found?.registration
    let record = registered.map(record)
    let holder = registered ?? standIn(scope(outside, frame), frame)
    var choice: Choice
    let outsideContext = outside.context(FactoryContext.current)
    let context =
      outsideContext
      ?? (outside.hidesDeclaredContexts ? nil : declared.context(FactoryContext.current))
    let isLater =
      outsideContext != nil && outside.contextsAreDoubles
      && outside.contextNumber > holder.id
    if let context, found?.isDouble != true || isLater {
      choice = Choice(make: context.make, holder: holder, owner: found?.owner ?? core)
      choice.isDouble = outsideContext != nil && outside.contextsAreDoubles
    } else if let found, let make = record?.make {
      choice = Choice(make: make, holder: holder, owner: found.owner)
      choice.isDouble = found.isDouble
    } else {
      choice = Choice(make: declaredMake, holder: holder, owner: core)
      choice.isDeclaration = true
    }
    choice.decorator =
      record?.settings.decorator
      ?? (outside.decoratorIsOfRegistration ? nil : outside.decorator) ?? declared.decorator
    choice.timeToLive = record?.settings.timeToLive ?? outside.timeToLive ?? declared.timeToLive
    return choice
  }

  /// The instance, unless it is nil for want of a registration that was promised.
  func required(_ service: T, _ location: CodeLocation) throws -> T {
    guard isPromise, (service as? any OptionalType)?.content == nil else { return service }
    throw ResolutionError.notRegistered(request(location), asked: manager.resolver)
  }

  /// What an optional wraps; throws if that is nothing.
  func wrapped<Wrapped>(_ service: T, _ location: CodeLocation) throws -> Wrapped
  where T == Wrapped? {
    if let service { return service }
    let request = request(location)
    let asked = manager.resolver
    guard let found = find(ContextFrame.current) else {
      if isPromise { throw ResolutionError.notRegistered(request, asked: asked) }
      throw ResolutionError.factoryReturnedNil(
        request, standIn(scope(settings(nil), nil), nil), asked: asked)
    }
    throw ResolutionError.factoryReturnedNil(request, found.registration, asked: asked)
  }
}
