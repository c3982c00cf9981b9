internal import DIPrimitives

/// Where a factory belongs, and what was said about it so far: the part that all factories share.
public struct FactoryRegistration<P, T>: Sendable {
  // Factories are made anew at each access, in the code that declares them: so what this holds is
  // plain, and the way through the common case is inlinable. With the closure of a `Factory` it
  // comes to six fields: a struct of more is destroyed by way of its metadata, for some 10 ns.

  /// What keeps the manager alive: a `Container` itself, which saves a count of references where
  /// it was just made or read; of other containers the manager, which they might replace.
  @usableFromInline let owner: Unchecked<AnyObject>
  @usableFromInline let managed: Unmanaged<ContainerManager>
  @usableFromInline let place: Unmanaged<Declaration>
  /// The scope's code in the lower bits, then the flags.
  @usableFromInline var bits: UInt8
  @usableFromInline var extras: Unchecked<FactoryExtras>?

  @inlinable @inline(__always)
  init<C: ManagedContainer>(
    _ container: C, _ location: CodeLocation, _ key: StaticString
  ) {
    let manager = container.manager
    owner = Unchecked(C.self == Resolver.self ? container : manager)
    managed = Unmanaged.passUnretained(manager)
    place = manager.declaration(container, T.self, key, location)
    bits = 0
    extras = nil
  }

  @inlinable @inline(__always)
  init(_ other: FactoryRegistration, bits: UInt8) {
    owner = other.owner
    managed = other.managed
    place = other.place
    self.bits = bits
    extras = other.extras
  }

  /// The same with one of the well-known scopes.
  @inlinable @inline(__always)
  func scoped(_ code: UInt8) -> FactoryRegistration {
    let scoped = FactoryRegistration(self, bits: bits & ~DeclaredScope.mask | code)
    if isStored { scoped.storeScope() }
    return scoped
  }

  var manager: ContainerManager { managed.takeUnretainedValue() }
  var declaration: Declaration { place.takeUnretainedValue() }

  /// What requests for the property are known by.
  package var serviceKey: ServiceKey { ServiceKey(T.self, property: declaration.property) }
  var scopeCode: UInt8 { bits & DeclaredScope.mask }

  /// Whether it was promised, and asking before it is registered may be a mistake.
  var isPromise: Bool {
    get { bits & 0x10 != 0 }
    set { bits = newValue ? bits | 0x10 : bits & ~0x10 }
  }

  /// Whether its contexts may be taken back like ones set from outside.
  var isOnce: Bool {
    get { bits & 0x20 != 0 }
    set { bits = newValue ? bits | 0x20 : bits & ~0x20 }
  }

  /// Whether what is said from now on is said about what the container holds.
  @inlinable var isStored: Bool {
    get { bits & 0x40 != 0 }
    set { bits = newValue ? bits | 0x40 : bits & ~0x40 }
  }

  /// The parameter as something to keep instances by.
  var keepBy: ((P) -> AnyHashable)? {
    get { typedExtras?.keepBy }
    set { say(declared, scope: customScope, keepBy: newValue) }
  }

  private mutating func say(
    _ settings: FactorySettings<P, T>, scope: Scope?, keepBy: ((P) -> AnyHashable)?
  ) {
    extras = Unchecked(TypedExtras(settings, scope: scope, keepBy: keepBy))
  }

  private final class TypedExtras: FactoryExtras {
    let settings: FactorySettings<P, T>
    let keepBy: ((P) -> AnyHashable)?

    init(
      _ settings: FactorySettings<P, T>, scope: Scope?, keepBy: ((P) -> AnyHashable)?
    ) {
      self.settings = settings
      self.keepBy = keepBy
      super.init(scope: scope, isOnlyScope: settings.isEmpty && keepBy == nil)
    }
  }

  private var typedExtras: TypedExtras? {
    extras.map { unsafeDowncast($0.value, to: TypedExtras.self) }
  }

  private var customScope: Scope? { extras?.value.scope }

  var core: ContainerCore { manager.core }

  var declaredScope: Scope? { DeclaredScope.scope(scopeCode, custom: customScope) }

  /// What the declaration says beyond its scope.
  var declared: FactorySettings<P, T> { typedExtras?.settings ?? FactorySettings() }

  /// Whether a modifier is called by the declaration itself, or in one expression with it.
  private func isDeclaring(_ fileID: StaticString, _ function: StaticString) -> Bool {
    !isStored && function.isSame(as: declaration.property.name)
      && fileID.isSame(as: declaration.property.fileID)
  }

  mutating func declare(_ change: (inout FactorySettings<P, T>) -> Void) {
    var settings = declared
    change(&settings)
    say(settings, scope: customScope, keepBy: keepBy)
  }

  /// Applies what a modifier says: to the declaration if that calls it, else to the container too.
  mutating func modify(
    _ fileID: StaticString, _ function: StaticString,
    declare change: (inout FactorySettings<P, T>) -> Void,
    store: (inout FactorySettings<P, T>) -> Void
  ) {
    declare(change)
    if !isDeclaring(fileID, function) { self.store(store) }
  }

  mutating func setScope(_ scope: Scope, _ fileID: StaticString, _ function: StaticString) {
    let code = DeclaredScope.code(of: scope)
    bits = bits & ~DeclaredScope.mask | code
    if code == DeclaredScope.custom { say(declared, scope: scope, keepBy: keepBy) }
    if !isDeclaring(fileID, function) { store { $0.scope = scope } }
  }
}

/// What a declaration says beside a well-known scope: a scope of the user's, contexts, a decorator,
/// a time to live.
@usableFromInline
class FactoryExtras {
  final let scope: Scope?
  final let isOnlyScope: Bool

  init(scope: Scope?, isOnlyScope: Bool) {
    self.scope = scope
    self.isOnlyScope = isOnlyScope
  }
}

extension StaticString {
  fileprivate func isSame(as text: String) -> Bool {
    guard hasPointerRepresentation else { return description == text }
    var text = text
    return text.withUTF8 { text in
      text.count == utf8CodeUnitCount && di_same_bytes(text.baseAddress, utf8Start, text.count)
    }
  }
}

// MARK: - Writing

extension FactoryRegistration {
  private var key: RawKey { RawKey(declaration.property) }

  /// The container's own registration for the property, as a context sees it.
  func own(_ frame: ContextFrame?) -> Registration? {
    if let frame {
      for sandbox in frame.chain where sandbox.kind == .sandbox {
        guard let overlay = sandbox.overlay(for: core) else { continue }
        if let own = overlay.registry.find(key) { return own }
        if overlay.masksAll { return nil }
      }
    }
    return core.registry.find(key)
  }

  func record(_ registration: Registration) -> FactoryRecord<P, T> {
    unsafeDowncast(registration.options.factory!, to: FactoryRecord<P, T>.self)
  }

  /// The scope of instances that the declaration makes.
  func scope(_ settings: FactorySettings<P, T>, _ frame: ContextFrame?) -> Scope {
    settings.scope ?? declaredScope ?? core.factories.defaultScope(core, frame) ?? .unique
  }

  /// The registration that stands for the declaration, with a scope.
  ///
  /// It is made on first use. Where a sandbox's view differs from the container's, it is the
  /// sandbox's.
  func standIn(_ scope: Scope, _ frame: ContextFrame?) -> Registration {
    let own = own(frame)
    if let own, own.options.isDeclaration, own.scope === scope,
      own.options.declarations == 0 || own.options.declarations == scopeCode + 1
    {
      return own
    }
    var settings = FactorySettings<P, T>()
    if let own, own.options.isDeclaration { settings = record(own).settings }
    let made = record(settings, make: nil).registration(
      scope: scope, location: declaration.location, options: Registration.Options())
    let sandbox = ContextFrame.isSettingUp ? nil : frame?.sandbox
    if let sandbox, core.registry.find(key) != nil {
      sandbox.makeOverlay(for: core).registry.set(made)
      return made
    }
    // Two threads that are first at once must use the same one.
    if core.registry.set(made, unless: { $0 !== own }) { return made }
    return standIn(scope, frame)
  }

  private func record(
    _ settings: FactorySettings<P, T>, make: ((P) throws -> T)?, plain: Make<T>? = nil
  ) -> FactoryRecord<P, T> {
    FactoryRecord(
      settings: settings, make: make, plain: plain, declaredScope: declaredScope,
      property: declaration.property, containerType: core.factories.containerType)
  }

  /// Sets the scope that it names from outside.
  @usableFromInline
  func storeScope() {
    let scope = declaredScope
    store { $0.scope = scope }
  }

  /// Changes what was said from outside.
  func store(_ change: (inout FactorySettings<P, T>) -> Void) {
    let frame = ContextFrame.isSettingUp ? nil : ContextFrame.current
    let target = RegistrationTarget.current(for: core)
    let own = own(frame)
    var settings = own.map { record($0).settings } ?? FactorySettings()
    change(&settings)
    let made: Registration
    if let own {
      let record = record(own)
      let isDeclaration = own.options.isDeclaration
      let scope = settings.scope ?? (isDeclaration ? scope(settings, frame) : own.scope)
      made = FactoryRecord(
        settings: settings, make: record.make, plain: record.plain, declaredScope: declaredScope,
        property: declaration.property, containerType: record.containerType,
        parameters: scope === own.scope ? record.parameters(scope) : nil, expiry: record.expiry
      ).registration(
        id: own.id, scope: scope, location: own.location,
        slot: scope === own.scope ? own.slot : nil, options: own.optionsOfOtherForm)
    } else {
      made = record(settings, make: nil).registration(
        scope: scope(settings, frame), location: declaration.location,
        options: target.options())
    }
    let isStartup = target.isStartup
    target.registry.set(made, unless: { isStartup && $0 !== own && !$0.options.isBase })
  }

  /// Registers a closure in the place of the declaration's.
  ///
  /// - Parameters:
  ///   - make: The closure.
  ///   - plain: The same without a parameter, if it needs none.
  ///   - location: Where the registration is made.
  func register(
    _ make: @escaping (P) throws -> T, plain: Make<T>? = nil, at location: CodeLocation
  ) {
    let frame = ContextFrame.isSettingUp ? nil : ContextFrame.current
    let target = RegistrationTarget.current(for: core)
    let own = own(frame)
    let settings = own.map { record($0).settings } ?? FactorySettings()
    let made = record(settings, make: make, plain: plain).registration(
      scope: scope(settings, frame), location: location,
      options: target.options())
    target.store(made)
    // A registration outside the sandbox is only hidden, but what is kept for it here goes, too.
    if let own, own.scope !== Scope.singleton, let caches = frame?.cacheFrame(for: own.scope),
      self.own(frame) !== own
    {
      RegistrationTarget.forget(own, keptIn: caches)
    }
    // A singleton is kept outside the registration that was replaced.
    if !FactoryState.isAutoRegistering(core) {
      if let own, own.scope === Scope.singleton { record(own).forget(own, frame) }
      if made.scope === Scope.singleton { record(made).forget(made, frame) }
    }
    ContextFrame.current?.observe { $0.registered(made, in: core) }
  }

  /// Registers a closure for this property in another container: a layer that is not of its type.
  func register(
    _ make: @escaping (P) throws -> T, in layer: Resolver, at location: CodeLocation
  ) {
    let target = RegistrationTarget.current(for: layer.core)
    let record = FactoryRecord(
      make: make, declaredScope: declaredScope, property: qualifiedKey,
      containerType: core.factories.containerType)
    let made = record.registration(
      scope: scope(FactorySettings(), ContextFrame.current), location: location,
      options: target.options())
    QualifiedKeys.areUsed.set(true)
    target.store(made, for: DeclaredService(key: serviceKey, core: core))
    ContextFrame.current?.observe { $0.registered(made, in: layer.core) }
  }

  private var qualifiedKey: PropertyKey {
    declaration.property.qualified(by: core.factories.containerType)
  }

  /// What answers for the property: what the container reaches, or a layer has for its type.
  func find(_ frame: ContextFrame?) -> Found? {
    let found = Lookup.find(key, in: core, frame)
    guard QualifiedKeys.areUsed.isSet, core.factories.containerType != Resolver.self else {
      return found
    }
    let root = frame?.rootCore ?? Resolver.processRoot.core
    guard let named = Lookup.find(RawKey(qualifiedKey), in: root, frame) else { return found }
    if let found, found.isDouble, found.registration.id > named.registration.id { return found }
    return named
  }

  /// The settings from outside that count.
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
    if let caches {
      caches.reset(slot)
    } else {
      slot.forget()
    }
  }

  /// Takes back what the options name.
  func reset(_ options: FactoryResetOptions) {
    let frame = ContextFrame.isSettingUp ? nil : ContextFrame.current
    guard options != .none, let own = own(frame) else {
      if options != .none, options != .context { forgetSingleton(frame) }
      if options == .context, isOnce { store { $0.hidesDeclaredContexts = true } }
      return
    }
    if options != .context { record(own).forget(own, frame) }
    guard options != .scope else { return }
    let target = RegistrationTarget.current(for: core)
    let reset = record(own).reset(own, options)
    target.registry.set(reset)
    frame?.dropSlot(of: own, replacedBy: reset)
    if options == .context, isOnce { store { $0.hidesDeclaredContexts = true } }
  }
}

/// Whether any layer has registered for a property of a container that it is not of the type of.
enum QualifiedKeys {
  static let areUsed = Atomic()
}
