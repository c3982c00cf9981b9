internal import DIPrimitives

// Changes of a property's entries in its container, or in the current sandbox's view of it.

extension Declaration {
  /// Registers a factory that replaces the declared one, in the container or, if given one, in a
  /// layer that is not of its type.
  func register(_ maker: Maker, in layer: Resolver? = nil, at location: CodeLocation) {
    store(in: layer, at: location) { _, _, _ in maker }
  }

  /// Registers a decoration of the instance that there is without it, in the container or, if given
  /// one, in a layer of another type.
  func decorate<Service>(
    in layer: Resolver? = nil, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    store(in: layer, at: location) { key, id, target in
      let present = target.registry.find(key)?.part(.registered)?.withoutEntry
      return Maker(decorating: key, id: id, over: present, in: core, at: location, transform)
    }
  }

  /// Stores a registration for the property in its container or, if given one, in a layer.
  private func store(
    in layer: Resolver?, at location: CodeLocation,
    _ maker: (_ key: ServiceKey, _ id: UInt64, _ target: RegistrationTarget) -> Maker
  ) {
    // Before containers that the root does not reach, a layer comes with keys of their own.
    let isQualified = layer != nil && !isReached(ContextFrame.current)
    if isQualified { di_note_qualified_keys() }
    let (key, core) = (isQualified ? qualifiedKey : key, layer?.core ?? core)
    let declared = layer.map { _ in DeclaredService(key: self.key, core: self.core) }
    let target = RegistrationTarget.current(for: core)
    var made: Registration?
    let isChanged = core.changeEntry(
      for: key, target, isRegistering: true, for: declared
    ) { entry in
      let id = SerialNumber.next()
      let registration = registration(
        maker(key, id, target), scope(ofRegistered: target.frame), key, location,
        target.options(), id: id)
      (made, entry.registered) = (registration, registration)
      if !registration.isDecoration, let implicit = entry.implicit, implicit.keeper != nil {
        entry.implicit = implicit.renewed(in: core)
      }
    }
    guard let made, isChanged else { return }
    if !made.isDecoration {
      forgetSingleton(key.property!, registeredIn: core, target.frame) {
        !ContainerSettings.isAutoRegistering(core)
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
    let target = RegistrationTarget.current(for: core)
    core.changeEntry(for: key, target) { entry in
      var contexts = entry.contexts?.all ?? []
      contexts.set(types, maker, number: SerialNumber.next(), isDouble: target.isForDoubles)
      entry.contexts = OuterContexts(contexts)
    }
  }

  /// Allows the double that was registered for the property to remain unused.
  func allowNoUse() {
    core.changeEntry(for: key, .current(for: core)) { entry in
      guard let own = entry.registered, own.options.isDouble, !own.options.mayBeUnused else {
        return
      }
      entry.registered = own.otherForm { $0.mayBeUnused = true }
    }
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
  ///
  /// `isDue`: whether to forget it, if there is one.
  private func forgetSingleton(
    _ property: PropertyKey, registeredIn core: ContainerCore, _ frame: ContextFrame?,
    if isDue: () -> Bool = { true }
  ) {
    // What is kept outside a layer remains where the layer is only being made.
    if core.holdsDoubles, frame?.isLayer(core) != true { return }
    guard let type = self.core.settings.containerType,
      let keeper = SharedKeepers.knownSingleton(property, of: type), isDue()
    else { return }
    keeper.forget(in: frame?.cacheFrame(for: .singleton))
  }
}

extension ContainerCore {
  /// Resets the state of a property that the options name.
  func reset(_ key: ServiceKey, _ options: FactoryResetOptions) {
    let frame = ContextFrame.current
    let target = RegistrationTarget.current(for: self)
    // A sandbox hides what is below.
    let hides = target.sandbox != nil
    func resetContexts(of entry: inout PropertyEntry) {
      guard entry.contexts?.all.isEmpty == false else { return }
      entry.contexts = hides ? OuterContexts([]) : nil
    }
    switch options {
    case .none:
      break
    case .scope:
      let own = entry(for: key, frame)
      own.registered?.forgetKept(frame)
      own.implicit?.forgetKept(frame)
    case .context:
      changeEntry(for: key, target) { resetContexts(of: &$0) }
    case .all, .registration:
      changeEntry(for: key, target) { entry in
        if let own = entry.registered, !own.isRemoval {
          entry.registered = hides ? own.resetMarker : nil
        }
        if let implicit = entry.implicit, implicit.keeper != nil {
          entry.implicit = implicit.renewed(in: self)
        }
        if options == .all { resetContexts(of: &entry) }
      }
    }
  }

  /// Gives the entries of properties without a scope the new default one.
  func applyDefaultScope(_ scope: Scope) {
    let target = RegistrationTarget.current(for: self)
    func inScope(_ old: Registration?) -> Registration? {
      guard let old, old.options.entry?.usesDefaultScope == true, old.scope !== scope else {
        return old
      }
      return old.inScope(scope, of: self)
    }
    let entries = registries(target.frame).flatMap { $0.all() }
    for key in Set(entries.map(\.key)) where key.property != nil {
      changeEntry(for: key, target) { entry in
        entry.registered = inScope(entry.registered)
        // The general path checks the scope of a declaration; the short path does not.
        if target.sandbox == nil { entry.implicit = inScope(entry.implicit) }
      }
    }
  }
}

extension Registration {
  /// Forgets the instances kept for it, and for what it wraps, in a context or outside all
  /// contexts.
  func forgetKept(_ frame: ContextFrame?) {
    for registration in withDisplaced {
      registration.keeper?.forget(in: frame?.cacheFrame(for: registration.scope))
    }
  }
}
