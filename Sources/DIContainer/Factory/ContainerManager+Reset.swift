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
    if options != .scope, options != .context, target.sandbox == nil, !target.isBase {
      // Registrations by type in a `Container` remain.
      ProcessChange.noteReset(
        of: core,
        taking: core.registry.all().filter {
          $0.options.factory != nil || core.factories.isOfOwnClass
        }, at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    if options == .all || options == .scope { core.forgetKept(frame) { _ in true } }
    if options == .scope { return }
    let present = target.registry.byKey()
    for registration in core.visible(frame) {
      if registration.options.factory != nil {
        takeBack(registration, over: present[registration.key], options, target, frame)
      } else if options != .context, core.factories.isOfOwnClass {
        target.registry.set(registration.resetMarker)
      }
    }
    if options == .all {
      core.factories.setDecorator(nil, core)
    }
    if options != .context { core.factories.rearm(core) }
  }

  private func takeBack(
    _ registration: Registration, over present: Registration?, _ options: FactoryResetOptions,
    _ target: RegistrationTarget, _ frame: ContextFrame?
  ) {
    var next: Registration? = registration
    var present = present
    while let registration = next, let record = registration.options.factory {
      let reset = record.reset(registration, options, isInView: target.sandbox != nil)
      if target.registry.replace(present, with: reset) {
        if options != .context, registration.scope !== Scope.singleton {
          record.forget(registration, frame)
        }
        frame?.dropSlot(of: registration, replacedBy: reset)
        return
      }
      // The registration changed meanwhile: reset the new one, in which the rest remains.
      present = target.registry.find(registration.key.rawKey)
      next = core.visible(frame).first { $0.key == registration.key }
    }
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
    let target = RegistrationTarget.current(for: core)
    let before = target.registry.everything()
    let present = target.registry.byKey()
    let visible = core.visible(frame)
    target.registry.put(
      visible.compactMap { registration in
        registration.options.factory.map {
          (present[registration.key], $0.copy(registration, frame))
        }
      })
    core.factories.push(before, seen: Set(visible.map(\.id)), core)
  }

  /// Restores the registrations, settings and kept instances of the last `push`.
  ///
  /// It has no effect if there was none.
  public func pop() {
    guard let pushed = core.factories.pop(core) else { return }
    let before = pushed.registrations
    let frame = ContextFrame.current
    let target = RegistrationTarget.current(for: core)
    let displaced = frame == nil ? [] : target.registry.everything()
    target.registry.replaceAll(with: before)
    // The registrations that `autoRegister` has made since are removed again.
    if pushed.isUnprepared { core.factories.rearm(core) }
    guard let frame else { return }
    // A scope keeps their instances apart from the registrations.
    let kept = Set(before.compactMap { $0.slot.map { ObjectIdentifier($0) } })
    for old in displaced where old.scope !== Scope.singleton {
      guard let slot = old.slot, !kept.contains(ObjectIdentifier(slot)) else { continue }
      if old.scope.kind.isPerSite, SiteSlots.shared.isLinked(old, frame) { continue }
      frame.cacheFrame(for: old.scope).map { RegistrationTarget.forget(old, keptIn: $0) }
    }
    // A property that was first requested since then has an entry in the container itself.
    for new in core.visible(frame) where !pushed.seen.contains(new.id) {
      if new.options.factory == nil || new.scope === Scope.singleton { continue }
      if new.scope.kind.isPerSite,
        SiteSlots.shared.isLinked(new, frame, apartFrom: core)
      {
        continue
      }
      frame.cacheFrame(for: new.scope).map { RegistrationTarget.forget(new, keptIn: $0) }
    }
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
      if let record = registration.options.factory {
        record.forget(registration, frame)
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
