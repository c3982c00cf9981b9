extension ContainerManager {
  /// Resets registrations made by key path, contexts and kept instances.
  ///
  /// The instances of `.singleton`, `.application`, `.single` and `.perRun` do not belong to the
  /// container and remain, as do registrations by type in a `Container`; those in a user-defined
  /// container are removed. After `.all` and `.registration` the container's `autoRegister` runs
  /// again before its next use. Inside a sandbox the reset applies to the sandbox's view.
  ///
  /// - Parameter options: The state to reset.
  public func reset(
    options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    if options == .none { return }
    let frame = ContextFrame.current
    let target = RegistrationTarget.current(for: core)
    // Registrations by type in a `Container` remain.
    let isReset = { [core] (registration: Registration) in
      registration.key.property != nil || core.isOfOwnClass
    }
    if options != .scope, options != .context, target.sandbox == nil, !target.isBase {
      let location = CodeLocation(fileID, filePath, line, column)
      let gone = core.registry.foremost().filter {
        isReset($0) && $0.options.repeatedSetUp != .autoRegister
      }
      Tests.findDelegate()?.note(.willReset(core, of: gone, at: location))
    }
    // First, for the instances that are released here may resolve others.
    let repeatsSetUp = options != .context && options != .scope
    if repeatsSetUp { core.rearm() }
    defer { if repeatsSetUp { core.rearm() } }
    if options == .all || options == .scope { core.forgetKept(frame) { _ in true } }
    if options == .scope { return }
    let entries = core.registries(frame).flatMap { $0.registry.everything(where: isReset) }
    for key in Set(entries.map(\.key)) {
      if key.property != nil {
        core.reset(key, options)
      } else if options != .context, let own = core.own(key, frame), !own.isRemoval {
        target.registry.set(own.resetMarker)
      }
    }
    if options == .all { core.set { $0.decorator = .some(nil) } }
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
  /// Instances of singletons, `.single` and `.perRun` do not belong to the container and are not
  /// saved.
  public func push() {
    let isUnprepared = core.isUnpreparedHere
    let registrations = RegistrationTarget.current(for: core).registry.everything()
    let instances = SavedInstances(keepers(ContextFrame.current))
    core.set {
      $0.pushed.append(
        ContainerSettings.Pushed(
          registrations: registrations, instances: instances, decorator: $0.decorator,
          defaultScope: $0.defaultScope, isUnprepared: isUnprepared))
    }
  }

  /// Restores the registrations, settings and kept instances of the last `push`.
  ///
  /// It has no effect if there was none.
  public func pop() {
    let pushed = core.set { settings in
      let pushed = settings.pushed.popLast()
      if let pushed {
        (settings.decorator, settings.defaultScope) = (pushed.decorator, pushed.defaultScope)
      }
      return pushed
    }
    guard let pushed else { return }
    let frame = ContextFrame.current
    let registry = RegistrationTarget.current(for: core).registry
    let before = keepers(frame)
    // The registrations that `autoRegister` has made since are removed again. At first, too: the
    // instances that are released may resolve others.
    if pushed.isUnprepared { core.rearm() }
    registry.replaceAll(with: pushed.registrations)
    if pushed.isUnprepared { core.rearm() }
    pushed.instances.restore(forgetting: before + keepers(frame))
  }

  /// The keepers of the instances that belong to the container, besides those by type in a
  /// `Container`, as a context sees them: those of the frames in the sandbox and of the sandbox, or
  /// else those of all frames and of the process.
  private func keepers(_ frame: ContextFrame?) -> [Keeper] {
    let frames = frame.map { Array($0.chain) } ?? []
    let inSandbox = frames.firstIndex { $0.kind == .sandbox }.map { frames[...$0] }
    return core.owned(frame).flatMap { entry -> [Keeper] in
      guard entry.key.property != nil || core.isOfOwnClass, entry.scope !== Scope.singleton,
        !entry.scope.isPerSite, let keeper = entry.keeper
      else { return [] }
      let isPerContainer = keeper.scope.keptBy == .requestedContainer
      let keepers = isPerContainer ? [keeper, core.keeper(for: keeper)] : [keeper]
      let cacheFrames = (inSandbox ?? frames[...]).filter { $0.cacheFrame(for: entry.scope) === $0 }
      let inFrames = cacheFrames.flatMap { frame in keepers.compactMap { $0.own(in: frame) } }
      return inSandbox == nil ? inFrames + keepers : inFrames
    }
  }
}

extension Resolver {
  /// The instances that this container keeps in the `.container` scope.
  ///
  /// `resolver.cache.reset()` releases them, as in Resolver; inside a sandbox, a layer or a scoped
  /// root it releases those of that context only. As a registration's scope it equals `.container`.
  public var cache: Scope { Scope.Cached { [manager] in manager.reset(scope: .container) } }
}

extension ContainerCore {
  /// Forgets the instances that the container itself keeps in scopes, or only those of one type.
  func forgetKept(
    _ frame: ContextFrame?, of type: Any.Type? = nil, _ fits: (Scope) -> Bool
  ) {
    for registration in owned(frame) {
      if let type, registration.key.type != type { continue }
      let scope = registration.scope
      guard fits(scope), scope.isOfContainers else { continue }
      registration.keeper?.forget(in: frame?.cacheFrame(for: scope))
    }
    guard fits(.container) else { return }
    let cacheFrame = frame?.cacheFrame(for: .container)
    guard let type else { return forgetKeptForOthers(in: cacheFrame) }
    for registration in searched(frame).flatMap({ $0.owned(frame) })
    where registration.key.type == type && registration.scope === Scope.container {
      if let base = registration.keeper { keeper(for: base).forget(in: cacheFrame) }
    }
  }
}

extension Resolver {
  /// Releases the instances that this container and its nested ones keep in a scope, or only those
  /// of one type.
  package func releaseInstances(in scope: Scope, of type: Any.Type? = nil) {
    let frame = ContextFrame.current
    var walk = NestWalk(from: core)
    while let core = walk.next() {
      // Held while they are visited, because others may release them meanwhile.
      let children = frame?.children(of: core) ?? core.baseChildren
      core.forgetKept(frame, of: type) { $0 === scope }
      walk.goOn(to: children)
    }
  }
}

/// The state that a reset affects.
public enum FactoryResetOptions: Sendable {
  /// Registrations, contexts and kept instances.
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
