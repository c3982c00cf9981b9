internal import DIPrimitives

// What a container's registry holds for a property that declares a service: a registration of the
// kernel's, with a record. There are two kinds. One stands for something that was registered. The
// other, a *declaration*, stands for the property itself: it holds the settings from outside, and
// keeps the instance that the property's closure makes. Searches for a registration skip it. It
// does not hold the closure, which would hold the container.

/// The record of whatever types.
protocol AnyFactoryRecord: AnyObject {
  /// Whether something was said from outside.
  var hasSettings: Bool { get }

  /// Whether it cannot make anything without a parameter.
  var needsParameter: Bool { get }

  /// The registration with everything taken back that the options name, in a sandbox's view if
  /// `isInView`.
  func reset(
    _ registration: Registration, _ options: FactoryResetOptions, isInView: Bool
  ) -> Registration

  /// The registration as one that a request takes a closer look at.
  func needingALook(_ registration: Registration) -> Registration

  /// The registration in another default scope of its container, if that is its scope.
  func withDefaultScope(_ scope: Scope?, _ registration: Registration) -> Registration?

  /// A copy that keeps what the registration keeps now, and forgets on its own.
  func copy(_ registration: Registration, _ frame: ContextFrame?) -> Registration

  /// The registration that it is the record of a copy of, until that forgets what it keeps.
  var original: Registration? { get }

  /// Has a copy keep what is kept for its original, if there is one.
  ///
  /// `asked`: the container that is asked for it, where that is not the owner.
  func keepWhatIsKept(for copy: Registration, _ frame: ContextFrame?, asked: ContainerCore?)

  /// The same for another registration, for which instances are kept by parameter on their own.
  ///
  /// `original`: the one that it is a copy of, if it is one.
  func ofAnother(copyOf original: Registration?) -> any AnyFactoryRecord

  /// Has what is kept by parameter forgotten with what is kept for a registration that it wraps.
  func follow(_ wrapped: Registration)

  /// Forgets what is kept for a registration and what decorations make of it, not for what it
  /// wraps.
  func forgetOwn(_ registration: Registration, _ frame: ContextFrame?)

  /// Whether a scope keeps an instance for some parameter.
  func keepsByParameter(_ registration: Registration, in caches: ContextFrame) -> Bool

  /// Forgets what a scope keeps by parameter for a registration that was displaced.
  ///
  /// Not singletons: these are not the registration's.
  func forgetParameters(_ registration: Registration, keptIn caches: ContextFrame)

  /// Forgets what is kept in a context, or outside every context.
  func forget(_ registration: Registration, _ frame: ContextFrame?)
}

final class FactoryRecord<P, T>: AnyFactoryRecord {
  /// What there is for the property.
  enum Content {
    /// Nothing but its declaration.
    case declaration
    /// A closure, and the same without a parameter if it takes none.
    case closure((P) throws -> T, plain: Make<T>?)
    /// What wraps the instance that there would be without it.
    case decoration(FactoryDecoration<T>)
    /// Stands for a decoration over what it wraps. It does not hold it, which holds this.
    case wrapping
  }

  let settings: FactorySettings<P, T>
  let content: Content
  /// The scope that the declaration names, or nil for the container's default.
  let declaredScope: Scope?
  let property: PropertyKey
  let containerType: Any.Type?
  /// Whether the declaration's modifiers hold until they are changed from outside.
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

  /// What is kept by parameter: the process's if it is one for all containers of the type.
  func parameters(_ scope: Scope) -> ParameterSlots<T>? {
    guard let ownParameters else { return nil }
    guard scope === Scope.singleton, let containerType else { return ownParameters }
    // What it wraps is kept there.
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

  /// The registration for this record.
  ///
  /// - Parameters:
  ///   - id: Its identity; a new one unless given.
  ///   - scope: How long its instance is kept.
  ///   - location: Where it was made.
  ///   - slot: Where its instance is kept; a place of its own unless given.
  ///   - isQuick: Whether a request may use it without a closer look.
  ///   - options: What does not depend on the types.
  /// - Returns: The registration, which is not stored yet.
  func registration(
    id: UInt64 = Registration.nextID(), scope: Scope, location: CodeLocation,
    slot: Slot? = nil, isQuick: Bool = true, options: Registration.Options
  ) -> Registration {
    var options = options
    options.factory = self
    if !isRegistered, settings.isEmpty {
      // All it says is production code; start-up code may put a registration in its place.
      options.isBase = true
      options.isDouble = false
      options.isWatched = false
      options.mark = nil
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
    // What has no plain form is asked by way of its record.
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
    switch content {
    case .declaration: break
    case .closure(_, let plain): return plain == nil ? 0 : DeclaredScope.anyCode
    case .decoration, .wrapping: return 0
    }
    // A cycle does not share an answer of nil.
    if scope.kind == .graph, isOptional(T.self) { return 0 }
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
    var newOptions = registration.optionsOfOtherForm
    // To take back contexts alone says nothing about what is registered.
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
      slot: registration.slot, isQuick: false, options: registration.optionsOfOtherForm)
  }

  func withDefaultScope(_ scope: Scope?, _ registration: Registration) -> Registration? {
    let scope = scope ?? .unique
    guard isRegistered, settings.scope == nil, declaredScope == nil, registration.scope !== scope
    else { return nil }
    return with(settings, content).registration(
      id: registration.id, scope: scope, location: registration.location,
      options: registration.optionsOfOtherForm)
  }

  func copy(
    _ registration: Registration, _ frame: ContextFrame?
  ) -> Registration {
    var content = content
    if case .decoration(let decoration) = content { content = .decoration(decoration.copy(frame)) }
    let record = with(settings, content, expiry: expiry, original: registration)
    let copy = record.registration(
      id: registration.id, scope: registration.scope, location: registration.location,
      options: registration.optionsOfOtherForm)
    record.keepWhatIsKept(for: copy, frame, asked: nil)
    return copy
  }

  var original: Registration? { copied?.withLock { $0 } }

  func keepWhatIsKept(for copy: Registration, _ frame: ContextFrame?, asked: ContainerCore?) {
    guard let original, let record = original.options.factory as? FactoryRecord else { return }
    let (base, list) = (record.parameters(original.scope), parameters(copy.scope))
    for caches in Self.keepers(original.scope, frame) {
      let fill = { (base: Slot, own: Slot) in
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

  /// Who may keep something for a registration that takes the place of another in a context: the
  /// scopes in the sandbox and the sandbox; or else all scopes, and the process (nil).
  private static func keepers(_ scope: Scope, _ frame: ContextFrame?) -> [ContextFrame?] {
    guard let frame else { return [nil] }
    var keepers: [ContextFrame?] = []
    for next in frame.chain {
      if next.cacheFrame(for: scope) === next { keepers.append(next) }
      if next.kind == .sandbox { return keepers }
    }
    return keepers + [nil]
  }

  private func fill(_ own: Slot, from base: Slot, keptIn caches: ContextFrame?) {
    func inForce(_ slot: Slot) -> Slot { caches?.slot(for: slot) ?? slot }
    let thread = di_thread_get()
    if let kept = inForce(base).kept(as: T.self) {
      expiry.note(inForce(own), askedLikeThat: inForce(base))
      _ = try? inForce(own).value(
        thread, onRelease: nil, cycle: { _ in ResolutionError.startupUnderWay }, build: { kept })
    } else {
      // What is being built at this moment is not to be kept when the copy has gone again.
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
  /// Lets go of the place that the frame has for what a registration keeps, which was replaced.
  func dropSlot(of old: Registration, replacedBy new: Registration) {
    guard let slot = old.slot, slot !== new.slot, old.scope !== Scope.singleton else { return }
    cacheFrame(for: old.scope)?.forget(slot)
  }
}
