extension ContainerManager {
  /// Resets registrations made by key path, contexts, settings and kept instances.
  ///
  /// Singletons do not belong to the container and remain, as do registrations by type in a
  /// `Container`; those in a user-defined container are removed. After `.all` and `.registration`
  /// the container's `autoRegister` runs again before its next use. Inside a sandbox the reset
  /// applies to the sandbox's view.
  ///
  /// - Parameters:
  ///   - options: The state to reset.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  public func reset(
    options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    if options == .none { return }
    let frame = ContextFrame.current
    let target = RegistrationTarget.current(for: core)
    // Registrations by type in a `Container` remain.
    let isReset = { [core] (registration: Registration) in
      registration.key.property != nil || core.factories.isOfOwnClass
    }
    if options != .scope, options != .context, target.sandbox == nil, !target.isBase {
      ProcessChange.noteReset(
        of: core, taking: core.registry.all().filter(isReset),
        at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    if options == .all || options == .scope { core.forgetKept(frame) { _ in true } }
    if options == .scope { return }
    let entries = core.registries(frame).flatMap { $0.all() }.filter(isReset)
    for (key, entries) in Dictionary(grouping: entries, by: \.key) {
      if key.property != nil {
        let isOnce = entries.contains { $0.options.property?.isOnce ?? false }
        core.reset(key, options, isOnce: isOnce, at: entries[0].location)
      } else if options != .context, let own = core.own(key.rawKey, frame), !own.isRemoval {
        target.registry.set(own.resetMarker)
      }
    }
    if options == .all {
      core.factories.setDecorator(nil, core)
    }
    if options != .context { core.factories.rearm(core) }
  }

  /// Releases the instances that the container keeps in a scope.
  ///
  /// Inside a sandbox only those of the sandbox are released. Nested containers keep theirs. The
  /// instances of `.singleton`, `.application`, `.single` and `.perRun` do not belong to the
  /// container: reset the scope itself.
  ///
  /// - Parameter scope: The scope whose instances to release.
  public func reset(scope: Scope) {
    core.forgetKept(ContextFrame.current) { $0 === scope.keeping }
  }

  /// Saves the registrations, settings and kept instances, to restore them with `pop`.
  ///
  /// Singletons do not belong to the container and are not saved.
  public func push() {
    let frame = ContextFrame.current
    core.factories.push(
      RegistrationTarget.current(for: core).registry.everything(),
      entries(frame).flatMap { SavedInstances.all(of: $0, for: core, frame) }, core)
  }

  /// Restores the registrations, settings and kept instances of the last `push`.
  ///
  /// It has no effect if there was none.
  public func pop() {
    guard let pushed = core.factories.pop(core) else { return }
    let frame = ContextFrame.current
    let registry = RegistrationTarget.current(for: core).registry
    let before = entries(frame)
    registry.replaceAll(with: pushed.registrations)
    // The registrations that `autoRegister` has made since are removed again.
    if pushed.isUnprepared { core.factories.rearm(core) }
    let entries = before + entries(frame)
    for entry in entries {
      for caches in SavedInstances.keepers(entry.scope, frame) {
        for list in entry.parameterLists { list.existing(caches)?.forget(keptIn: caches) }
      }
    }
    // What is kept now and was kept then is not without its instance for a moment.
    let restored = Set(pushed.instances.flatMap { $0.restore(for: core) })
    for entry in entries {
      for caches in SavedInstances.keepers(entry.scope, frame) {
        for slot in entry.slot?.withDecorated ?? [] {
          for (keeper, _) in slot.keepers(for: core, in: caches)
          where !restored.contains(keeper.id) {
            keeper.forget()
          }
        }
      }
    }
  }

  /// The registrations whose instances the container keeps, besides those by type in a `Container`.
  private func entries(_ frame: ContextFrame?) -> [Registration] {
    core.owned(frame).filter {
      ($0.key.property != nil || core.factories.isOfOwnClass) && $0.scope !== Scope.singleton
        && !($0.scope.kind.isPerSite && SiteSlots.shared.isLinked($0, frame, apartFrom: core))
    }
  }
}

/// The instances that one keeper, a scope or the process, has for a registration.
struct SavedInstances {
  private weak var caches: ContextFrame?
  private let isOfContext: Bool
  private let slots: [(slot: Keeper, saved: [Saved])]
  private let lists: [(list: ParameterSlots, entries: [(parameter: AnyHashable, saved: [Saved])])]

  /// An instance, and the keeper that has it.
  private struct Saved {
    let keeper: Keeper
    let box: AnyBox
    /// Whether it is kept for the container as the requested one.
    let isAsked: Bool
  }

  /// Returns the instances that are kept for a registration, as a context sees them.
  static func all(
    of registration: Registration, for core: ContainerCore, _ frame: ContextFrame?
  ) -> [SavedInstances] {
    keepers(registration.scope, frame).map { SavedInstances(of: registration, for: core, in: $0) }
  }

  private init(of registration: Registration, for core: ContainerCore, in caches: ContextFrame?) {
    func saved(_ slot: Keeper) -> [Saved] {
      slot.keepers(for: core, in: caches).compactMap { keeper, isAsked in
        keeper.kept.map { Saved(keeper: keeper, box: $0, isAsked: isAsked) }
      }
    }
    self.caches = caches
    isOfContext = caches != nil
    slots = (registration.slot?.withDecorated ?? []).map { ($0, saved($0)) }
    lists = registration.parameterLists.map { list in
      (list, list.existing(caches)?.all.map { ($0.parameter, saved($0.slot)) } ?? [])
    }
  }

  /// Keeps the instances again; returns the numbers of their keepers.
  func restore(for core: ContainerCore) -> [UInt64] {
    if isOfContext, caches == nil { return [] }
    func restore(_ saved: Saved, _ slot: Keeper) -> UInt64 {
      let slot = saved.isAsked ? core.askedSlot(for: slot) : slot
      let keeper = caches?.slot(for: slot) ?? slot
      core.factories.expiry.note(keeper, askedLikeThat: saved.keeper)
      keeper.restore(saved.box)
      return keeper.id
    }
    for (list, entries) in lists {
      let list = list.own(caches)
      for (parameter, saved) in entries {
        guard let scope = saved.first?.keeper.scope else { continue }
        let entry = list.enter(parameter, scope, keptIn: caches)
        for saved in saved { _ = restore(saved, entry.slot) }
        list.leave(entry, keptIn: caches)
      }
    }
    return slots.flatMap { slot, saved in saved.map { restore($0, slot) } }
  }

  /// Returns the keepers that may hold instances for a registration that changes in a context: the
  /// scopes in the sandbox and the sandbox, or else all scopes and the process (nil).
  static func keepers(_ scope: Scope, _ frame: ContextFrame?) -> [ContextFrame?] {
    guard let frame else { return [nil] }
    var keepers: [ContextFrame?] = []
    for next in frame.chain {
      if next.cacheFrame(for: scope) === next { keepers.append(next) }
      if next.kind == .sandbox { return keepers }
    }
    return keepers + [nil]
  }
}

extension Keeper {
  /// The slot, and those of the instance's decorations.
  fileprivate var withDecorated: [Keeper] { [self] + allDecorated }

  /// Returns the keepers that a scope with its own caches, or else the process, has in place of the
  /// slot, and of its own for a container as the requested one.
  fileprivate func keepers(
    for core: ContainerCore, in caches: ContextFrame?
  ) -> [(keeper: Keeper, isAsked: Bool)] {
    var slots = [(keeper: self, isAsked: false)]
    if scope.kind == .containerAsked { slots.append((core.askedSlot(for: self), true)) }
    guard let caches else { return slots }
    return slots.compactMap { slot in
      caches.ownSlot(for: slot.keeper).map { ($0, slot.isAsked) }
    }
  }
}

extension Registration {
  /// The lists of its instances by parameter, and those of their decorations.
  fileprivate var parameterLists: [ParameterSlots] {
    options.property?.parameters?.withDecorated ?? []
  }
}

extension ContainerCore {
  /// Forgets the instances that the container itself keeps in scopes, or only those of one type.
  func forgetKept(
    _ frame: ContextFrame?, of type: Any.Type? = nil, _ fits: (Scope) -> Bool
  ) {
    for registration in owned(frame) {
      if let type, registration.key.type != type { continue }
      let scope = registration.scope
      guard fits(scope), scope !== Scope.singleton, scope !== Scope.application else { continue }
      if registration.key.property != nil {
        registration.forgetKept(frame)
      } else if let slot = registration.slot, scope.isOfContainer {
        for slot in [slot] + slot.allDecorated {
          if let caches = frame?.cacheFrame(for: scope) {
            caches.reset(slot)
          } else {
            slot.forget()
          }
        }
      }
    }
    guard fits(.container) else { return }
    let caches = frame?.cacheFrame(for: .container)
    guard let type else { return forgetAskedSlots(in: caches) }
    for registration in answering(frame).flatMap({ $0.owned(frame) })
    where registration.key.type == type && registration.scope === Scope.container {
      guard let slot = registration.slot.map({ askedSlot(for: $0) }) else { continue }
      if let caches { caches.reset(slot) } else { slot.forget() }
    }
  }
}

extension Scope {
  /// Whether its instances are kept by a container, and nowhere else.
  fileprivate var isOfContainer: Bool {
    switch kind {
    case .kept, .weak, .containerAsked, .owner, .ownerWeak: true
    case .unique, .graph, .site, .siteWeak: false
    }
  }
}

/// The state that a reset affects.
public enum FactoryResetOptions: Sendable {
  /// Registrations, contexts, settings and kept instances.
  case all
  /// Nothing.
  case none
  /// Registrations, with the instances kept for them.
  case registration
  /// Contexts.
  case context
  /// Kept instances.
  case scope
}
