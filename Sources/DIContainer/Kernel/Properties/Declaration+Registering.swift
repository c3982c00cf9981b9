// Changes of a property's entries in its container, or in the current sandbox's view of it. Another
// thread may change an entry at the same time: then the change is made again to the new one.

extension Declaration {
  /// Registers a factory that replaces the declared one, in the container or, if given one, in a
  /// layer that is not of its type.
  func register(_ maker: Maker, in layer: Resolver? = nil, at location: CodeLocation) {
    let target = RegistrationTarget.current(for: layer?.core ?? core)
    var own: Registration?
    let made = store(in: target, isHere: layer == nil, location) { key, _, _ in
      own = core.own(key.rawKey, target.frame)
      return maker
    }
    if layer == nil {
      let declared = core.own(key.rawKey(.declaration), target.frame)
      if declared?.keeper != nil { core.renewDeclaration(key, target) }
      // A singleton is kept outside of its registration.
      if let singleton = [made, own, declared].first(where: { $0?.scope === Scope.singleton }),
        !ContainerSettings.isAutoRegistering(core)
      {
        singleton?.forgetKept(target.frame)
      }
      heedSettings(of: made, target)
    }
    target.tell(of: made)
  }

  /// Registers a decoration of the instance that there is without it, in the container or, if given
  /// one, in a layer of another type.
  func decorate<Service>(
    in layer: Resolver? = nil, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    let target = RegistrationTarget.current(for: layer?.core ?? core)
    let made = store(in: target, isHere: layer == nil, location) { key, id, present in
      Maker(decorating: key, id: id, over: present, in: core, at: location, transform)
    }
    target.tell(of: made)
  }

  /// Stores a registration for the property in its container or, if not `isHere`, in a layer.
  private func store(
    in target: RegistrationTarget, isHere: Bool, _ location: CodeLocation,
    _ maker: (_ key: ServiceKey, _ id: UInt64, _ present: Registration?) -> Maker
  ) -> Registration {
    if !isHere { QualifiedKeys.areUsed.set(true) }
    let key = isHere ? key : qualifiedKey
    while true {
      let present = target.registry.find(key.rawKey)
      let outside = isHere ? core.ownSettings(key, target.frame) : nil
      let id = SerialNumber.next()
      let made = registration(
        maker(key, id, present), scope(outside, target.frame), key, location, target.options(),
        id: id, outside: outside)
      let declared = isHere ? nil : DeclaredService(key: self.key, core: core)
      if target.store(made, over: present, for: declared) { return made }
    }
  }

  /// Applies settings that another thread made before it could find a registration.
  private func heedSettings(of made: Registration, _ target: RegistrationTarget) {
    let scope = scope(core.ownSettings(key, target.frame), target.frame)
    if made.scope === scope { return }
    core.replace(key.rawKey, target) { [core] in
      $0.id == made.id && $0.scope !== scope ? $0.inScope(scope, of: core) : nil
    }
  }
}

// MARK: - Settings

extension Declaration {
  /// Changes the settings made outside the declaration.
  func store(_ change: (inout FactorySettings) -> Void) {
    if marks.isOnce {
      // The entry tells resets of the container.
      let frame = ContextFrame.current
      _ = entry(outside(frame), frame)
    }
    core.changeSettings(key, at: property.location, change)
  }

  /// Sets the scope outside the declaration, also that of what is registered.
  func setScope(_ scope: Scope?) {
    store { $0.scope = scope }
    guard let scope else { return }
    core.replace(key.rawKey, .current(for: core)) { [core] in
      $0.isRemoval || $0.scope === scope ? nil : $0.inScope(scope, of: core)
    }
  }

  /// Sets the decorator for the instances of what was just registered.
  func setDecorator(_ decorator: @escaping InstanceObserver) {
    property.note(.beyondScope)
    core.replace(key.rawKey, .current(for: core)) {
      $0.isRemoval ? nil : $0.otherForm { $0.property?.decorator = decorator }
    }
  }

  /// Allows the double that was registered for the property to remain unused.
  func allowNoUse() {
    core.replace(key.rawKey, .current(for: core)) {
      guard $0.options.isDouble, !$0.options.mayBeUnused else { return nil }
      return $0.otherForm { $0.mayBeUnused = true }
    }
  }
}

// MARK: - Resetting

extension Declaration {
  /// Resets the state that the options name.
  func reset(_ options: FactoryResetOptions, at location: CodeLocation) {
    if options == .none { return }
    if options == .all || options == .registration {
      Tests.findDelegate()?.willReset(
        core, of: core.registry.find(key.rawKey).map { [$0] } ?? [], at: location)
    }
    let frame = ContextFrame.current
    let own = core.own(key.rawKey, frame)
    core.reset(key, options, isOnce: marks.isOnce, at: property.location)
    if options == .context { return }
    if own?.scope === Scope.singleton { own?.forgetKept(frame) }
    forgetSingleton()
  }

  /// Forgets a singleton, which another container of the type may have made.
  private func forgetSingleton() {
    let frame = ContextFrame.current
    let outside = outside(frame)
    if scope(outside, frame) === Scope.singleton { entry(outside, frame).forgetKept(frame) }
  }
}

extension ContainerCore {
  /// The settings that the container itself has for a property, as a context sees it.
  func ownSettings(_ key: ServiceKey, _ frame: ContextFrame?) -> StoredSettings? {
    guard key.property?.uses.contains(.settings) ?? false else { return nil }
    return own(key.rawKey(.settings), frame)?.options.property?.settings
  }

  /// Changes the settings that the current view has for a property.
  func changeSettings(
    _ key: ServiceKey, at location: CodeLocation, _ change: (inout FactorySettings) -> Void
  ) {
    let target = RegistrationTarget.current(for: self)
    while true {
      let present = target.registry.find(key.rawKey(.settings))
      var settings = ownSettings(key, ContextFrame.current)?.value ?? FactorySettings()
      change(&settings)
      let stored = StoredSettings(settings)
      key.property?.note(stored.isOnlyScope ? .settings : [.settings, .beyondScope])
      var options = Registration.Options()
      options.entry = .settings
      options.property = PropertyDetails(settings: stored)
      let made = Registration(
        key: key, scope: .unique, location: location, maker: Maker.nothing,
        options: options)
      if target.registry.replace(present, with: made) { return }
    }
  }

  /// Resets the state of a property that the options name.
  func reset(
    _ key: ServiceKey, _ options: FactoryResetOptions, isOnce: Bool, at location: CodeLocation
  ) {
    let frame = ContextFrame.current
    switch options {
    case .none:
      break
    case .scope:
      own(key.rawKey, frame)?.forgetKept(frame)
      own(key.rawKey(.declaration), frame)?.forgetKept(frame)
    case .context:
      guard isOnce || ownSettings(key, frame) != nil else { return }
      changeSettings(key, at: location) {
        $0.contexts = []
        $0.hidesDeclaredContexts = isOnce
      }
    case .all, .registration:
      let target = RegistrationTarget.current(for: self)
      takeBack(key.rawKey, target)
      if options == .all { takeBack(key.rawKey(.settings), target) }
      renewDeclaration(key, target)
    }
  }

  /// Removes an entry, or in a sandbox hides it.
  private func takeBack(_ key: RawKey, _ target: RegistrationTarget) {
    replace(key, target) { $0.isRemoval ? nil : $0.resetMarker }
  }

  /// Forgets what the declared factory of a property made, by making another entry for it.
  func renewDeclaration(_ key: ServiceKey, _ target: RegistrationTarget) {
    replace(key.rawKey(.declaration), target) {
      $0.keeper == nil ? nil : $0.inScope($0.scope, of: self, id: SerialNumber.next())
    }
  }

  /// Replaces an entry, as the current view has it, and releases what the view kept for it.
  func replace(
    _ key: RawKey, _ target: RegistrationTarget, with change: (Registration) -> Registration?
  ) {
    let frame = target.frame
    while true {
      // First, so that what is found next is not older.
      let present = target.registry.find(key)
      guard let old = own(key, frame), let new = change(old) else { return }
      SharedKeepers.note(new, in: self)
      guard target.registry.replace(present, with: new) else { continue }
      SharedKeepers.note(new, in: self)
      // A singleton survives the reset of its registration.
      if let frame, old.keeper !== new.keeper || old.isOfSite, old.scope !== Scope.singleton {
        let isDropped = old === present
        target.forget(
          isDropped ? old : nil, isDropped ? [] : [old], in: frame, replacedBy: new)
      }
      return
    }
  }

  /// Gives the entries of properties without a scope the new default one.
  func applyDefaultScope(_ scope: Scope) {
    let target = RegistrationTarget.current(for: self)
    // The general path checks the scope of a declaration; the short path does not.
    let declared = registry.all().filter {
      target.sandbox == nil && $0.options.entry == .declaration
    }
    for old in visible(target.frame) + declared
    where old.options.property?.usesDefaultScope == true {
      replace(old.rawKey, target) {
        let hasOwn = ownSettings(old.key, target.frame)?.value.scope != nil
        return hasOwn || $0.scope === scope ? nil : $0.inScope(scope, of: self)
      }
    }
  }
}

extension Registration {
  /// Returns another form of it, for which the same instances are kept.
  func otherForm(_ change: (inout Options) -> Void) -> Registration {
    var options = options
    change(&options)
    return Registration(
      id: id, key: key, scope: scope, location: location, maker: maker, keeper: keeper,
      options: options)
  }

  /// Forgets the instances kept for it, and for what it wraps, in a context or outside all
  /// contexts.
  func forgetKept(_ frame: ContextFrame?) {
    for registration in withDisplaced {
      registration.keeper?.forget(in: frame?.cacheFrame(for: registration.scope))
    }
  }
}
