internal import DIPrimitives

// The state of a container that services declared as properties need. Everything that may differ in
// a sandbox has a counterpart in `FactoryView`, which lives as long as the sandbox.

/// A container's settings for services declared as properties.
final class FactoryState: Sendable {
  /// Not zero while a request needs more than the container's own registrations.
  private let attention = Atomic(Attention.unprepared)
  private let state = Lock(State())

  private enum Attention {
    static let unprepared: UInt = 1
    static let decorator: UInt = 2
    static let children: UInt = 4
  }

  private struct State {
    var isPrepared = false
    var hasChildren = false
    var isOfOwnClass = false
    var isShared = false
    var containerType: Any.Type?
    var container: OwnContainer?
    var decorator: ((Any) -> Void)?
    var defaultScope: Scope?
    var promiseTriggersError = false
    var pushed: [Pushed] = []
    var preparation: StartupTurn?
  }

  /// A user-defined container, which this does not hold because its manager holds this.
  private final class OwnContainer {
    private(set) weak var container: (any ManagedContainer)?

    init(_ container: any ManagedContainer) { self.container = container }
  }

  /// The state that `push` saved, of a container or of a sandbox's view of it.
  struct Pushed {
    let registrations: [Registration]
    /// The ids of all visible registrations, including those below a sandbox.
    let seen: Set<UInt64>
    let settings: FactoryView.Settings
    /// Whether `autoRegister` had yet to run.
    let isUnprepared: Bool
  }

  /// The word that is not zero while requests need the slow path.
  var attentionWord: UnsafeMutablePointer<UInt> { attention.word.value }

  private func update<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      attention.set(
        bits: (state.isPrepared ? 0 : Attention.unprepared)
          | (state.decorator == nil ? 0 : Attention.decorator)
          | (state.hasChildren ? Attention.children : 0))
      return result
    }
  }

  var hasChildren: Bool {
    get { state.withLock { $0.hasChildren } }
    set { update { $0.hasChildren = newValue } }
  }

  /// The class of the container, once it has declared something.
  var containerType: Any.Type? { state.withLock { $0.containerType } }

  /// Whether the container is of a user-defined class.
  var isOfOwnClass: Bool { state.withLock { $0.isOfOwnClass } }

  func noteOwnClass() { state.withLock { $0.isOfOwnClass = true } }

  /// Whether the container is known to be the `shared` one of its class.
  var isShared: Bool { state.withLock { $0.isShared } }

  func noteShared() { state.withLock { $0.isShared = true } }
}

// MARK: - Automatic registration

extension FactoryState {
  /// The container whose `autoRegister` is running in the current task.
  @TaskLocal static var autoRegistering: ObjectIdentifier?

  /// Whether a container's `autoRegister` is running in the current task.
  static func isAutoRegistering(_ core: ContainerCore) -> Bool {
    autoRegistering == ObjectIdentifier(core)
  }

  /// Runs `autoRegister` unless it has run.
  ///
  /// Other threads wait for it; requests that it makes do not.
  @inline(__always)
  func prepare(_ container: @autoclosure () -> any ManagedContainer, _ core: ContainerCore) {
    if attention.value & Attention.unprepared != 0 { prepareOnce(container(), core) }
    if di_attention_needed() != 0 { prepareView(container, core) }
  }

  @inline(never)
  private func prepareOnce(_ container: any ManagedContainer, _ core: ContainerCore) {
    preparation.runIfPending {
      let type = type(of: container)
      state.withLock {
        $0.containerType = type
        // A `Container` is known to its core.
        if type != Resolver.self { $0.container = OwnContainer(container) }
      }
      if type != Resolver.self { core.rename(describe(type)) }
      // A layer holds only its doubles.
      if !core.holdsDoubles {
        // Registrations made by type before that remain.
        RegisteringContext.with({ $0.isStartingUp = true }) {
          ContextFrame.settingUp { Self.run(container, core) }
        }
      }
    } whenDone: {
      update { $0.isPrepared = true }
    }
  }

  /// The runs of `autoRegister`, the first of which is pending from the start.
  private var preparation: StartupTurn {
    state.withLock { state in
      let preparation = state.preparation ?? StartupTurn(isPending: true)
      state.preparation = preparation
      return preparation
    }
  }

  private static func run(_ container: any ManagedContainer, _ core: ContainerCore) {
    // A `Container` that nests others has their registrations, and makes none itself.
    for child in core.baseChildren { child.core.factories.prepare(child, child.core) }
    guard core.baseChildren.isEmpty || type(of: container) != Resolver.self else { return }
    let any: Any = container
    guard let container = any as? any AutoRegistering else { return }
    $autoRegistering.withValue(ObjectIdentifier(core)) { container.autoRegister() }
  }

  /// Runs `autoRegister` if a run is due, for callers without the container: requests by type, and
  /// factories that were made before.
  ///
  /// - Parameters:
  ///   - asked: The container in the form that resolves by type.
  ///   - core: Its core.
  /// - Returns: Whether it ran, so that there may be new registrations.
  @discardableResult
  func prepareLate(_ asked: @autoclosure () -> Resolver, _ core: ContainerCore) -> Bool {
    let isDue =
      attention.value & Attention.unprepared != 0
      || ContextFrame.current?.sandbox?.extra(FactoryViews.self)?.preparation(core)?.isPending
        ?? false
    guard isDue, !Self.isAutoRegistering(core) else { return false }
    // The reference to the container never changes, and containers are Sendable.
    let (own, isOfOwnClass) = state.withLock { (Unchecked($0.container), $0.isOfOwnClass) }
    if let known = own.value?.container {
      guard known is any AutoRegistering else { return false }
      prepare(known, core)
    } else {
      guard !isOfOwnClass, Self.containersRegister else { return false }
      prepare(asked(), core)
    }
    return true
  }

  /// Whether `Container` conforms to `AutoRegistering`.
  private static let containersRegister = Resolver.self as Any is any AutoRegistering.Type

  /// Runs `autoRegister` again in a sandbox that reset the container.
  ///
  /// It replaces no registration that the test made.
  @inline(never)
  private func prepareView(_ container: () -> any ManagedContainer, _ core: ContainerCore) {
    guard let sandbox = ContextFrame.current?.sandbox,
      let preparation = sandbox.extra(FactoryViews.self)?.preparation(core)
    else { return }
    preparation.runIfPending {
      RegisteringContext.with({ $0.isStartingUp = true }) { Self.run(container(), core) }
    }
  }

  /// Makes `autoRegister` run again before the container's next use.
  func rearm(_ core: ContainerCore) {
    if let sandbox = ContextFrame.writableSandbox {
      sandbox.factoryViews(of: core).rearm(core)
      return
    }
    preparation.ask(ifNew: { update { $0.isPrepared = false } })
  }
}

// MARK: - Settings, as a context sees them

extension FactoryState {
  func decorator(_ core: ContainerCore, _ frame: ContextFrame?) -> ((Any) -> Void)? {
    frame?.factorySetting(core, \.decorator) ?? state.withLock { $0.decorator }
  }

  func setDecorator(_ decorator: ((Any) -> Void)?, _ core: ContainerCore) {
    if let sandbox = ContextFrame.writableSandbox {
      sandbox.factoryViews(of: core).update(core) { $0.decorator = .some(decorator) }
    } else {
      let old = update { state in
        defer { state.decorator = decorator }
        return state.decorator
      }
      // The last reference to a captured object may be released here, with no lock held.
      withExtendedLifetime(old) {}
    }
  }

  func defaultScope(_ core: ContainerCore, _ frame: ContextFrame?) -> Scope? {
    frame?.factorySetting(core, \.defaultScope) ?? state.withLock { $0.defaultScope }
  }

  func setDefaultScope(_ scope: Scope?, _ core: ContainerCore) {
    if let sandbox = ContextFrame.writableSandbox {
      sandbox.factoryViews(of: core).update(core) { $0.defaultScope = .some(scope) }
    } else {
      update { $0.defaultScope = scope }
      // Requests for declarations without a scope of their own need the slow path from now on.
      for registration in core.registry.all() where registration.options.declarations == 1 {
        if let record = registration.options.factory {
          core.registry.replace(registration, with: record.needingALook(registration))
        }
      }
    }
    // Registrations for such declarations have taken on the previous default scope.
    let frame = ContextFrame.current
    let target = RegistrationTarget.current(for: core)
    let present = target.registry.byKey()
    for registration in core.visible(frame) {
      guard let changed = registration.options.factory?.withDefaultScope(scope, registration)
      else { continue }
      if target.registry.replace(present[registration.key], with: changed) {
        frame?.dropSlot(of: registration, replacedBy: changed)
      }
    }
  }

  func promiseTriggersError(_ core: ContainerCore, _ frame: ContextFrame?) -> Bool {
    frame?.factorySetting(core, \.promiseTriggersError)
      ?? state.withLock { $0.promiseTriggersError }
  }

  func setPromiseTriggersError(_ triggers: Bool, _ core: ContainerCore) {
    if let sandbox = ContextFrame.writableSandbox {
      sandbox.factoryViews(of: core).update(core) { $0.promiseTriggersError = triggers }
    } else {
      update { $0.promiseTriggersError = triggers }
    }
  }
}

// MARK: - Push and pop

extension FactoryState {
  func push(_ registrations: [Registration], seen: Set<UInt64>, _ core: ContainerCore) {
    if let sandbox = ContextFrame.writableSandbox {
      sandbox.factoryViews(of: core).push(registrations, seen: seen, core)
      return
    }
    update { state in
      var settings = FactoryView.Settings()
      settings.decorator = .some(state.decorator)
      settings.defaultScope = .some(state.defaultScope)
      settings.promiseTriggersError = state.promiseTriggersError
      state.pushed.append(
        Pushed(
          registrations: registrations, seen: seen, settings: settings,
          isUnprepared: !state.isPrepared))
    }
  }

  /// Restores the settings that were pushed last, and returns the pushed state, if there is one.
  func pop(_ core: ContainerCore) -> Pushed? {
    if let sandbox = ContextFrame.writableSandbox {
      return sandbox.factoryViews(of: core).pop(core)
    }
    let (pushed, old): (Pushed?, ((Any) -> Void)?) = update { state in
      guard let pushed = state.pushed.popLast() else { return (nil, nil) }
      defer { state.decorator = pushed.settings.decorator ?? nil }
      state.defaultScope = pushed.settings.defaultScope ?? nil
      state.promiseTriggersError = pushed.settings.promiseTriggersError ?? false
      return (pushed, state.decorator)
    }
    withExtendedLifetime(old) {}
    return pushed
  }
}
