internal import DIPrimitives

/// The destination of a registration: a container, or a sandbox's view of it.
///
/// Valid while the caller holds the container and stays in the scope in which it made the target:
/// it counts no references to either, which took a sixth of the time of registering.
struct RegistrationTarget {
  private let container: Unmanaged<ContainerCore>
  private let scope: Unmanaged<ContextFrame>?
  private let view: Unmanaged<ContextFrame>?
  /// The sandbox's overlay for the container, valid as long as it stays.
  private let overlay: UnsafeMutablePointer<di_table>?
  /// The frame, if the task does not hold it; it has to live until the last use of these.
  private let held: ContextFrame?
  /// The overlay, if the container was made in a scope: it is released with the container, which
  /// some callers do not hold.
  private let heldOverlay: Registry?
  /// Whether production setup code is running.
  let isBase: Bool
  let context: RegisteringContext

  /// `sandbox`: the sandbox that holds new registrations; the caller holds it.
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
  /// Whether start-up code is running, which replaces no registrations but base ones.
  var isStartup: Bool { context.isStartingUp }

  /// The scope of registrations that specify none.
  var defaultScope: Scope {
    // Every registration without a scope reads this, and it is rarely set.
    guard di_default_scope_was_set() else { return .graph }
    return container._withUnsafeGuaranteedRef { $0.defaultScope }
      ?? scope?._withUnsafeGuaranteedRef { $0.ownDefaultScope } ?? Resolver.processWideDefaultScope
  }

  var isRecorded: Bool { scope?._withUnsafeGuaranteedRef { $0.isRecorded } ?? false }

  /// Reports a registration or removal that was just made to recorders and issue checks.
  func tell(of registration: Registration) {
    defer { keepHeld() }
    guard let scope else {
      if !isBase, di_attention_needed() != 0 || di_tests_are_possible() {
        ContextFrame.noteForProcess(registration, in: core, nil)
      }
      return
    }
    scope._withUnsafeGuaranteedRef { frame in
      // Recorders receive registrations and requests, not removals.
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

  /// Returns the options of a new registration.
  @inline(__always)
  func options(_ dependencies: [Dependency]? = nil) -> Registration.Options {
    let isDouble = isForDoubles
    return Registration.Options(
      isDouble: isDouble, isBase: isBase, isPreset: isDouble && context.isPreset,
      assembly: context.assembly, dependencies: dependencies)
  }

  /// Whether new registrations are doubles.
  var isForDoubles: Bool {
    !isBase && (view != nil || container._withUnsafeGuaranteedRef { $0.holdsDoubles })
  }

  func store(_ registration: Registration, for declared: DeclaredService? = nil) {
    _ = store(registration, for: declared, mayBeNew: true, unless: { _ in false })
  }

  /// Stores a changed form of the registration that has its key; returns false, and changes
  /// nothing, if that is no longer present.
  ///
  /// `seen`: the registration that had the key; nil for none.
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
    // Before the site can be looked up; a link to nothing does no harm.
    if registration.scope.kind.isPerSite { SiteSlots.shared.note(registration, in: core) }
    if context.isProduction, isUnderDouble(registration) { return true }
    // If the key is new, which is usual, the rest would have no effect.
    let hasHandedOut = scope?._withUnsafeGuaranteedRef { $0.hasHandedOut } ?? false
    if mayBeNew, !hasHandedOut, withRegistry({ $0.add(registration) }) {
      noticeHidden(registration)
      return true
    }
    return store(
      registration, for: declared, mayBeNew: mayBeNew, hasHandedOut: hasHandedOut, unless: keep)
  }

  /// Whether a double has the key, which production setup that a test runs does not replace.
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
    // A registration made at start-up replaces none that is present but base ones.
    if !isStored, !isLeft { return false }
    if isStored, let late { late.scope.add(late.finding) }
    // A decoration wraps the registration that was present.
    if isStored, let scope, !registration.home.isUnder {
      scope._withUnsafeGuaranteedRef { forget(old, hidden, in: $0) }
    }
    // The site's slot is unchanged: unless another registration links to it, the instance is
    // forgotten here.
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

  /// Calls a closure with the registry without counting a reference to it.
  @inline(__always)
  private func withRegistry<Result>(_ body: (Registry) -> Result) -> Result {
    overlay.map { Registry.with($0, body) }
      ?? container._withUnsafeGuaranteedRef { body($0.registry) }
  }

  /// Replaces an earlier form of a registration, unless that was itself replaced.
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

  /// Forgets the instances that the sandbox, and the scopes in it, keep for a replaced
  /// registration.
  ///
  /// `hidden`: the registration seen before. It may be registered outside the sandbox; a property's
  /// is handled at the place that registers it.
  private func forget(_ old: Registration?, _ hidden: Registration?, in frame: ContextFrame) {
    guard let gone = old ?? hidden else { return }
    if old == nil, gone.options.factory != nil { return }
    if gone.home.isUnder {
      for wrapped in gone.withDisplaced.dropFirst() { forget(wrapped, in: frame) }
    }
    forget(gone, in: frame)
  }

  private func forget(_ gone: Registration, in frame: ContextFrame) {
    // A site that another container links to, as seen from the sandbox, keeps its instance.
    if gone.scope.kind.isPerSite, isLinkedElsewhere(gone, frame) { return }
    for frame in frame.chain {
      Self.forget(gone, keptIn: .passUnretained(frame))
      if let view, frame === view.takeUnretainedValue() { return }
    }
  }

  /// Whether the line also registers elsewhere; here it may have registered again.
  private func isLinkedElsewhere(_ registration: Registration, _ frame: ContextFrame?) -> Bool {
    SiteSlots.shared.isLinked(registration, frame, apartFrom: core, key: registration.key)
  }

  // Only a sandbox that keeps instances may keep one of a replaced registration.
  private static func forget(_ old: Registration, keptIn sandbox: Unmanaged<ContextFrame>?) {
    sandbox?._withUnsafeGuaranteedRef { if !$0.hasNoSlots { forget(old, keptIn: $0) } }
  }

  /// Forgets the instances that a scope keeps for a displaced registration, also by parameter.
  static func forget(_ old: Registration, keptIn caches: ContextFrame) {
    guard let slot = old.slot else { return }
    caches.forget(slot)
    // The instances of the containers that requested it are forgotten too.
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
