internal import DIPrimitives

// The runs of `autoRegister`, before the first use of a container.

/// A container that registers services of its own before its first use.
///
/// The protocol is isolated to no actor, even in a module whose default isolation is the main
/// actor, because the container may be used first from anywhere.
public protocol AutoRegistering: SendableMetatype {
  /// Registers the container's services.
  ///
  /// It is called once per container, and again after `reset()`: before anything is registered or
  /// resolved by key path, before a request by type that has no registration yet, with `await` or
  /// without, and before all registrations are listed, as by `resolveMany`, `registrations`,
  /// `graph`, `dryRun()` and `validate()`. Registrations made by type before that remain.
  ///
  /// The registrations that it makes are base state, whichever test uses the container first. A
  /// reset outside every sandbox must not run while other threads resolve: they may find the
  /// container without what this registers.
  func autoRegister()
}

extension ContainerSettings {
  /// The container whose `autoRegister` is running in the current task.
  @TaskLocal private static var autoRegistering: ObjectIdentifier?

  /// Whether a container's `autoRegister` is running in the current task.
  static func isAutoRegistering(_ core: ContainerCore) -> Bool {
    autoRegistering == ObjectIdentifier(core)
  }

  /// Whether a run of `autoRegister` is due, of the container or of one that serves its requests.
  func isDue(_ core: ContainerCore) -> Bool {
    isOwnDue(core) || !Self.dueBelow(core).isEmpty
  }

  private func isOwnDue(_ core: ContainerCore) -> Bool {
    let isDue =
      attention.value & Attention.unprepared != 0
      // A look at the sandboxes' views costs as much as a tenth of a request in one.
      || di_attention_needed() != 0 && (Self.containersRegister || isOfOwnClass)
        && Self.sandboxPreparation(core)?.runs.isPending ?? false
    return isDue && !Self.isAutoRegistering(core)
  }

  /// Returns the containers that serve requests to another one, and whose run is due.
  private static func dueBelow(_ core: ContainerCore) -> [ContainerCore] {
    // Only a `Container` can be nested.
    guard containersRegister else { return [] }
    let frame = ContextFrame.current
    if core.isSearchedAlone(frame) { return [] }
    return core.searched(frame).filter { $0 !== core && $0.settings.isOwnDue($0) }
  }

  /// Runs `autoRegister` where a run is due.
  ///
  /// Other threads wait for it; requests that it makes do not. A run in a sandbox that reset the
  /// container replaces no registration that the test made.
  func prepare(_ container: any ManagedContainer, _ core: ContainerCore) {
    prepareOwn(container, core)
    for core in Self.dueBelow(core) {
      if let container = core.resolver { core.settings.prepareOwn(container, core) }
    }
  }

  private func prepareOwn(_ container: any ManagedContainer, _ core: ContainerCore) {
    if attention.value & Attention.unprepared != 0 { prepareOnce(container, core) }
    guard di_attention_needed() != 0, let (runs, sandbox) = Self.sandboxPreparation(core)
    else { return }
    // What it registers is for all of the sandbox that reset the container.
    runs.runIfPending {
      Self.run(container, core) {
        ContextFrame.$bound.withValue(sandbox.withoutPushed, operation: $0)
      }
    }
  }

  @inline(never)
  private func prepareOnce(_ container: any ManagedContainer, _ core: ContainerCore) {
    note(container, core)
    // A container that nests others in a sandbox alone is yet to register for everybody else.
    if Self.nestsOthers(container, core), core.baseChildren.isEmpty { return }
    preparation.runIfPending {
      Self.run(container, core) { ContextFrame.settingUp($0) }
    } whenDone: {
      update { $0.isPrepared = true }
    }
  }

  /// Notes the container's class, and the container itself if that is user-defined.
  private func note(_ container: any ManagedContainer, _ core: ContainerCore) {
    let type = type(of: container)
    state.withLock {
      $0.containerType = type
      // A `Container` is known to its core.
      if type != Resolver.self { $0.container = container }
    }
    if type != Resolver.self { core.rename(describe(type)) }
  }

  /// The runs of `autoRegister`, the first of which is pending from the start.
  private var preparation: StartupTurn {
    state.withLock { state in
      let preparation = state.view.preparation ?? StartupTurn(isPending: true)
      state.view.preparation = preparation
      return preparation
    }
  }

  /// Whether a `Container` nests others: it has their registrations, and makes none itself.
  private static func nestsOthers(
    _ container: any ManagedContainer, _ core: ContainerCore
  ) -> Bool {
    type(of: container) == Resolver.self
      && !(ContextFrame.current?.children(of: core) ?? core.baseChildren).isEmpty
  }

  private static func run(
    _ container: any ManagedContainer, _ core: ContainerCore, _ settingUp: (() -> Void) -> Void
  ) {
    // A layer holds only its doubles.
    if core.holdsDoubles { return }
    let any: Any = container
    guard let registering = any as? any AutoRegistering else { return }
    // Registrations made by type before that remain.
    RegisteringContext.with({ $0.begin(.autoRegister(ObjectIdentifier(core))) }) {
      settingUp {
        // The containers that are nested where it registers count.
        if nestsOthers(container, core) { return }
        $autoRegistering.withValue(ObjectIdentifier(core)) { registering.autoRegister() }
      }
    }
  }

  /// Runs `autoRegister` if a run is due, for callers without the container: requests by type, and
  /// factories that were made before.
  ///
  /// - Parameters:
  ///   - container: The container in the form that resolves by type.
  ///   - core: Its core.
  /// - Returns: Whether it ran, so that there may be new registrations.
  @discardableResult
  func runAutoRegisterIfDue(_ container: @autoclosure () -> Resolver, _ core: ContainerCore) -> Bool
  {
    guard isDue(core) else { return false }
    let (own, isOfOwnClass) = state.withLock { ($0.container, $0.isOfOwnClass) }
    if let known = own {
      guard known is any AutoRegistering else { return false }
      prepare(known, core)
    } else {
      guard !isOfOwnClass, Self.containersRegister else { return false }
      prepare(container(), core)
    }
    return true
  }

  /// Whether `Container` conforms to `AutoRegistering`.
  private static let containersRegister = Resolver.self as Any is any AutoRegistering.Type

  /// The innermost sandbox that has reset a container, with its runs of `autoRegister`.
  static func sandboxPreparation(
    _ core: ContainerCore
  ) -> (runs: StartupTurn, sandbox: ContextFrame)? {
    guard let frame = ContextFrame.current else { return nil }
    for sandbox in frame.sandboxes {
      if let runs = sandbox.view(of: core)?.settings?.withLock({ $0.preparation }) {
        return (runs, sandbox)
      }
    }
    return nil
  }

  /// The runs of `autoRegister` in the current view of a container.
  private func writablePreparation(_ core: ContainerCore) -> StartupTurn {
    if ContextFrame.writableSandbox == nil { return preparation }
    return core.changeSettings { view in
      let preparation = view.preparation ?? StartupTurn(isPending: false)
      view.preparation = preparation
      return preparation
    }
  }

  /// Makes `autoRegister` run again before the container's next use, because a reset removes what
  /// it has registered.
  ///
  /// A reset calls this first, for the instances that it releases may resolve others, and last, for
  /// such a run may have been too early.
  func rearm(_ core: ContainerCore) {
    let runs = writablePreparation(core)
    if runs !== preparation { return runs.request() }
    runs.request(ifNew: { update { $0.isPrepared = false } })
  }
}
