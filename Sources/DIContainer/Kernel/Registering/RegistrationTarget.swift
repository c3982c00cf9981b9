internal import DIPrimitives

/// The destination of a registration: a container, or a sandbox's view of it.
struct RegistrationTarget {
  let core: ContainerCore
  /// The current frame; nil in production, and in production setup.
  let frame: ContextFrame?
  /// The sandbox that holds new registrations, if any.
  let sandbox: ContextFrame?
  let registry: Registry
  /// Whether production setup code is running.
  let isBase: Bool
  let context: RegisteringContext

  /// `sandbox`: the sandbox that holds new registrations.
  init(
    _ core: ContainerCore, in frame: ContextFrame?, sandbox: ContextFrame?, isBase: Bool,
    context: RegisteringContext
  ) {
    self.core = core
    self.frame = frame
    self.sandbox = sandbox
    registry = sandbox?.makeRegistry(over: core) ?? core.registry
    self.isBase = isBase
    self.context = context
  }

  static func current(for core: ContainerCore) -> RegistrationTarget {
    let frame = ContextFrame.current
    let context = RegisteringContext.current
    return RegistrationTarget(
      core, in: frame, sandbox: frame?.sandbox,
      // Set-up code has no frame: a task-local is read only where there is none.
      isBase: frame == nil && ContextFrame.isSettingUp || context.setUp != nil
        || context.isProduction,
      context: context)
  }

  /// The scope of registrations that specify none.
  var defaultScope: Scope {
    core.defaultScope ?? frame?.setting(\.defaultScope) ?? Resolver.processWideDefaultScope
  }

  /// Reports a registration or removal that was just made to recorders and issue checks.
  func tell(of registration: Registration) {
    guard let frame else {
      if !isBase, di_attention_needed() != 0 || Tests.arePossible {
        Tests.findDelegate()?.note(.changed(registration, in: core, nil, isOfLayer: false))
      }
      return
    }
    // Recorders receive registrations and requests, not removals.
    if !registration.isRemoval { frame.record(registration, in: core) }
    if sandbox != nil || isBase || core.holdsDoubles { return }
    let isOfLayer = context.assembliesAreDoubles && !registration.isRemoval
    Tests.findDelegate()?.note(.changed(registration, in: core, frame, isOfLayer: isOfLayer))
  }

  func options(_ dependencies: [Dependency]? = nil) -> Registration.Options {
    var options = Registration.Options()
    options.isBase = isBase
    if context.setUp == .startup { options.repeatedSetUp = .startup }
    // A reset of another container does not repeat what it registers there.
    if context.setUp == .autoRegister(ObjectIdentifier(core)) {
      options.repeatedSetUp = .autoRegister
    }
    options.assembly = context.assembly
    options.boundary = context.boundary ?? core.boundary
    if let dependencies { options.rare.dependencies = dependencies }
    if isForDoubles {
      options.isDouble = true
      options.wasResolved = Atomic()
    }
    return options
  }

  /// Notes the live registration that a new live one is about to replace in its container; returns
  /// the earlier ones, live or doubles as it is, that aliases may tell apart from it.
  func noteReplaced(
    by options: inout Registration.Options, for key: ServiceKey, at location: CodeLocation
  ) -> [Registration] {
    guard let present = registry.find(key), present.registersService,
      present.options.isDouble == options.isDouble
    else { return [] }
    if !options.isDouble, present.location != location {
      options.rare.replaced = present.location
    }
    let earlier = withAliases([present] + present.earlier, of: key)
    if earlier.isEmpty { return [] }
    options.rare.earlier = Registration.EarlierRegistrations()
    return earlier.map { $0.otherForm { $0.rare.earlier = nil } }
  }

  /// Returns those of a service's registrations that have aliases now.
  func withAliases(_ registrations: [Registration], of key: ServiceKey) -> [Registration] {
    let aliases = registry.everything().compactMap(\.innermost.alias).filter { $0.target == key }
    let owners = Set(aliases.map(\.owner))
    return registrations.filter { owners.contains($0.innermost.id) }
  }

  var isForDoubles: Bool { !isBase && (sandbox != nil || core.holdsDoubles) }

  /// Stores a registration, in place of whatever has its key or, if given, only of what was `seen`
  /// there, an inner nil for nothing; otherwise returns false, and changes nothing.
  @discardableResult
  func store(
    _ registration: Registration, over seen: Registration?? = nil,
    for declared: DeclaredService? = nil
  ) -> Bool {
    // Production setup that a test runs replaces no double.
    if context.isProduction, core.own(registration.key, frame)?.options.isDouble ?? false {
      return true
    }
    var hidden: [Registration] = []
    var whenStored: (() -> Void)?
    if let frame {
      if !frame.keepsNothing { hidden = core.present(registration.key, frame) }
      if !registration.isRemoval {
        whenStored = Tests.delegate?.willStore(
          registration, in: core, for: declared, in: frame)
      }
    }
    var isKept = false
    // Read here: a closure that reads it would copy the whole target.
    let isSettingUp = context.setUp != nil
    let (isStored, old) = registry.set(registration) { present in
      if let seen, present !== seen { return false }
      // A registration made at start-up replaces none that is present but base ones.
      isKept = isSettingUp && present.map { !$0.options.isBase } ?? false
      return !isKept
    }
    if !isStored, !isKept { return false }
    if isStored { whenStored?() }
    // A decoration wraps the registration that was present.
    if isStored, let frame, !registration.isDecoration {
      forget(old, hidden, in: frame)
    }
    if let frame, frame.layer != nil, !registration.isRemoval {
      Tests.delegate?.note(.stored(registration, in: core, under: frame))
    }
    return true
  }

  /// Forgets the instances that the sandbox, and the scopes in it, keep for a replaced registration
  /// and for those that go with it.
  ///
  /// `old`: the registration that the registry dropped. `hidden`: the registrations seen before,
  /// which may be outside the sandbox.
  func forget(
    _ old: Registration?, _ hidden: [Registration] = [], in frame: ContextFrame
  ) {
    let hidden = hidden.filter { $0 !== old }
    if old == nil, hidden.isEmpty { return }
    for gone in ((old.map { [$0] } ?? []) + hidden).flatMap(\.atItsPlace) where !gone.isOfSite {
      for frame in frame.chain {
        Self.forget(gone, keptIn: frame)
        if frame === sandbox { break }
      }
    }
  }

  /// Forgets the instances that a scope keeps for a displaced registration, for every container
  /// that requested it.
  static func forget(_ old: Registration, keptIn cacheFrame: ContextFrame) {
    guard let keeper = old.keeper else { return }
    for keeper in [keeper] + keeper.ofContainers { keeper.own(in: cacheFrame)?.forget() }
  }
}

// MARK: - What was stored, to be changed by options

/// A registration and its place in its container, as changed by `ResolverOptions`.
///
/// It holds less than a `RegistrationTarget`, because each call of an option copies it; and it is
/// not generic, because nothing here depends on the service's type.
struct StoredRegistration: @unchecked Sendable {
  // Sendable: a registration never changes, and users are responsible for using their closures in
  // it on several threads.
  fileprivate(set) var registration: Registration
  /// The sandbox that it was stored in, if any.
  fileprivate var sandbox: ContextFrame?
  fileprivate let isBase: Bool
  fileprivate let context: RegisteringContext
  /// Whether a recorder recorded the registration.
  fileprivate let isRecorded: Bool
  /// The registrations of the service that it replaced and that have aliases.
  let earlier: [Registration]

  /// The sandbox whose view is changed: the current one if it is inside the one that holds the
  /// registration, otherwise that one.
  private var view: ContextFrame? {
    guard let current = ContextFrame.current?.sandbox, current !== sandbox,
      sandbox == nil || current.sandboxes.contains(where: { $0 === sandbox })
    else { return sandbox }
    return current
  }

  /// Returns the current target for registrations that belong to it, such as aliases; nil if it was
  /// removed.
  func target(in core: ContainerCore) -> RegistrationTarget? {
    let target = RegistrationTarget(
      core, in: ContextFrame.current, sandbox: view, isBase: isBase, context: context)
    let key = registration.key
    let present = target.registry.find(key) ?? core.own(key, view)
    return present.map { !$0.isRemoval } ?? false ? target : nil
  }

  /// Replaces the registration with a changed form, unless it was itself replaced.
  mutating func replace(with new: Registration, in core: ContainerCore) {
    let (old, view) = (registration, view)
    registration = new
    // Whether the earlier form is not in the view, but below it.
    let isBelow = view !== sandbox
    // A registration that was replaced or removed meanwhile is not restored through a view.
    if isBelow, core.own(old.key, view)?.id != old.id { return }
    let registry = view?.makeRegistry(over: core) ?? core.registry
    registry.set(new) { $0.map { $0.id == old.id } ?? isBelow }
    if let view, !old.isOfSite { RegistrationTarget.forget(old, keptIn: view) }
  }

  mutating func change(_ scope: Scope, in core: ContainerCore) {
    replace(with: registration.changed(scope: scope), in: core)
    if isRecorded { ContextFrame.current?.recordScope(of: registration) }
  }
}

extension RegistrationTarget {
  /// Returns a registration that was just stored here.
  func stored(
    _ registration: Registration, earlier: [Registration] = []
  ) -> StoredRegistration {
    StoredRegistration(
      registration: registration, sandbox: sandbox, isBase: isBase, context: context,
      isRecorded: frame?.isRecorded ?? false, earlier: earlier)
  }

  /// Returns a registration of the container that is visible here, to change it here.
  ///
  /// The container itself or an enclosing sandbox may hold it; there it stays as it is.
  func present(_ registration: Registration) -> StoredRegistration {
    let key = registration.key
    var stored = stored(registration)
    stored.sandbox = sandbox?.sandboxes.first {
      $0.view(of: core)?.registry.find(key)?.id == registration.id
    }
    return stored
  }
}
