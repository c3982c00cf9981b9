internal import DIPrimitives

// A service declared as a property is a registration like any other, whose key is the property.
// Besides, a container has a registration that stands for the declaration, and one that holds the
// contexts set outside it (`Registration.Part`).
//
// A request is served by the first of these:
//
//   1. a context that a test set after it registered a double;
//   2. a double that was registered for the property;
//   3. a context: one set outside the declaration, then one of the declaration;
//   4. another registration for the property;
//   5. the declaration.
//
// Most requests take the short path in Declaration+ShortPath.swift.

extension DeclaredProperty {
  func request(_ location: CodeLocation) -> Request {
    Request(declaration.key, location: location, declared: self)
  }

  /// Returns the instance for a request, if only the nil of an optional.
  func instance(_ args: Any?, _ location: CodeLocation) throws -> Instance {
    try Resolution.instance(
      for: request(location), args: args, container: declaration.container) ?? none(location)
  }

  /// Returns nil as the result of a request for an optional, or throws the reason why there is no
  /// instance.
  func none(_ location: CodeLocation) throws -> Instance {
    let (frame, property) = (ContextFrame.current, declaration.property)
    if !property.isOptional || frame?.endedSandbox != nil || found(frame) == nil {
      let error = Resolution.failure(request(location), container: declaration.container)
      guard property.isOptional, error.reason == .factoryReturnedNil else { throw error }
    }
    return .none(of: property.type)
  }
}

// MARK: - Lookup

extension DeclaredProperty {
  /// Returns what serves a request in a context; nil for a promised service that nobody
  /// registered.
  func found(_ frame: ContextFrame?) -> Found? {
    found(declaration.registered(frame), frame, declaration.outerContexts(frame))
  }

  /// Returns what serves a request where this is registered, or wrapped by a decoration.
  private func found(
    _ registered: Found?, _ frame: ContextFrame?, _ contexts: [ContextFactory]
  ) -> Found? {
    let core = declaration.core
    let context = context(contexts, over: registered)
    if registered == nil, context == nil, maker == nil { return nil }
    let modifiers = modifiers(core.setting(\.decorator, frame) ?? nil, context?.maker)
    if context == nil, let registered {
      if registered.decoration != nil {
        return registered.with(modifiers, over: found(registered.next, frame, contexts))
      }
      return modifiers == nil ? registered : registered.with(modifiers)
    }
    // A decoration keeps nothing itself.
    let keeping = registered.flatMap { $0.decoration == nil ? $0 : nil }
    return Found(
      registration: keeping?.registration ?? declaration.implicitRegistration(frame),
      owner: keeping?.owner ?? core,
      isDouble: context?.isDouble ?? false, declared: self, modifiers: modifiers)
  }

  /// Returns the context that comes before what was registered, if one does.
  private func context(_ outer: [ContextFactory], over registered: Found?) -> ContextFactory? {
    // A decoration wraps contexts, too.
    let wins = registered.map { $0.isDouble || $0.decoration != nil } ?? false
    if let context = outer.applying(FactoryContext.current) {
      guard wins, let registered else { return context }
      let isLater = context.number > registered.registration.id
      return isLater && (!registered.isDouble || context.isDouble) ? context : nil
    }
    return wins ? nil : declaration.settingsBox?.value.contexts.applying(FactoryContext.current)
  }

  /// Returns the modifiers that a registration which serves the property lacks; nil if there are
  /// none.
  private func modifiers(
    _ containerDecorator: ((Any) -> Void)?, _ contextMaker: Maker?
  ) -> Found.Modifiers? {
    let declared = declaration.settingsBox
    if declared?.isOnlyScope ?? true, containerDecorator == nil, contextMaker == nil { return nil }
    return Found.Modifiers(
      declared?.value ?? FactorySettings(), maker: contextMaker,
      containerDecorator: containerDecorator)
  }
}

// MARK: - What a context sees

extension Declaration {
  /// Whether it is a `Container` that the root reaches.
  func isReached(_ frame: ContextFrame?) -> Bool {
    guard core.containerType == Resolver.self else { return false }
    return frame?.rootReaches(core)
      ?? Resolver.processRoot.core.searched(nil).contains { $0 === core }
  }

  /// Returns what was registered for the property in the containers that a request reaches, or in a
  /// layer for the container's type, unless it is a `Container` that the root reaches.
  ///
  /// The container's own registration wins over the layer's if it is a later double.
  func registered(_ frame: ContextFrame?) -> Found? {
    let own = Lookup.find(key, in: core, frame)
    // What the root reaches is named by its own key.
    guard di_holds(di_qualified_keys_are_used), !isReached(frame) else { return own }
    return Found.merged(own, Lookup.findQualified(key, of: core, frame))
  }

  /// Returns the contexts set outside the declaration in the containers that a request reaches.
  func outerContexts(_ frame: ContextFrame?) -> [ContextFactory] {
    guard property.hadContexts.isSet else { return [] }
    var contexts: [ContextFactory] = []
    var owners: Set<ObjectIdentifier> = []
    for (registration, owner) in Lookup.places(key, .contexts, in: core, frame)
    // Those that a sandbox has of a container include the container's own.
    where owners.insert(ObjectIdentifier(owner)).inserted {
      contexts = contexts.over(registration.options.rare.contexts)
    }
    return contexts
  }

  /// Returns the scope of instances that the declaration makes.
  ///
  /// `core`: the container whose default counts, unless it is the declaration's.
  func scope(_ frame: ContextFrame?, in core: ContainerCore? = nil) -> Scope {
    declaredScope ?? ((core ?? self.core).setting(\.defaultScope, frame) ?? nil) ?? .unique
  }

  /// Returns the registration that stands for the declaration, made at its first use.
  ///
  /// It belongs to the container. Where a sandbox hides that, or has the property in another scope,
  /// it has one of its own.
  func implicitRegistration(_ frame: ContextFrame?) -> Registration {
    let (key, scope) = (key, scope(frame))
    let own = core.own(key, frame, .declaration)
    if let own, !own.isRemoval, own.scope === scope { return own }
    let isOfSandbox = own != nil || core.isMasked(frame) || scope !== self.scope(nil)
    let sandbox = isOfSandbox ? frame?.sandbox : nil
    let registry = sandbox?.makeRegistry(over: core) ?? core.registry
    var options = Registration.Options()
    options.part = .declaration
    let made = registration(.nothing, scope, key, property.location, options)
    // Another thread may be faster.
    registry.set(made) { $0.map { $0.isRemoval || $0.scope !== scope } ?? true }
    return registry.find(key, .declaration) ?? made
  }
}

extension Lookup {
  /// Returns what a layer has for a property of a container that the root does not reach.
  package static func findQualified(
    _ key: ServiceKey, of core: ContainerCore, _ frame: ContextFrame?
  ) -> Found? {
    guard di_holds(di_qualified_keys_are_used), let property = key.property else { return nil }
    let qualified = ServiceKey(key.type, property: property.qualified(by: core.containerType))
    return find(qualified, in: frame?.rootCore ?? Resolver.processRoot.core, frame)
  }
}

extension Found {
  /// Returns the container's own registration, and what it wraps, with those of a layer.
  fileprivate static func merged(_ own: Found?, _ layers: Found?) -> Found? {
    guard let own, let layers else { return own ?? layers }
    if own.isDouble, own.registration.id > layers.registration.id {
      return own.decoration == nil ? own : own.with(nil, over: merged(own.next, layers))
    }
    return layers.decoration == nil ? layers : layers.with(nil, over: merged(own, layers.next))
  }

  func with(_ modifiers: Modifiers?, over next: Found? = nil) -> Found {
    Found(
      registration: registration, owner: owner, isDouble: isDouble, modifiers: modifiers,
      next: next)
  }
}
