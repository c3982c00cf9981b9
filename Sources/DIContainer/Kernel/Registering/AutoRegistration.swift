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

extension ContainerCore {
  /// Whether the container's `autoRegister` is running in the current task.
  var isAutoRegistering: Bool {
    RegisteringContext.current.setUp == .autoRegister(ObjectIdentifier(self))
  }

  /// Whether a run of `autoRegister` is due, of the container or of one that serves its requests.
  var isAutoRegisterDue: Bool { isOwnDue || !dueBelow.isEmpty }

  private var isOwnDue: Bool {
    if isUnprepared { return !isAutoRegistering }
    // A look at the sandboxes' views costs as much as a tenth of a request in one.
    return di_attention_needed() != 0 && (Self.containersRegister || isOfOwnClass)
      && sandboxRuns?.runs.isPending ?? false && !isAutoRegistering
  }

  /// The containers that serve requests to this one, and whose run is due.
  private var dueBelow: [ContainerCore] {
    // Only a `Container` can be nested.
    guard Self.containersRegister else { return [] }
    let frame = ContextFrame.current
    if isSearchedAlone(frame) { return [] }
    return searched(frame).filter { $0 !== self && $0.isOwnDue }
  }

  /// Whether `Container` conforms to `AutoRegistering`.
  private static let containersRegister = Resolver.self as Any is any AutoRegistering.Type

  /// Runs `autoRegister` where a run is due.
  ///
  /// Other threads wait for it; requests that it makes do not. A run in a sandbox that reset the
  /// container replaces no registration that the test made.
  func prepare(_ container: any ManagedContainer) {
    prepareOwn(container)
    for core in dueBelow {
      if let container = core.resolver { core.prepareOwn(container) }
    }
  }

  private func prepareOwn(_ container: any ManagedContainer) {
    if isUnprepared { prepareOnce(container) }
    guard di_attention_needed() != 0, let (turn, sandbox) = sandboxRuns else { return }
    // What it registers is for all of the sandbox that reset the container.
    turn.runIfPending {
      autoRegister(container) {
        ContextFrame.$bound.withValue(sandbox.withoutPushed, operation: $0)
      }
    }
  }

  @inline(never)
  private func prepareOnce(_ container: any ManagedContainer) {
    note(container)
    // A container that nests others in a sandbox alone is yet to register for everybody else.
    if nestsOthers(container), baseChildren.isEmpty { return }
    setUp.runIfPending {
      autoRegister(container) { ContextFrame.settingUp($0) }
    } whenDone: {
      update { $0.isPrepared = true }
    }
  }

  /// Notes the container's class, and the container itself if that is user-defined.
  private func note(_ container: any ManagedContainer) {
    let type = type(of: container)
    withState {
      $0.containerType = type
      // A `Container` is known to its core.
      if type != Resolver.self { $0.container = container }
    }
    if type != Resolver.self { rename(describe(type)) }
  }

  /// Whether a `Container` nests others: it has their registrations, and makes none itself.
  private func nestsOthers(_ container: any ManagedContainer) -> Bool {
    type(of: container) == Resolver.self
      && !(ContextFrame.current?.children(of: self) ?? baseChildren).isEmpty
  }

  private func autoRegister(
    _ container: any ManagedContainer, _ settingUp: (() -> Void) -> Void
  ) {
    // A layer holds only its doubles.
    guard !holdsDoubles, let registering = container as Any as? any AutoRegistering else { return }
    RegisteringContext.with({ $0.begin(.autoRegister(ObjectIdentifier(self))) }) {
      settingUp {
        // The containers that are nested where it registers count.
        if !nestsOthers(container) { registering.autoRegister() }
      }
    }
  }

  /// Runs `autoRegister` if a run is due, for callers without the container: requests by type, and
  /// factories that were made before.
  ///
  /// - Parameter resolver: The container in the form that resolves by type.
  /// - Returns: Whether it ran, so that there may be new registrations.
  @discardableResult
  func runAutoRegisterIfDue(_ resolver: @autoclosure () -> Resolver) -> Bool {
    guard isAutoRegisterDue else { return false }
    let (own, isOfOwnClass) = withState { ($0.container, $0.isOfOwnClass) }
    if let own {
      prepare(own)
      return true
    }
    guard !isOfOwnClass, Self.containersRegister else { return false }
    prepare(resolver())
    return true
  }

  /// The innermost sandbox that has reset the container, with the turn of `autoRegister` in it.
  private var sandboxRuns: (runs: SetUpRuns, sandbox: ContextFrame)? {
    guard let frame = ContextFrame.current else { return nil }
    for sandbox in frame.sandboxes {
      if let turn = sandbox.setUpRuns(number) { return (turn, sandbox) }
    }
    return nil
  }

  /// Whether `autoRegister` is yet to run where changes are made now.
  var isUnpreparedHere: Bool {
    ContextFrame.writableSandbox == nil ? isUnprepared : sandboxRuns?.runs.isPending ?? false
  }

  /// Makes `autoRegister` run again before the container's next use, because a reset removes what
  /// it has registered.
  ///
  /// A reset calls this first, for the instances that it releases may resolve others, and last, for
  /// such a run may have been too early.
  func rearm() {
    if let sandbox = ContextFrame.writableSandbox {
      sandbox.makeSetUpRuns(number).request()
    } else {
      setUp.request { update { $0.isPrepared = false } }
    }
  }
}
