internal import DIPrimitives

// Changes of a property in its container, or in the current sandbox's view of it.

extension Declaration {
  /// Registers a factory that replaces the declared one, in the container or, if given one, in a
  /// layer that is not of its type.
  func register(_ maker: Maker, in layer: Resolver? = nil, at location: CodeLocation) {
    store(in: layer, at: location) { _, _ in maker }
  }

  /// Registers a decoration of the instance that there is without it, in the container or, if given
  /// one, in a layer of another type.
  func decorate<Service>(
    in layer: Resolver? = nil, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    store(in: layer, at: location) { key, present in
      Maker(Decoration(of: key, over: present, transform))
    }
  }

  /// Stores a registration for the property in its container or, if given one, in a layer.
  private func store(
    in layer: Resolver?, at location: CodeLocation,
    _ maker: (_ key: ServiceKey, _ present: Registration?) -> Maker
  ) {
    // Before containers that the root does not reach, a layer comes with keys of their own.
    let isQualified = layer != nil && !isReached(ContextFrame.current)
    if isQualified { di_note(di_qualified_keys_are_used, true) }
    let (key, core) = (isQualified ? qualifiedKey : key, layer?.core ?? core)
    let declared = layer.map { _ in DeclaredService(key: self.key, core: self.core) }
    let target = RegistrationTarget.current(for: core)
    var made: Registration
    var present: Registration?
    repeat {
      present = target.registry.find(key)
      made = registration(
        maker(key, present), scope(ofRegistered: target.frame), key, location, target.options())
      // Again, if another thread registers meanwhile: a decoration wraps what is present.
    } while !target.store(made, over: present, for: declared)
    if !made.isDecoration {
      target.forgetDeclared(key)
      // `autoRegister` only registers again what a reset took away.
      if target.context.setUp != .autoRegister(ObjectIdentifier(core)) {
        forgetSingleton(key.property!, registeredIn: core, target.frame)
      }
    }
    target.tell(of: made)
  }
}

// MARK: - Settings

extension Declaration {
  /// Returns the scope of what is registered: of a layer's double, the one in which the service is
  /// without it.
  private func scope(ofRegistered frame: ContextFrame?) -> Scope {
    scope(frame, in: core.holdsDoubles ? (frame?.root ?? Resolver.processRoot).core : core)
  }

  /// Sets the factory for kinds of contexts, outside the declaration.
  func store(_ types: [FactoryContextType], _ maker: Maker) {
    property.hadContexts.set(true)
    let target = RegistrationTarget.current(for: core)
    var options = Registration.Options()
    options.part = .contexts
    options.rare.contexts = core.own(key, target.frame, .contexts)?.options.rare.contexts ?? []
    options.rare.contexts.set(
      types, maker, number: SerialNumber.next(), isDouble: target.isForDoubles)
    target.registry.set(
      Registration(
        key: key, scope: .unique, location: property.location, maker: .nothing, options: options))
  }

  /// Allows the double that was registered for the property to remain unused.
  func allowNoUse() {
    let registry = RegistrationTarget.current(for: core).registry
    guard let own = registry.find(key), own.options.isDouble else { return }
    registry.set(own.otherForm { $0.mayBeUnused = true }) { $0 === own }
  }
}

// MARK: - Resetting

extension Declaration {
  /// Resets the state that the options name.
  func reset(_ options: FactoryResetOptions, at location: CodeLocation) {
    if options == .none { return }
    let frame = ContextFrame.current
    if options == .all || options == .registration {
      let present = core.registry.find(key).map { [$0] } ?? []
      Tests.findDelegate()?.note(.willReset(core, of: present, at: location))
    }
    core.reset(key, options)
    if options != .context { forgetSingleton(property, registeredIn: core, frame) }
  }

  /// Forgets the singleton of the property, in a context or outside all contexts.
  ///
  /// It is kept outside of its registration, which may be another container's or gone, and the
  /// property may be in another scope by now.
  private func forgetSingleton(
    _ property: PropertyKey, registeredIn core: ContainerCore, _ frame: ContextFrame?
  ) {
    // What is kept outside a layer remains where the layer is only being made.
    if core.holdsDoubles, frame?.isLayer(core) != true { return }
    guard property.wasSingleton.isSet, let type = self.core.containerType else { return }
    property.singletonKeeper(of: type).forget(in: frame?.cacheFrame(for: .singleton))
  }
}

extension ContainerCore {
  /// Resets the state of a property that the options name.
  func reset(_ key: ServiceKey, _ options: FactoryResetOptions) {
    let target = RegistrationTarget.current(for: self)
    switch options {
    case .none:
      break
    case .scope:
      own(key, target.frame)?.forgetKept(target.frame)
      own(key, target.frame, .declaration)?.forgetKept(target.frame)
    case .context:
      target.remove(key, .contexts)
    case .all, .registration:
      target.remove(key, .registered)
      target.forgetDeclared(key)
      if options == .all { target.remove(key, .contexts) }
    }
  }

  /// Gives what has the default scope, of the properties of the container, the new one.
  func applyDefaultScope(_ scope: Scope) {
    let target = RegistrationTarget.current(for: self)
    let properties = registries(target.frame).flatMap {
      $0.registry.everything { $0.key.property != nil }
    }
    for key in Set(properties.map(\.key)) {
      if let old = own(key, target.frame), old.options.declaredScope == .unnamed,
        old.scope !== scope
      {
        target.replace(old, with: old.inScope(scope, of: self))
      }
      // In a sandbox, requests look at the scope of a declaration.
      if target.sandbox == nil, let declared = own(key, target.frame, .declaration),
        declared.options.declaredScope == .unnamed
      {
        target.remove(key, .declaration)
      }
    }
  }
}

extension RegistrationTarget {
  /// Forgets the instances of a property's declared factory, with the registration that keeps them.
  func forgetDeclared(_ key: ServiceKey) {
    if core.own(key, frame, .declaration)?.scope.usesKeepers ?? false { remove(key, .declaration) }
  }

  /// Takes a part of a property away; a sandbox hides it.
  func remove(_ key: ServiceKey, _ part: Registration.Part) {
    guard let own = core.own(key, frame, part), !own.isRemoval else { return }
    replace(own, with: nil)
  }

  /// Replaces what stands under a key here, or is seen from here.
  fileprivate func replace(_ old: Registration, with new: Registration?) {
    let (key, part) = (old.key, old.options.part)
    let isHere = registry.find(key, part) === old
    // What another thread has stored meanwhile stays if this only changes the old one, but a reset
    // takes it away, too.
    if !isHere, sandbox == nil, new != nil { return }
    if let new = new ?? (sandbox == nil ? nil : old.resetMarker) {
      registry.set(new) { $0 == nil ? !isHere : $0 === old }
    } else {
      registry.remove(key, part)
    }
    // A singleton survives the reset of its registration.
    guard let frame, old.scope !== Scope.singleton, !old.isOfSite,
      new == nil || old.innermost.ownKeeper !== new?.innermost.ownKeeper
    else { return }
    forget(isHere ? old : nil, isHere ? [] : [old], in: frame)
  }
}

extension Registration {
  /// Forgets the instances kept for it, and for what it wraps, in a context or outside all
  /// contexts.
  func forgetKept(_ frame: ContextFrame?) {
    for registration in withWrapped {
      registration.keeper?.forget(in: frame?.cacheFrame(for: registration.scope))
    }
  }
}
