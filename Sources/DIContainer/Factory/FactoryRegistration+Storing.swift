// Settings made outside the declaration of a service are stored as a registration of its container,
// or in the sandbox's view of it.

extension FactoryRegistration {
  var key: RawKey { RawKey(declaration.property) }

  /// Returns the container's own registration for the property, as a context sees it.
  ///
  /// A mere declaration without settings is skipped if a table further out has more.
  func own(_ frame: ContextFrame?) -> Registration? { Look(key, in: core, frame).own }

  func record(_ registration: Registration) -> FactoryRecord<P, T> {
    unsafeDowncast(registration.options.factory!, to: FactoryRecord<P, T>.self)
  }

  /// Returns the scope of instances that the declaration makes.
  func scope(_ settings: FactorySettings<P, T>, _ frame: ContextFrame?) -> Scope {
    settings.scope ?? declaredScope ?? core.factories.defaultScope(core, frame) ?? .unique
  }

  /// The entries for the property, in the container's own table and in sandboxes' views of it.
  private struct Look {
    let nearest: Registration?
    /// The registration that `own(_:)` returns.
    let own: Registration?
    /// Whether the container's own table is among them.
    let seesCore: Bool
    private let registries: [Registry]
    private let found: [Registration?]

    /// Reads each table once, because other threads may change them at the same time.
    init(_ key: RawKey, in core: ContainerCore, _ frame: ContextFrame?) {
      registries = core.registries(frame)
      found = registries.map { $0.find(key) }
      var nearest: Registration?
      var own: Registration?
      for case let registration? in found {
        nearest = nearest ?? registration
        own = own ?? (registration.saysNothing ? nil : registration)
      }
      self.nearest = nearest
      self.own = own ?? nearest
      seesCore = registries.last === core.registry
    }

    func present(in registry: Registry, _ key: RawKey) -> Registration? {
      guard let index = registries.firstIndex(where: { $0 === registry }) else {
        return registry.find(key)
      }
      return found[index]
    }
  }

  /// Returns the registration that represents the declaration, with a scope; nil if something was
  /// registered meanwhile.
  ///
  /// It is made on first use. If a sandbox's view differs from the container's, it belongs to the
  /// sandbox.
  func standIn(_ scope: Scope, _ frame: ContextFrame?) -> Registration? {
    if let nearest = core.own(key, frame), stands(nearest, scope) { return nearest }
    let look = Look(key, in: core, frame)
    if let nearest = look.nearest, stands(nearest, scope) { return nearest }
    let own = look.own
    if let own, !own.options.isDeclaration, !own.isRemoval, find(frame) != nil { return nil }
    var settings = FactorySettings<P, T>()
    if let own, own.options.isDeclaration { settings = record(own).settings }
    // The first entry belongs to the container; with one present, a sandbox makes its own.
    let isFirst = own == nil && look.seesCore
    let sandbox = isFirst || ContextFrame.isSettingUp ? nil : frame?.sandbox
    let registry = sandbox?.makeRegistry(over: core) ?? core.registry
    let present = look.present(in: registry, key)
    let made = record(settings, .declaration).registration(
      scope: scope, location: declaration.location,
      options: options(Registration.Options(), of: own, insteadOf: present))
    if made.scope.kind.isPerSite { SiteSlots.shared.note(made, in: core) }
    if registry.set(made, mayBeNew: present == nil, unless: { $0 !== present }) { return made }
    return standIn(scope, frame)
  }

  /// Returns whether a registration represents the declaration with a scope.
  private func stands(_ registration: Registration, _ scope: Scope) -> Bool {
    let options = registration.options
    return options.isDeclaration && registration.scope === scope
      && (options.declarations == 0 || options.declarations == scopeCode + 1)
  }

  /// Returns the options of a changed form, which hides entries below it only if the previous one
  /// did.
  private func options(
    _ options: Registration.Options, of own: Registration?, insteadOf present: Registration?
  ) -> Registration.Options {
    var options = options
    options.isTakenBack = own?.options.isTakenBack == true && present === own
    return options
  }

  func record(
    _ settings: FactorySettings<P, T>, _ content: FactoryRecord<P, T>.Content
  ) -> FactoryRecord<P, T> {
    FactoryRecord(
      settings: settings, content: content, declaredScope: declaredScope,
      property: declaration.property, containerType: core.factories.containerType, isOnce: isOnce)
  }

  /// Stores the scope that was named outside the declaration.
  @usableFromInline
  func storeScope() {
    let scope = declaredScope
    store { $0.scope = scope }
  }

  /// Changes the settings made outside the declaration.
  func store(_ change: (inout FactorySettings<P, T>) -> Void) {
    let frame = ContextFrame.current
    let target = RegistrationTarget.current(for: core)
    let look = Look(key, in: core, frame)
    let own = look.own
    let present = look.present(in: target.registry, key)
    var settings = own.map { record($0).settings } ?? FactorySettings()
    change(&settings)
    let made: Registration
    if let own {
      let record = record(own)
      // A declaration's entry may not have its new scope yet.
      let scope = settings.scope ?? own.scope
      made = FactoryRecord(
        settings: settings, content: record.content, declaredScope: declaredScope,
        property: declaration.property, containerType: record.containerType,
        isOnce: isOnce, parameters: scope === own.scope ? record.parameters(scope) : nil,
        expiry: record.expiry
      ).registration(
        id: own.id, scope: scope, location: own.location,
        slot: scope === own.scope ? own.slot : nil,
        options: options(own.options, of: own, insteadOf: present))
    } else {
      // Other threads that resolve the property now keep the instance in the container's own entry:
      // that is made first, so that the sandbox's settings share its slot.
      if target.sandbox != nil, look.seesCore,
        standIn(scope(FactorySettings(), frame), frame) != nil
      {
        return store(change)
      }
      made = record(settings, .declaration).registration(
        scope: scope(settings, frame), location: declaration.location,
        options: target.options())
    }
    if made.scope.kind.isPerSite { SiteSlots.shared.note(made, in: core) }
    let isStartup = target.isStartup
    var isLeft = false
    let isStored = target.registry.set(made, mayBeNew: present == nil) { found in
      isLeft = isStartup && found !== own && !found.options.isBase
      return isLeft || found !== present
    }
    // Another thread was faster: try again with the current state.
    if !isStored, !isLeft { store(change) }
  }

  /// Registers a closure that replaces the declaration's.
  ///
  /// - Parameters:
  ///   - make: The closure.
  ///   - plain: Its form without a parameter, if it needs none.
  ///   - location: The place of the registration.
  func register(
    _ make: @escaping (P) throws -> T, plain: Make<T>? = nil, at location: CodeLocation
  ) {
    let frame = ContextFrame.current
    let target = RegistrationTarget.current(for: core)
    let look = Look(key, in: core, frame)
    let own = look.own
    var settings = own.map { record($0).settings } ?? FactorySettings()
    if settings.decoratorIsOfRegistration { settings.decorator = nil }
    let made = record(settings, .closure(make, plain: plain)).registration(
      scope: scope(settings, frame), location: location,
      options: target.options())
    let present = look.present(in: target.registry, key)
    guard target.store(made, over: present) else {
      // The property's settings changed meanwhile, which this would lose.
      return register(make, plain: plain, at: location)
    }
    // A registration outside the sandbox is only hidden, but the instance kept for it here is
    // forgotten, too.
    if let own, own.scope !== Scope.singleton, let caches = frame?.cacheFrame(for: own.scope),
      self.own(frame) !== own,
      !(own.scope.kind.isPerSite && frame.map { SiteSlots.shared.isLinked(own, $0) } ?? false)
    {
      RegistrationTarget.forget(own, keptIn: caches)
    }
    // A singleton is kept outside the registration that was replaced.
    if !FactoryState.isAutoRegistering(core) {
      if let own, own.scope === Scope.singleton { record(own).forget(own, frame) }
      if made.scope === Scope.singleton { record(made).forget(made, frame) }
    }
    target.tell(of: made)
  }

  /// Allows the double that was registered for the property to remain unused.
  package func allowNoUse() {
    let registry = RegistrationTarget.current(for: core).registry
    guard let present = registry.find(key), present.options.isDouble, !present.options.isPreset
    else { return }
    var options = present.options
    options.isPreset = true
    let changed = Registration(
      id: present.id, key: present.key, scope: present.scope, location: present.location,
      recipe: present.recipe, slot: present.slot, options: options)
    // Something else was registered meanwhile.
    if !registry.replace(present, with: changed) { allowNoUse() }
  }

  /// Registers a closure for this property in another container: a layer that is not of its type.
  func register(
    _ make: @escaping (P) throws -> T, in layer: Resolver, at location: CodeLocation
  ) {
    let target = RegistrationTarget.current(for: layer.core)
    let made = qualifiedRecord(.closure(make, plain: nil)).registration(
      scope: scope(FactorySettings(), ContextFrame.current), location: location,
      options: target.options())
    QualifiedKeys.areUsed.set(true)
    target.store(made, for: DeclaredService(key: serviceKey, core: core))
    target.tell(of: made)
  }

  /// Returns the record that another container holds for this property.
  func qualifiedRecord(_ content: FactoryRecord<P, T>.Content) -> FactoryRecord<P, T> {
    FactoryRecord(
      content: content, declaredScope: declaredScope, property: qualifiedKey,
      containerType: core.factories.containerType, isOnce: isOnce)
  }

  var qualifiedKey: PropertyKey {
    declaration.property.qualified(by: core.factories.containerType)
  }

  /// Returns the registration that the container reaches, or that a layer has for its type.
  func find(_ frame: ContextFrame?) -> Found? { depth(frame).found }

  /// Returns the settings made outside the declaration that apply in a context.
  func settings(_ frame: ContextFrame?) -> FactorySettings<P, T> {
    Lookup.find(key, in: core, frame, wanted: .settings).map { record($0.registration).settings }
      ?? FactorySettings()
  }

  /// Forgets a singleton that another container of the type made.
  private func forgetSingleton(_ frame: ContextFrame?) {
    guard let type = core.factories.containerType,
      scope(settings(frame), frame) === Scope.singleton
    else { return }
    let slot = SingletonSlots.shared.slot(type, declaration.property, T.self)
    let list: ParameterSlots<T> = SingletonSlots.shared.parameters(type, declaration.property)
    let caches = frame?.cacheFrame(for: Scope.singleton)
    list.existing(caches)?.forget(keptIn: caches)
    for slot in [slot] + slot.allDecorated {
      if let caches { caches.reset(slot) } else { slot.forget() }
    }
  }

  /// Resets the state that the options name.
  func reset(_ options: FactoryResetOptions, at location: CodeLocation) {
    let frame = ContextFrame.current
    guard options != .none, let own = own(frame) else {
      if options != .none, options != .context { forgetSingleton(frame) }
      if options == .context, isOnce { store { $0.hidesDeclaredContexts = true } }
      return
    }
    if options == .scope { return record(own).forget(own, frame) }
    if options != .context {
      ProcessChange.noteReset(
        of: core, taking: core.registry.find(key).map { [$0] } ?? [], at: location)
    }
    takeBack(options, frame)
    if options == .context, isOnce { store { $0.hidesDeclaredContexts = true } }
  }
}

extension FactoryRegistration {
  private func takeBack(_ options: FactoryResetOptions, _ frame: ContextFrame?) {
    let target = RegistrationTarget.current(for: core)
    let look = Look(key, in: core, frame)
    guard let own = look.own else { return }
    let present = look.present(in: target.registry, key)
    let reset = record(own).reset(own, options, isInView: target.sandbox != nil)
    let isStored = target.registry.set(reset, mayBeNew: present == nil) { $0 !== present }
    // The entry changed meanwhile: reset the new one, in which the rest remains.
    guard isStored else { return takeBack(options, frame) }
    // Afterwards, so that no request keeps an instance of the old entry again.
    if options != .context { record(own).forget(own, frame) }
    frame?.dropSlot(of: own, replacedBy: reset)
  }
}

/// The flag that any layer has registered a double for a property of another container type.
enum QualifiedKeys {
  static let areUsed = Atomic()
}
