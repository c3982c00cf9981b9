internal import DIPrimitives

/// Where registrations go that are made now: into a container, or into a sandbox's view of it.
///
/// Valid while the caller holds the container and stays in the scope in which it made the target:
/// it counts no references to either, which took a sixth of the time of registering.
struct RegistrationTarget {
  private let container: Unmanaged<ContainerCore>
  private let scope: Unmanaged<ContextFrame>?
  private let view: Unmanaged<ContextFrame>?
  /// What the sandbox put over the container, as long as it stays.
  private let overlay: UnsafeMutablePointer<di_table>?
  /// The frame, where it is not the task that holds it; to be alive until the last use of these.
  private let held: ContextFrame?
  /// The overlay, where the container was made in a scope: it goes with the container, which some
  /// callers do not hold.
  private let heldOverlay: Registry?
  /// Whether production set-up code is running.
  let isBase: Bool
  let context: RegisteringContext

  /// `sandbox`: the one that holds what is registered, which the caller holds.
  init(
    _ core: ContainerCore, bound: Unmanaged<ContextFrame>?, held: ContextFrame?,
    sandbox: Unmanaged<ContextFrame>?, isBase: Bool, context: RegisteringContext
  ) {
    container = .passUnretained(core)
    self.held = held
    scope = held.map { .passUnretained($0) } ?? bound
    view = sandbox
    if let sandbox, core.wasMadeInScope {
      let registry = sandbox._withUnsafeGuaranteedRef { $0.heldRegistry(over: core) }
      (heldOverlay, overlay) = (registry, registry.table)
    } else {
      heldOverlay = nil
      overlay = sandbox?._withUnsafeGuaranteedRef { $0.makeTable(over: core) }
    }
    self.isBase = isBase
    self.context = context
  }

  static func current(for core: ContainerCore) -> RegistrationTarget {
    let bound = ContextFrame.borrowed
    let isSettingUp = bound?._withUnsafeGuaranteedRef { $0.kind == .base } ?? false
    var frame: Unmanaged<ContextFrame>?
    var held: ContextFrame?
    if di_attention_needed() != 0, !isSettingUp {
      if let bound, bound._withUnsafeGuaranteedRef({ $0.hasNothingPushed }) {
        frame = bound
      } else {
        held = ContextFrame.current(bound)
        frame = held.map { .passUnretained($0) }
      }
    }
    let context = RegisteringContext.current
    return RegistrationTarget(
      core, bound: frame, held: held,
      sandbox: frame?._withUnsafeGuaranteedRef { $0.borrowedSandbox },
      isBase: isSettingUp || context.isStartingUp || context.isProduction, context: context)
  }

  @inline(__always)
  private func keepHeld() {
    withExtendedLifetime(held) {}
    withExtendedLifetime(heldOverlay) {}
  }

  var core: ContainerCore { container.takeUnretainedValue() }
  var sandbox: ContextFrame? { withExtendedLifetime(held) { view?.takeUnretainedValue() } }
  var registry: Registry {
    withExtendedLifetime(held) { overlay.map { Registry($0) } ?? core.registry }
  }
  /// Whether `registerAllServices` is running, which goes under what is there already.
  var isStartup: Bool { context.isStartingUp }

  /// How long instances are kept where a registration does not say.
  var defaultScope: Scope {
    // Every registration without a scope asks, and hardly anybody sets one.
    guard di_default_scope_was_set() else { return .graph }
    return container._withUnsafeGuaranteedRef { $0.defaultScope }
      ?? scope?._withUnsafeGuaranteedRef { $0.ownDefaultScope } ?? Resolver.processWideDefaultScope
  }

  var isRecorded: Bool { scope?._withUnsafeGuaranteedRef { $0.isRecorded } ?? false }

  /// Tells whoever is to know of a registration, or a removal, that was made just now.
  func tell(of registration: Registration) {
    defer { keepHeld() }
    guard let scope else {
      if !isBase, di_attention_needed() != 0 || di_tests_are_possible() {
        ContextFrame.noteForProcess(registration, in: core, nil)
      }
      return
    }
    scope._withUnsafeGuaranteedRef { frame in
      // Recorders hear of what is there, and of who asks for it.
      if !registration.isRemoval { frame.observe { $0.registered(registration, in: core) } }
      if view == nil, !isBase, !core.holdsDoubles {
        if context.assembliesAreDoubles, !registration.isRemoval {
          frame.reportBesideLayer(registration, in: core)
        } else {
          ContextFrame.noteForProcess(registration, in: core, frame)
        }
      }
    }
  }

  /// What a registration that is made now is to remember.
  @inline(__always)
  func options(_ dependencies: [Dependency]? = nil) -> Registration.Options {
    let isDouble = isForDoubles
    return Registration.Options(
      isDouble: isDouble, isBase: isBase, isPreset: isDouble && context.isPreset,
      assembly: context.assembly, dependencies: dependencies)
  }

  /// Whether what is registered now is a double.
  var isForDoubles: Bool {
    !isBase && (view != nil || container._withUnsafeGuaranteedRef { $0.holdsDoubles })
  }

  func store(_ registration: Registration, for declared: DeclaredService? = nil) {
    _ = store(registration, for: declared, mayBeNew: true, unless: { _ in false })
  }

  /// Stores what was made of what has its key; false, and nothing is done, if that is not there
  /// any more.
  ///
  /// `seen`: what had the key; nil for nothing.
  func store(
    _ registration: Registration, over seen: Registration?, for declared: DeclaredService? = nil
  ) -> Bool {
    store(registration, for: declared, mayBeNew: seen == nil, unless: { $0 !== seen })
  }

  @inline(__always)
  private func store(
    _ registration: Registration, for declared: DeclaredService?, mayBeNew: Bool,
    unless keep: (Registration) -> Bool
  ) -> Bool {
    defer { keepHeld() }
    // Before anybody can look whether the site is linked; a link to nothing does no harm.
    if registration.scope.kind.isPerSite { SiteSlots.shared.note(registration, in: core) }
    if context.isProduction, isUnderDouble(registration) { return true }
    // Where nothing was, which is usual, the rest would come to the same.
    let hasHandedOut = scope?._withUnsafeGuaranteedRef { $0.hasHandedOut } ?? false
    if mayBeNew, !hasHandedOut, withRegistry({ $0.add(registration) }) {
      noticeHidden(registration)
      return true
    }
    return store(
      registration, for: declared, mayBeNew: mayBeNew, hasHandedOut: hasHandedOut, unless: keep)
  }

  /// Whether a double is there, which production set-up that a test runs goes under.
  @inline(never)
  private func isUnderDouble(_ registration: Registration) -> Bool {
    let frame = scope?.takeUnretainedValue()
    return core.own(registration.key.rawKey, frame)?.options.isDouble ?? false
  }

  @inline(never)
  private func store(
    _ registration: Registration, for declared: DeclaredService?, mayBeNew: Bool,
    hasHandedOut: Bool, unless keep: (Registration) -> Bool
  ) -> Bool {
    var hidden: Registration?
    var late: (scope: ContextFrame, finding: ScopeFinding)?
    scope?._withUnsafeGuaranteedRef { frame in
      guard hasHandedOut else { return }
      if !registration.isRemoval {
        late = frame.lateDouble(registration, in: core, for: declared)
      }
      hidden = core.own(registration.key.rawKey, frame)
    }
    // A closure that captured the target would copy all of it, for 600 instructions.
    let isStartup = isStartup
    var old: Registration?
    var isLeft = false
    let isStored = withRegistry { registry in
      registry.set(
        registration, mayBeNew: mayBeNew,
        unless: { present in
          if keep(present) { return true }
          isLeft = isStartup && !present.options.isBase
          return isLeft
        }, displacing: &old)
    }
    // What start-up code registers goes under what is there.
    if !isStored, !isLeft { return false }
    if isStored, let late { late.scope.add(late.finding) }
    // What a decoration wraps is what was there.
    if isStored, let scope, !registration.home.isUnder {
      scope._withUnsafeGuaranteedRef { forget(old, hidden, in: $0) }
    }
    // What keeps a site's instance is the same before and after: unless another registration links
    // to it, the instance is forgotten here.
    if isStored, view == nil, let old, registration.scope.kind.isPerSite, !old.home.isUnder,
      let slot = registration.slot, slot === old.slot, !isLinkedElsewhere(old, nil)
    {
      for slot in [slot] + slot.allDecorated { slot.forget() }
    }
    noticeHidden(registration)
    return true
  }

  @inline(__always)
  private func noticeHidden(_ registration: Registration) {
    guard !registration.isRemoval else { return }
    scope?._withUnsafeGuaranteedRef { frame in
      if frame.hasLayers { frame.noticeHidden(registration, in: core) }
    }
  }

  /// Runs with the registry without counting a reference to it.
  @inline(__always)
  private func withRegistry<Result>(_ body: (Registry) -> Result) -> Result {
    overlay.map { Registry.with($0, body) }
      ?? container._withUnsafeGuaranteedRef { body($0.registry) }
  }

  /// Puts a registration in the place of an earlier form of itself, unless that was replaced.
  ///
  /// `isBelow`: whether the earlier form is not here, but below this sandbox.
  func replace(_ old: Registration, isBelow: Bool, with new: Registration) {
    defer { keepHeld() }
    let id = old.id
    if new.scope.kind.isPerSite { SiteSlots.shared.note(new, in: core) }
    withRegistry { registry in
      _ = registry.set(new, mayBeNew: isBelow, unless: { $0.id != id })
    }
    if old.scope.kind.isPerSite, let view,
      view._withUnsafeGuaranteedRef({ SiteSlots.shared.isLinked(old, $0) })
    {
      return
    }
    Self.forget(old, keptIn: view)
  }

  /// Lets go of what the sandbox, and the scopes in it, keep for what is not used any more.
  ///
  /// `hidden`: what was seen before. It may be registered outside the sandbox: a property's is seen
  /// to where that is registered.
  private func forget(_ old: Registration?, _ hidden: Registration?, in frame: ContextFrame) {
    guard let gone = old ?? hidden else { return }
    if old == nil, gone.options.factory != nil { return }
    if gone.home.isUnder {
      for wrapped in gone.withDisplaced.dropFirst() { forget(wrapped, in: frame) }
    }
    forget(gone, in: frame)
  }

  private func forget(_ gone: Registration, in frame: ContextFrame) {
    // A site that another container links to, as the sandbox sees it, keeps its instance.
    if gone.scope.kind.isPerSite, isLinkedElsewhere(gone, frame) { return }
    for frame in frame.chain {
      Self.forget(gone, keptIn: .passUnretained(frame))
      if let view, frame === view.takeUnretainedValue() { return }
    }
  }

  /// Whether the line registers somewhere else, for here it may have registered anew.
  private func isLinkedElsewhere(_ registration: Registration, _ frame: ContextFrame?) -> Bool {
    SiteSlots.shared.isLinked(registration, frame, apartFrom: core, key: registration.key)
  }

  // Only a sandbox that keeps instances may keep one of what was replaced.
  private static func forget(_ old: Registration, keptIn sandbox: Unmanaged<ContextFrame>?) {
    sandbox?._withUnsafeGuaranteedRef { if !$0.hasNoSlots { forget(old, keptIn: $0) } }
  }

  /// Lets go of what a scope keeps for a registration that was displaced, also by parameter.
  static func forget(_ old: Registration, keptIn caches: ContextFrame) {
    guard let slot = old.slot else { return }
    caches.forget(slot)
    // So are the instances of the containers that were asked for it.
    if slot.scope.kind == .containerAsked {
      for asked in slot.allDerived { caches.forget(asked) }
    }
    for own in slot.allDecorated {
      caches.forget(own)
      for asked in own.allDerived { caches.forget(asked) }
    }
    old.options.factory?.forgetParameters(old, keptIn: caches)
  }
}
