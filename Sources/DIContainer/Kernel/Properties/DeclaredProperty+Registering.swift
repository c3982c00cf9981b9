// Changes of a property's entries in its container, or in the current sandbox's view of it. Another
// thread may change an entry at the same time: then the change is made again to the new one.

extension DeclaredProperty {
  /// Registers a factory that replaces the declared one.
  func register(_ maker: Maker, at location: CodeLocation) {
    let target = RegistrationTarget.current(for: core)
    let settings = core.ownSettings(key, target.frame)
    var (own, made): (Registration?, Registration)
    repeat {
      own = core.own(key.rawKey, target.frame)
      made = registration(
        maker, scope(settings, target.frame), key, location, target.options(), settings: settings)
    } while !target.store(made, over: target.registry.find(key.rawKey))
    let declared = core.own(key.rawKey(.declaration), target.frame)
    core.renewDeclaration(key, target)
    // A singleton is kept outside of its registration.
    if !ContainerSettings.isAutoRegistering(core) {
      let singleton = Scope.singleton
      if made.scope === singleton {
        made.forgetKept(target.frame)
      } else if let own, own.scope === singleton {
        own.forgetKept(target.frame)
      } else if let declared, declared.scope === singleton {
        declared.forgetKept(target.frame)
      }
    }
    heedSettings(of: made, target)
    target.tell(of: made)
  }

  /// Applies settings that another thread made before it could find a registration.
  private func heedSettings(of made: Registration, _ target: RegistrationTarget) {
    let settings = core.ownSettings(key, target.frame)
    if target.sandbox == nil, settings?.isEmptyButForScope == false { core.needGeneralPath(key) }
    let scope = scope(settings, target.frame)
    if made.scope === scope { return }
    core.replace(key.rawKey, target) { [core] in
      $0.id == made.id && $0.scope !== scope ? $0.inScope(scope, of: core) : nil
    }
  }

  /// Registers a factory for this property in another container: a layer that is not of its type.
  func register(_ maker: Maker, in layer: Resolver, at location: CodeLocation) {
    let target = RegistrationTarget.current(for: layer.core)
    let made = registration(
      maker, scope(nil, target.frame), qualifiedKey, location, target.options())
    QualifiedKeys.areUsed.set(true)
    target.store(made, for: DeclaredService(key: key, core: core))
    target.tell(of: made)
  }

  /// Registers a decoration of the instance that there is without it, in the container or, if given
  /// one, in a layer of another type.
  func decorate<Service>(
    in layer: Resolver? = nil, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    if layer != nil { QualifiedKeys.areUsed.set(true) }
    let (key, frame) = (layer == nil ? key : qualifiedKey, ContextFrame.current)
    let settings = layer == nil ? core.ownSettings(key, frame) : nil
    let declaredHere = layer.map { _ in DeclaredService(key: self.key, core: core) }
    while true {
      let target = RegistrationTarget.current(for: layer?.core ?? core)
      let present = target.registry.find(key.rawKey)
      let id = Registration.nextID()
      let maker = Maker(
        decorating: key, id: id, over: present, in: core, at: location, transform)
      let made = registration(
        maker, scope(settings, frame), key, location, target.options(), id: id,
        settings: settings)
      guard target.store(made, over: present, for: declaredHere) else { continue }
      return target.tell(of: made)
    }
  }

  /// Returns an entry for the property, which is not stored yet.
  func registration(
    _ maker: Maker, _ scope: Scope, _ key: ServiceKey, _ location: CodeLocation,
    _ options: Registration.Options, id: UInt64 = Registration.nextID(),
    settings: FactorySettings? = nil
  ) -> Registration {
    var options = options
    options.sharesValues = true
    let isDeclaration = options.entry == .declaration
    options.property = PropertyDetails(
      takesParameter: takesParameter,
      usesDefaultScope: !isDeclaration && settings?.scope == nil && declaredScope == nil,
      isOnce: isOnce)
    // A resolution cycle does not share the nil that a declared factory returns.
    let takesShortPath =
      !takesParameter && maker.isPlain && settings?.isEmptyButForScope ?? true
      && !(isDeclaration && scope.kind == .graph && declaration.isOptional)
    options.declarations =
      !takesShortPath ? 0 : isDeclaration ? scopeCode + 1 : DeclaredScope.anyCode
    return Registration(
      id: id, key: key, scope: scope, location: location, maker: maker, options: options,
      ofPropertyIn: core)
  }
}

// MARK: - Settings

extension DeclaredProperty {
  /// Changes the settings made outside the declaration.
  func store(_ change: (inout FactorySettings) -> Void) {
    if isOnce {
      // The entry tells resets of the container.
      let frame = ContextFrame.current
      _ = declared(settings(frame), frame)
    }
    core.changeSettings(key, at: declaration.location, change)
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
    core.replace(key.rawKey, .current(for: core)) {
      if $0.isRemoval { return nil }
      return $0.otherForm { options in
        options.property?.decorator = decorator
        options.declarations = 0
      }
    }
  }

  /// Allows the double that was registered for the property to remain unused.
  func allowNoUse() {
    core.replace(key.rawKey, .current(for: core)) {
      guard $0.options.isDouble, !$0.options.isPreset else { return nil }
      return $0.otherForm { $0.isPreset = true }
    }
  }
}

// MARK: - Resetting

extension DeclaredProperty {
  /// Resets the state that the options name.
  func reset(_ options: FactoryResetOptions, at location: CodeLocation) {
    if options == .none { return }
    if options == .all || options == .registration {
      Tests.findDelegate()?.willReset(
        core, of: core.registry.find(key.rawKey).map { [$0] } ?? [], at: location)
    }
    let frame = ContextFrame.current
    let own = core.own(key.rawKey, frame)
    core.reset(key, options, isOnce: isOnce, at: declaration.location)
    if options == .context { return }
    if own?.scope === Scope.singleton { own?.forgetKept(frame) }
    forgetSingleton()
  }

  /// Forgets a singleton, which another container of the type may have made.
  private func forgetSingleton() {
    let frame = ContextFrame.current
    let settings = settings(frame)
    if scope(settings, frame) === Scope.singleton { declared(settings, frame).forgetKept(frame) }
  }
}

extension ContainerCore {
  /// The settings that the container itself has for a property, as a context sees it.
  func ownSettings(_ key: ServiceKey, _ frame: ContextFrame?) -> FactorySettings? {
    guard FactorySettings.areUsed.isSet else { return nil }
    return own(key.rawKey(.settings), frame)?.options.property?.settings
  }

  /// Changes the settings that the current view has for a property.
  func changeSettings(
    _ key: ServiceKey, at location: CodeLocation, _ change: (inout FactorySettings) -> Void
  ) {
    let target = RegistrationTarget.current(for: self)
    FactorySettings.areUsed.set(true)
    while true {
      let present = target.registry.find(key.rawKey(.settings))
      var settings = ownSettings(key, ContextFrame.current) ?? FactorySettings()
      change(&settings)
      var options = Registration.Options()
      options.entry = .settings
      options.property = PropertyDetails(settings: settings)
      let made = Registration(
        key: key, scope: .unique, location: location, maker: Maker.nothing,
        options: options)
      if target.registry.replace(present, with: made) { break }
    }
    if target.sandbox == nil { needGeneralPath(key) }
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
      $0.keeper == nil ? nil : $0.inScope($0.scope, of: self, id: Registration.nextID())
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
      if new.scope.kind.isPerSite { SharedKeepers.note(new, in: self) }
      guard target.registry.replace(present, with: new) else { continue }
      // A singleton survives the reset of its registration.
      if let frame, old.keeper !== new.keeper, old.scope !== Scope.singleton {
        target.forget(old, in: frame)
      }
      return
    }
  }

  /// Gives what is registered for properties without a scope the new default one.
  func applyDefaultScope(_ scope: Scope) {
    let target = RegistrationTarget.current(for: self)
    if ContextFrame.writableSandbox == nil {
      for old in registry.all() where old.options.declarations == 1 { needGeneralPath(old.key) }
    }
    for old in visible(target.frame) where old.options.property?.usesDefaultScope == true {
      replace(old.rawKey, target) { $0.scope === scope ? nil : $0.inScope(scope, of: self) }
    }
  }

  /// Makes requests for a property's entries take the general path, which heeds the settings.
  func needGeneralPath(_ key: ServiceKey) {
    for key in [key.rawKey, key.rawKey(.declaration)] {
      while let present = registry.find(key), present.options.declarations != 0,
        !registry.replace(present, with: present.otherForm { $0.declarations = 0 })
      {}
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

  /// Creates an entry for a property of a container, which is not stored yet.
  ///
  /// What it wraps at its place is in its scope, too.
  convenience init(
    id: UInt64, key: ServiceKey, scope: Scope, location: CodeLocation, maker: Maker,
    options: Options, ofPropertyIn core: ContainerCore
  ) {
    var maker = maker
    if case .registration(let displaced) = maker.decorates, displaced.scope !== scope {
      maker.details.decorates = .registration(displaced.inScope(scope, of: core))
    }
    let container = scope === Scope.singleton ? core.settings.containerType : nil
    self.init(
      id: id, key: key, scope: scope, location: location, maker: maker,
      keeper: container.map { SharedKeepers.singleton(key.property!, of: $0, key.type) },
      options: options)
  }

  /// Returns a form of a property's registration with instances of its own, in a scope.
  func inScope(_ scope: Scope, of core: ContainerCore, id: UInt64? = nil) -> Registration {
    Registration(
      id: id ?? self.id, key: key, scope: scope, location: location, maker: maker,
      options: options, ofPropertyIn: core)
  }

  /// Forgets the instances kept for it, and for what it wraps, in a context or outside all
  /// contexts.
  func forgetKept(_ frame: ContextFrame?) {
    for registration in withDisplaced {
      registration.keeper?.forget(in: frame?.cacheFrame(for: registration.scope))
    }
  }
}
