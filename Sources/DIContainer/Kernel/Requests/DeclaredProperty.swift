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
    let property = declaration.property
    return Request(property.type, property, location: location, declared: self)
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
  /// Returns what serves a request in a context; nil for a promise that nobody kept.
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
