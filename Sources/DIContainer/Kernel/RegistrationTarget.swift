internal import DIPrimitives

/// Where registrations go that are made now: into a container, or into a sandbox's view of it.
struct RegistrationTarget {
  let core: ContainerCore
  let registry: Registry
  let frame: ContextFrame?
  let sandbox: ContextFrame?
  /// Whether production set-up code is running (RULES 1).
  let isBase: Bool
  /// Whether `registerAllServices` is running, which goes under what is there already (RULES 2).
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

  func mark(_ options: AnyRegistration.Options) -> AnyRegistration.Options {
    var options = options
    options.isBase = isBase
    options.assembly = Assembler.$assembling.borrowed?.load(as: ObjectIdentifier?.self) ?? nil
    options.isDouble = (sandbox != nil || core.holdsDoubles) && !isBase
    if options.isDouble {
      options.usage = Atomic()
      options.isPreset = ContextFrame.$isPreset.isSet
    }
    return options
  }

  func store(_ registration: AnyRegistration) {
    if let frame, !registration.isRemoval { frame.noticeLateDouble(registration, in: core) }
    let old = keepsSomething ? registry.find(registration.key.typeAndName) : nil
    let isStored = registry.set(registration, unless: { isStartup && !$0.options.isBase })
    if isStored { forget(old?.slot) }
    if let frame, !registration.isRemoval { frame.noticeHidden(registration, in: core) }
  }

  /// Puts a registration in the place of an earlier form of itself, unless that was replaced.
  func replace(_ old: AnyRegistration, with new: AnyRegistration) {
    registry.set(new, unless: { $0.id != old.id })
    if keepsSomething { forget(old.slot) }
  }

  /// Whether the sandbox keeps instances, some of which may be of what is replaced.
  private var keepsSomething: Bool { sandbox.map { !$0.hasNoSlots } ?? false }

  private func forget(_ slot: AnySlot?) {
    guard let sandbox, let slot else { return }
    // A site that another container of the sandbox links to keeps its instance (RULES 12).
    if slot.scope.kind == .site || slot.scope.kind == .siteWeak, sandbox.overlaysHold(slot) {
      return
    }
    sandbox.forget(slot)
  }
}
