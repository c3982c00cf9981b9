internal import DIPrimitives

/// Where registrations go that are made now: into a container, or into a sandbox's view of it.
struct RegistrationTarget {
  let core: ContainerCore
  let registry: Registry
  let frame: ContextFrame?
  let sandbox: ContextFrame?
  /// Whether production set-up code is running.
  let isBase: Bool
  let context: RegisteringContext
  /// Whether `registerAllServices` is running, which goes under what is there already.
  var isStartup: Bool { context.isStartingUp }

  static func current(for core: ContainerCore) -> RegistrationTarget {
    let bound = ContextFrame.borrowed
    let isSettingUp = bound?._withUnsafeGuaranteedRef { $0.kind == .base } ?? false
    let frame = di_attention_needed() == 0 ? nil : ContextFrame.current(bound)
    let sandbox = frame?.sandbox
    let context = RegisteringContext.current
    return RegistrationTarget(
      core: core, registry: sandbox?.makeOverlay(for: core).registry ?? core.registry,
      frame: frame, sandbox: sandbox, isBase: isSettingUp || context.isStartingUp, context: context)
  }

  /// What a registration that is made now is to remember.
  @inline(__always)
  func options(_ dependencies: [Dependency]? = nil) -> Registration.Options {
    let isDouble = isForDoubles
    return Registration.Options(
      isDouble: isDouble, isBase: isBase, isPreset: isDouble && context.isPreset,
      usage: isDouble ? Atomic() : nil, assembly: context.assembly, dependencies: dependencies)
  }

  /// Whether what is registered now is a double.
  var isForDoubles: Bool { (sandbox != nil || core.holdsDoubles) && !isBase }

  func store(_ registration: Registration, for declared: DeclaredService? = nil) {
    if let frame, !registration.isRemoval {
      frame.noticeLateDouble(registration, in: core, for: declared)
    }
    // A closure that captured the target would copy all of it, for 600 instructions.
    let isStartup = isStartup
    var old: Registration?
    let isStored = registry.set(
      registration, unless: { isStartup && !$0.options.isBase }, displacing: &old)
    // Only a sandbox that keeps instances may keep one of what was replaced.
    if isStored, let old, let sandbox, !sandbox.hasNoSlots { Self.forget(old, keptIn: sandbox) }
    if let frame, !registration.isRemoval { frame.noticeHidden(registration, in: core) }
  }

  /// Puts a registration in the place of an earlier form of itself, unless that was replaced.
  static func replace(
    _ old: Registration, with new: Registration, in registry: Registry,
    _ sandbox: ContextFrame?
  ) {
    let id = old.id
    registry.set(new, unless: { $0.id != id })
    if let sandbox, !sandbox.hasNoSlots { forget(old, keptIn: sandbox) }
  }

  /// Lets go of what a scope keeps for a registration that was displaced, also by parameter.
  static func forget(_ old: Registration, keptIn caches: ContextFrame) {
    guard let slot = old.slot else { return }
    // A site that another container of the sandbox links to keeps its instance.
    if slot.scope.kind == .site || slot.scope.kind == .siteWeak, caches.overlaysHold(slot) {
      return
    }
    caches.forget(slot)
    old.options.factory?.forgetParameters(old, keptIn: caches)
  }
}
