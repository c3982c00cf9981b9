internal import DIPrimitives

/// Where registrations go that are made now: into a container, or into a sandbox's view of it.
struct RegistrationTarget {
  let core: ContainerCore
  let registry: Registry
  let frame: ContextFrame?
  let sandbox: ContextFrame?
  /// Whether production set-up code is running.
  let isBase: Bool
  /// Whether `registerAllServices` is running, which goes under what is there already.
  let isStartup: Bool

  static func current(for core: ContainerCore) -> RegistrationTarget {
    let bound = ContextFrame.borrowed
    let isSettingUp = bound?._withUnsafeGuaranteedRef { $0.kind == .base } ?? false
    let frame = di_attention_needed() == 0 ? nil : ContextFrame.current(bound)
    let sandbox = frame?.sandbox
    let isStartup = ContextFrame.$isStartingUp.isSet
    return RegistrationTarget(
      core: core, registry: sandbox?.makeOverlay(for: core).registry ?? core.registry,
      frame: frame, sandbox: sandbox, isBase: isSettingUp || isStartup, isStartup: isStartup)
  }

  func mark(_ options: consuming Registration.Options) -> Registration.Options {
    options.isBase = isBase
    options.assembly = Assembler.$assembling.borrowed?.load(as: ObjectIdentifier?.self) ?? nil
    options.isDouble = (sandbox != nil || core.holdsDoubles) && !isBase
    if options.isDouble {
      options.usage = Atomic()
      options.isPreset = ContextFrame.$isPreset.isSet
    }
    return options
  }

  func store(_ registration: Registration) {
    if let frame, !registration.isRemoval { frame.noticeLateDouble(registration, in: core) }
    // Only a sandbox that keeps instances may keep one of what is replaced.
    let keeper = sandbox.flatMap { $0.hasNoSlots ? nil : $0 }
    var old: Registration?
    let isStored = registry.set(
      registration, unless: { isStartup && !$0.options.isBase }, displacing: &old)
    if isStored, let keeper { Self.forget(old?.slot, keeper) }
    if let frame, !registration.isRemoval { frame.noticeHidden(registration, in: core) }
  }

  /// Puts a registration in the place of an earlier form of itself, unless that was replaced.
  static func replace(
    _ old: Registration, with new: Registration, in registry: Registry,
    _ sandbox: ContextFrame?
  ) {
    registry.set(new, unless: { $0.id != old.id })
    if let sandbox, !sandbox.hasNoSlots { forget(old.slot, sandbox) }
  }

  private static func forget(_ slot: Slot?, _ sandbox: ContextFrame) {
    guard let slot else { return }
    // A site that another container of the sandbox links to keeps its instance.
    if slot.scope.kind == .site || slot.scope.kind == .siteWeak, sandbox.overlaysHold(slot) {
      return
    }
    sandbox.forget(slot)
  }
}
