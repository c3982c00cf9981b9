internal import DIPrimitives

// The registry's entries for properties that declare services: registrations of the kernel, each
// with a record. There are two kinds. One represents something that was registered. The other, a
// *declaration*, represents the property itself: it holds the settings made outside the
// declaration, and keeps the instance that the property's closure makes. Searches for a
// registration skip it. It does not hold the closure, which would hold the container.

/// A record without its types.
protocol AnyFactoryRecord: AnyObject {
  /// Whether there are settings made outside the declaration.
  var hasSettings: Bool { get }

  /// Whether the registration alone cannot build an instance, but needs a parameter or the
  /// property.
  var needsParameter: Bool { get }

  /// Returns the registration with the state reset that the options name.
  ///
  /// `isInView`: whether it is reset in a sandbox's view only.
  func reset(
    _ registration: Registration, _ options: FactoryResetOptions, isInView: Bool
  ) -> Registration

  /// Returns the registration in a form whose requests take the slow path.
  func needingALook(_ registration: Registration) -> Registration

  /// Returns the registration in a new default scope of its container; nil if it does not use that,
  /// or does not change.
  func withDefaultScope(_ scope: Scope?, _ registration: Registration) -> Registration?

  /// Returns a copy that keeps the registration's current instances, and forgets them separately.
  func copy(_ registration: Registration, _ frame: ContextFrame?) -> Registration

  /// The registration from which this record's was copied; nil once the copy forgets its instances.
  var original: Registration? { get }

  /// Makes a copy keep the instances of its original, if it has one.
  ///
  /// `asked`: the requested container, if it may not be the owner.
  func keepWhatIsKept(for copy: Registration, _ frame: ContextFrame?, asked: ContainerCore?)

  /// Returns a record for another registration that represents the decoration, which keeps its own
  /// instances by parameter.
  ///
  /// `original`: the registration that the other is a copy of, if any.
  func ofAnother(copyOf original: Registration?) -> any AnyFactoryRecord

  /// Makes the instances kept by parameter be forgotten with those of a registration that it wraps.
  func follow(_ wrapped: Registration)

  /// Forgets the instances kept for a registration and those that decorations make of them, but not
  /// those kept for what it wraps.
  func forgetOwn(_ registration: Registration, _ frame: ContextFrame?)

  /// Returns whether a scope keeps an instance for any parameter.
  func keepsByParameter(_ registration: Registration, in caches: ContextFrame) -> Bool

  /// Forgets the instances that a scope keeps by parameter for a replaced registration.
  ///
  /// Singletons remain: they do not belong to the registration.
  func forgetParameters(_ registration: Registration, keptIn caches: ContextFrame)

  /// Forgets the instances kept in a context, or outside all contexts, also for what it wraps.
  func forget(_ registration: Registration, _ frame: ContextFrame?)
}

final class FactoryRecord<P, T>: AnyFactoryRecord {
  /// The source of a property's instances.
  enum Content {
    /// Only its declaration.
    case declaration
    /// A closure, and its form without a parameter if it needs none.
    case closure((P) throws -> T, plain: Make<T>?)
    /// A decoration of the instance that there is without it.
    case decoration(FactoryDecoration<T>)
    /// A decoration over one registration that it wraps. It does not hold the decoration, which
    /// holds this.
    case wrapping
  }

  let settings: FactorySettings<P, T>
  let content: Content
  /// The scope that the declaration names, or nil for the container's default.
  let declaredScope: Scope?
  let property: PropertyKey
  let containerType: Any.Type?
  /// Whether `reset(.context)` also resets the declaration's own contexts.
  let isOnce: Bool
  /// The instances kept by parameter; nil for a service that takes none.
  private let ownParameters: ParameterSlots<T>?
  let expiry: ExpiryClock
  private let copied: Lock<Registration?>?

  init(
    settings: FactorySettings<P, T> = .init(), content: Content, declaredScope: Scope?,
    property: PropertyKey, containerType: Any.Type?, isOnce: Bool,
    parameters: ParameterSlots<T>? = nil, expiry: ExpiryClock? = nil,
    original: Registration? = nil
  ) {
    self.settings = settings
    self.content = content
    self.declaredScope = declaredScope
    self.property = property
    self.containerType = containerType
    self.isOnce = isOnce
    ownParameters = P.self == Void.self ? nil : parameters ?? ParameterSlots()
    self.expiry = expiry ?? ExpiryClock()
    copied = original.map { Lock($0) }
  }

  /// Returns the instances kept by parameter; for a singleton, those of the container type.
  func parameters(_ scope: Scope) -> ParameterSlots<T>? {
    guard let ownParameters else { return nil }
    guard scope === Scope.singleton, let containerType else { return ownParameters }
    // The wrapped instance is kept there.
    switch content {
    case .decoration, .wrapping: return ownParameters
    case .declaration, .closure: break
    }
    return SingletonSlots.shared.parameters(containerType, property)
  }

  var isRegistered: Bool {
    if case .declaration = content { false } else { true }
  }

  var hasSettings: Bool { !settings.isEmpty }
  var needsParameter: Bool {
    if case .closure(_, .some) = content { false } else { true }
  }

  /// Returns the registration for this record.
  ///
  /// - Parameters:
  ///   - id: Its identity; a new one unless given.
  ///   - scope: The scope of its instance.
  ///   - location: The place where it was made.
  ///   - slot: The slot of its instance; a new one unless given.
  ///   - isQuick: Whether requests may use it on the fast path.
  ///   - options: The options that do not depend on the types.
  /// - Returns: The registration, which is not stored yet.
  func registration(
    id: UInt64 = Registration.nextID(), scope: Scope, location: CodeLocation,
    slot: Keeper? = nil, isQuick: Bool = true, options: Registration.Options
  ) -> Registration {
    var options = options
    options.factory = self
    if !isRegistered, settings.isEmpty {
      // It contains nothing but production code; start-up code may replace it.
      options.isBase = true
      options.isDouble = false
      options.wasResolved = nil
    }
    options.sharesValues = true
    options.isDeclaration = !isRegistered
    options.declarations = isQuick ? quickDeclarations(scope) : 0
    let slot =
      scope === Scope.singleton && containerType != nil
      ? SingletonSlots.shared.slot(containerType!, property, T.self) : slot
    return Registration(
      id: id, key: ServiceKey(T.self, property: property), scope: scope, location: location,
      recipe: recipe, slot: slot, options: options)
  }

  private var recipe: Recipe {
    // A source without a plain form is used through its record.
    switch content {
    case .declaration, .wrapping: return Recipe(Make<T>.plain { nil })
    case .closure(_, let plain): return Recipe(plain ?? .plain { nil })
    case .decoration(let decoration):
      var recipe = Recipe(Make<T>.plain { nil })
      recipe.details.home = .under(decoration.wrapped)
      recipe.details.wrappings = decoration.wrappings
      return recipe
    }
  }

  private func quickDeclarations(_ scope: Scope) -> UInt8 {
    guard settings.isEmptyButForScope, P.self == Void.self else { return 0 }
    // A resolution cycle does not share nil.
    if scope.kind == .graph, isOptional(T.self) { return 0 }
    switch content {
    case .declaration: break
    case .closure(_, let plain): return plain == nil ? 0 : DeclaredScope.anyCode
    case .decoration, .wrapping: return 0
    }
    return settings.scope == nil ? DeclaredScope.code(of: declaredScope) + 1 : 0
  }

  private func with(
    _ settings: FactorySettings<P, T>, _ content: Content, expiry: ExpiryClock? = nil,
    original: Registration? = nil
  ) -> FactoryRecord {
    FactoryRecord(
      settings: settings, content: content, declaredScope: declaredScope, property: property,
      containerType: containerType, isOnce: isOnce, expiry: expiry, original: original)
  }

  func reset(
    _ registration: Registration, _ options: FactoryResetOptions, isInView: Bool
  ) -> Registration {
    var settings = settings
    var content = content
    switch options {
    case .none: return registration
    case .all:
      settings = FactorySettings()
      content = .declaration
    case .registration: content = .declaration
    case .context:
      settings.contexts = []
      settings.hidesDeclaredContexts = isOnce
    case .scope: break
    }
    let record = with(settings, content)
    let isRegistered = record.isRegistered
    var newOptions = registration.options
    // Resetting only the contexts does not affect what is registered.
    if options != .context {
      newOptions.isTakenBack = isInView && !isRegistered && !registration.saysNothing
    }
    return record.registration(
      id: isRegistered ? registration.id : Registration.nextID(),
      scope: options == .all ? declaredScope ?? .unique : registration.scope,
      location: registration.location,
      slot: options == .context ? registration.slot : nil, options: newOptions)
  }

  func needingALook(_ registration: Registration) -> Registration {
    self.registration(
      id: registration.id, scope: registration.scope, location: registration.location,
      slot: registration.slot, isQuick: false, options: registration.options)
  }

  func withDefaultScope(_ scope: Scope?, _ registration: Registration) -> Registration? {
    let scope = scope ?? .unique
    guard isRegistered, settings.scope == nil, declaredScope == nil, registration.scope !== scope
    else { return nil }
    return with(settings, content).registration(
      id: registration.id, scope: scope, location: registration.location,
      options: registration.options)
  }

  func copy(
    _ registration: Registration, _ frame: ContextFrame?
  ) -> Registration {
    var content = content
    if case .decoration(let decoration) = content { content = .decoration(decoration.copy(frame)) }
    let record = with(settings, content, expiry: expiry, original: registration)
    let copy = record.registration(
      id: registration.id, scope: registration.scope, location: registration.location,
      options: registration.options)
    record.keepWhatIsKept(for: copy, frame, asked: nil)
    return copy
  }

  var original: Registration? { copied?.withLock { $0 } }

  func keepWhatIsKept(for copy: Registration, _ frame: ContextFrame?, asked: ContainerCore?) {
    guard let original, let record = original.options.factory as? FactoryRecord else { return }
    let (base, list) = (record.parameters(original.scope), parameters(copy.scope))
    for caches in Self.keepers(original.scope, frame) {
      let fill = { (base: Keeper, own: Keeper) in
        self.fill(own, from: base, keptIn: caches)
        guard let asked, base.scope.kind == .containerAsked else { return }
        self.fill(asked.askedSlot(for: own), from: asked.askedSlot(for: base), keptIn: caches)
      }
      if let base, let list, list !== base, let present = base.existing(caches) {
        list.own(caches).copy(present, fill: fill)
      }
      if let base = original.slot, let own = copy.slot, base !== own { fill(base, own) }
    }
  }

  /// Returns the keepers that may hold instances for a registration that replaces another in a
  /// context: the scopes in the sandbox and the sandbox, or else all scopes and the process (nil).
  private static func keepers(_ scope: Scope, _ frame: ContextFrame?) -> [ContextFrame?] {
    guard let frame else { return [nil] }
    var keepers: [ContextFrame?] = []
    for next in frame.chain {
      if next.cacheFrame(for: scope) === next { keepers.append(next) }
      if next.kind == .sandbox { return keepers }
    }
    return keepers + [nil]
  }

  private func fill(_ own: Keeper, from base: Keeper, keptIn caches: ContextFrame?) {
    func inForce(_ slot: Keeper) -> Keeper { caches?.slot(for: slot) ?? slot }
    let thread = di_thread_get()
    if let kept = inForce(base).kept(as: T.self) {
      expiry.note(inForce(own), askedLikeThat: inForce(base))
      _ = try? inForce(own).value(
        thread, onRelease: nil, cycle: { _ in ResolutionError.startupUnderWay }, build: { kept })
    } else {
      // An instance that is being built now is not to be kept once the copy is removed.
      inForce(base).forget()
    }
  }

  func keepsByParameter(_ registration: Registration, in caches: ContextFrame) -> Bool {
    parameters(registration.scope)?.existing(caches)?.keepsAny(in: caches) ?? false
  }

  func forgetParameters(_ registration: Registration, keptIn caches: ContextFrame) {
    guard registration.scope !== Scope.singleton, let ownParameters else { return }
    for list in ownParameters.withDecorated { list.existing(caches)?.forget(keptIn: caches) }
  }

  func ofAnother(copyOf original: Registration?) -> any AnyFactoryRecord {
    let record = original?.options.factory as? FactoryRecord
    return with(settings, .wrapping, expiry: record?.expiry, original: original)
  }

  func follow(_ wrapped: Registration) {
    guard let ownParameters, let record = wrapped.options.factory as? FactoryRecord else { return }
    record.parameters(wrapped.scope)?.addDecorated(ownParameters)
  }

  func forget(_ registration: Registration, _ frame: ContextFrame?) {
    if case .decoration(let decoration) = content { decoration.forget(frame) }
    forgetOwn(registration, frame)
  }

  func forgetOwn(_ registration: Registration, _ frame: ContextFrame?) {
    let left = copied?.withLock { copied in
      defer { copied = nil }
      return copied
    }
    withExtendedLifetime(left) {}
    let caches = frame?.cacheFrame(for: registration.scope)
    for list in parameters(registration.scope)?.withDecorated ?? [] {
      list.existing(caches)?.forget(keptIn: caches)
    }
    guard let slot = registration.slot else { return }
    for slot in [slot] + slot.allDecorated {
      if let caches { caches.reset(slot) } else { slot.forget() }
    }
  }
}

extension ContextFrame {
  /// Releases the frame's slot for a registration that was replaced.
  func dropSlot(of old: Registration, replacedBy new: Registration) {
    guard let slot = old.slot, slot !== new.slot, old.scope !== Scope.singleton else { return }
    cacheFrame(for: old.scope)?.forget(slot)
  }
}
