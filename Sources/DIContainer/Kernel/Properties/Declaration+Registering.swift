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
        maker(key, id, target), scope(entry.settings, in: layer, target.frame), key, location,
        target.options(), id: id, settings: entry.settings)
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
  /// Returns the scope of what is registered: of a layer's double, unless the layer sets another,
  /// the one in which the service is without it.
  private func scope(
    _ settings: SettingsBox?, in layer: Resolver?, _ frame: ContextFrame?
  ) -> Scope {
    guard layer != nil || core.holdsDoubles else { return scope(settings, frame) }
    if let scope = settings?.value.scope { return scope }
    let live = core.holdsDoubles ? (frame?.root ?? Resolver.processRoot).core : core
    return scope(outsideSettings(frame, in: live), frame, in: live)
  }

  /// Changes the settings made outside the declaration.
  func store(_ change: (inout FactorySettings) -> Void) { self.change { $0.change(change) } }

  /// Sets the scope outside the declaration, also that of what is registered.
  func setScope(_ scope: Scope?) {
    change { entry in
      entry.change { $0.scope = scope }
      guard let scope, let own = entry.registered, !own.isRemoval, own.scope !== scope else {
        return
      }
      entry.registered = own.inScope(scope, of: core)
    }
  }

  /// Sets the decorator for the instances of what was just registered.
  func setDecorator(_ decorator: @escaping InstanceObserver) {
    change { entry in
      guard let own = entry.registered, !own.isRemoval else { return }
      entry.registered = own.otherForm { $0.entry?.decorator = decorator }
    }
  }

  /// Allows the double that was registered for the property to remain unused.
  func allowNoUse() {
    change { entry in
      guard let own = entry.registered, own.options.isDouble, !own.options.mayBeUnused else {
        return
      }
      entry.registered = own.otherForm { $0.mayBeUnused = true }
    }
  }

  private func change(_ change: (inout PropertyEntry) -> Void) {
    if marks.isOnce {
      // The implicit registration tells resets of the container that it is `once`.
      let frame = ContextFrame.current
      _ = implicitRegistration(outsideSettings(frame), frame)
    }
    core.changeEntry(for: key, .current(for: core), change)
  }
}

extension PropertyEntry {
  /// Changes the settings made outside the declaration.
  fileprivate mutating func change(_ change: (inout FactorySettings) -> Void) {
    var changed = settings?.value ?? FactorySettings()
    change(&changed)
    settings = SettingsBox(changed)
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
    core.reset(key, options, isOnce: marks.isOnce)
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
  func reset(_ key: ServiceKey, _ options: FactoryResetOptions, isOnce: Bool) {
    let frame = ContextFrame.current
    let target = RegistrationTarget.current(for: self)
    switch options {
    case .none:
      break
    case .scope:
      let own = entry(for: key, frame)
      own.registered?.forgetKept(frame)
      own.implicit?.forgetKept(frame)
    case .context:
      changeEntry(for: key, target) { entry in
        guard isOnce || entry.settings?.isReset == false else { return }
        entry.change {
          $0.contexts = []
          $0.hidesDeclaredContexts = isOnce
        }
      }
    case .all, .registration:
      changeEntry(for: key, target) { entry in
        // A sandbox hides what is below.
        let hides = target.sandbox != nil
        if let own = entry.registered, !own.isRemoval {
          entry.registered = hides ? own.resetMarker : nil
        }
        if let implicit = entry.implicit, implicit.keeper != nil {
          entry.implicit = implicit.renewed(in: self)
        }
        if options == .all, entry.settings != nil { entry.settings = hides ? .reset : nil }
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
        if entry.settings?.value.scope != nil { return }
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
