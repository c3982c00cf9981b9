internal import DIPrimitives

// From a property to an instance. What answers, in this order (RULES 9):
//
//   1. a context that a test set after it registered a double;
//   2. a double that was registered for the property;
//   3. a context: one set from outside, then one of the declaration;
//   4. what was registered for the property otherwise;
//   5. the declaration.
//
// The common case, nothing but a declaration or a plain registration, is answered by `answer` with
// one look at the container's table.

extension FactoryRegistration where P == Void {
  /// The instance for the property.
  @inline(__always)
  func answer(_ declared: @escaping () throws -> T, _ location: CodeLocation) throws -> T {
    if di_attention_needed() == 0, isPlain, core.factories.isCalm {
      let thread = di_thread_get()
      di_pin(thread)
      if let found = core.registry.reader.find(RawKey(declaration.property)) {
        let registration = unsafeDowncast(
          found._withUnsafeGuaranteedRef { $0 }, to: Registration<T>.self)
        let declarations = registration.options.declarations
        let isRegistered = declarations == DeclaredScope.anyCode
        if isRegistered
          || declarations == scopeCode + 1
            && (scopeCode != DeclaredScope.custom || registration.scope === customScope)
        {
          switch registration.path {
          case .unique where !isRegistered:
            let id = registration.id
            di_unpin(thread)
            return try Engine.construct(
              thread, id, request(location), hasArguments: false, make: declared)
          case .kept:
            if let raw = di_load(registration.slot.unsafelyUnwrapped.word) {
              let box = unsafeDowncast(
                Unmanaged<AnyBox>.fromOpaque(raw)._withUnsafeGuaranteedRef { $0 },
                to: StrongBox<T>.self)
              let value = box.value
              di_unpin(thread)
              return value
            }
          default:
            break
          }
        }
      }
      di_unpin(thread)
    }
    return try answer((), { _ in try declared() }, location)
  }
}

extension FactoryRegistration {
  @inline(__always)
  func request(_ location: CodeLocation) -> Request {
    Request(T.self, name: nil, property: declaration.property, location: location)
  }

  /// The instance for the property and a parameter, whatever it takes.
  @inline(never)
  func answer(
    _ parameter: P, _ declared: @escaping (P) throws -> T, _ location: CodeLocation
  ) throws -> T {
    Startup.runIfPending()
    let request = request(location)
    let asked = manager.resolver
    let frame = ContextFrame.answering(request, asked: asked)
    let choice = choose(declared, frame)
    if choice.isDeclaration, isPromise, core.factories.promiseTriggersError(core, frame) {
      throw ResolutionError.notRegistered(request, asked: asked)
    }
    let (holder, record) = (choice.holder, self.record(choice.holder))
    let found = Found(registration: holder, owner: choice.owner, isDouble: choice.isDouble)
    if let frame, frame.isGuarded {
      switch try frame.guarded(found, request, asked: asked, as: T.self) {
      case .goOn: break
      case .double(let double): return double
      }
    }
    var (id, slot) = (holder.id, holder.slot)
    let entry = keepBy.map { keepBy in
      record.parameters.entry(for: keepBy.value(parameter), holder.scope)
    }
    if let entry {
      id = entry.id
      if slot != nil { slot = entry.slot }
    }
    if let slot, let seconds = choice.timeToLive {
      let slot = frame?.cacheFrame(for: holder.scope)?.slot(for: slot) ?? slot
      if record.expiry.isExpired(slot, after: seconds) { slot.forget() }
    }
    var wasCreated = false
    let make = choice.make
    let isOptional = declaration.isOptional
    let registration = Registration<T>(
      id: id, key: ServiceKey(T.self, property: declaration.property), scope: holder.scope,
      location: holder.location,
      recipe: .init(
        .plain {
          wasCreated = true
          let service = try make(parameter)
          // Nothing is kept for an answer of nil.
          if isOptional, (service as? any OptionalType)?.content == nil { return nil }
          return service
        }),
      slot: slot, options: holder.options)
    // A recursion with parameters comes to an end; one without is a cycle.
    let service = try Produce(
      registration: registration,
      found: Found(registration: registration, owner: found.owner, isDouble: found.isDouble),
      request: request,
      args: P.self == Void.self ? nil : parameter, asked: asked, frame: frame
    ).run()
    if let entry, service == nil || classInstanceIsGone(entry.slot, holder.scope) {
      record.parameters.remove(entry)
    }
    guard let service else {
      if isOptional { return (T.self as! any OptionalType.Type).none as! T }
      throw ResolutionError.factoryReturnedNil(request, registration, asked: asked)
    }
    choice.decorator?(service, wasCreated)
    core.factories.decorator(core, frame)?(service)
    return service
  }

  /// Whether a scope that keeps nothing has no use for an entry of its own.
  private func classInstanceIsGone(_ slot: Slot<T>, _ scope: Scope) -> Bool {
    scope.kind == .unique
  }

  /// What answers a request.
  private struct Choice {
    let make: (P) throws -> T
    /// Stands for what answers: its identity, its scope, where its instance is kept.
    let holder: Registration<T>
    let owner: ContainerCore
    var isDouble = false
    var isDeclaration = false
    var decorator: ((T, Bool) -> Void)?
    var timeToLive: Double?
  }

  private func choose(
    _ declaredMake: @escaping (P) throws -> T, _ frame: ContextFrame?
  ) -> Choice {
    let outside = settings(frame)
    let declared = declared
    let found = find(frame)
    let registered = found.map { unsafeDowncast($0.registration, to: Registration<T>.self) }
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
    choice.decorator = record?.settings.decorator ?? outside.decorator ?? declared.decorator
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
