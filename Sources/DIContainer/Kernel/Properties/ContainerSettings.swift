internal import DIPrimitives

// The settings that a container has for services declared as properties, and the runs of its
// `autoRegister`. A sandbox has settings of its own in place of those that are changed in it.

/// A container's settings for services declared as properties.
final class ContainerSettings: Sendable {
  /// Not zero while a request needs more than the container's own registrations.
  private let attention = Atomic(Attention.unprepared)
  fileprivate let state = Lock(State())
  /// Whether any container or sandbox was given a value of its own.
  fileprivate static let areValuesUsed = Atomic()
  /// Whether any sandbox has settings of its own.
  fileprivate static let areSandboxed = Atomic()

  private enum Attention {
    static let unprepared: UInt = 1
    static let decorator: UInt = 2
    static let children: UInt = 4
  }

  fileprivate struct State {
    var isPrepared = false
    var hasChildren = false
    var isOfOwnClass = false
    var isShared = false
    var containerType: Any.Type?
    /// The container if it is user-defined; not held, because its manager holds this.
    weak var container: (any ManagedContainer)?
    var view = View()
  }

  /// The settings; in a sandbox's view, nil for those that are as outside.
  struct Values {
    var decorator: ((Any) -> Void)??
    var defaultScope: Scope??
    var promiseTriggersError: Bool?
  }

  /// The settings that may differ in a sandbox.
  struct View {
    var values = Values()
    /// The runs of `autoRegister`; nil before the first one is requested.
    var preparation: StartupTurn?
    var pushed: [Pushed] = []
  }

  /// The state that `push` saved.
  struct Pushed {
    let registrations: [Registration]
    let instances: SavedInstances
    let values: Values
    /// Whether `autoRegister` had yet to run.
    let isUnprepared: Bool
  }

  /// The word that is not zero while requests need the general path.
  var attentionWord: UnsafeMutablePointer<UInt> { attention.word.value }

  fileprivate func update<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      attention.set(
        bits: (state.isPrepared ? 0 : Attention.unprepared)
          | ((state.view.values.decorator ?? nil) == nil ? 0 : Attention.decorator)
          | (state.hasChildren ? Attention.children : 0))
      return result
    }
  }

  var hasChildren: Bool {
    get { attention.value & Attention.children != 0 }
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

// MARK: - Settings, as a context sees them

extension ContainerCore {
  /// Returns a setting of the innermost sandbox that has one of its own, or of the container.
  func setting<Value>(
    _ setting: (ContainerSettings.Values) -> Value?, _ frame: ContextFrame?
  ) -> Value? {
    guard ContainerSettings.areValuesUsed.isSet else { return nil }
    if let frame, ContainerSettings.areSandboxed.isSet {
      for sandbox in frame.sandboxes {
        if let own = sandbox.view(of: self)?.settings?.withLock({ setting($0.values) }) {
          return own
        }
      }
    }
    return settings.state.withLock { setting($0.view.values) }
  }

  /// Changes settings of the current sandbox, or of the container outside of all.
  func set(_ change: (inout ContainerSettings.Values) -> Void) {
    ContainerSettings.areValuesUsed.set(true)
    changeSettings { change(&$0.values) }
  }

  func setDefaultScope(_ scope: Scope?) {
    set { $0.defaultScope = .some(scope) }
    applyDefaultScope(scope ?? .unique)
  }

  // What is replaced is released with no lock held: that may run user code.
  @discardableResult
  fileprivate func changeSettings<Result>(
    _ change: (inout ContainerSettings.View) -> Result
  ) -> Result {
    let old: ContainerSettings.View
    let result: Result
    if let sandbox = ContextFrame.writableSandbox {
      ContainerSettings.areSandboxed.set(true)
      (old, result) = sandbox.makeSettings(of: self).withLock { ($0, change(&$0)) }
    } else {
      (old, result) = settings.update { ($0.view, change(&$0.view)) }
    }
    return withExtendedLifetime(old) { result }
  }

  func push(_ registrations: [Registration], _ instances: SavedInstances) {
    let isUnprepared =
      ContextFrame.writableSandbox == nil
      ? !settings.state.withLock { $0.isPrepared }
      : ContainerSettings.sandboxPreparation(self)?.isPending ?? false
    changeSettings { view in
      view.pushed.append(
        ContainerSettings.Pushed(
          registrations: registrations, instances: instances, values: view.values,
          isUnprepared: isUnprepared))
    }
  }

  /// Restores the settings that were pushed last, and returns the pushed state, if there is one.
  func pop() -> ContainerSettings.Pushed? {
    changeSettings { view in
      let pushed = view.pushed.popLast()
      if let pushed { view.values = pushed.values }
      return pushed
    }
  }
}

// MARK: - Automatic registration

extension ContainerSettings {
  /// The container whose `autoRegister` is running in the current task.
  @TaskLocal static var autoRegistering: ObjectIdentifier?

  /// Whether a container's `autoRegister` is running in the current task.
  static func isAutoRegistering(_ core: ContainerCore) -> Bool {
    autoRegistering == ObjectIdentifier(core)
  }

  /// Whether a run of `autoRegister` is due.
  func isDue(_ core: ContainerCore) -> Bool {
    attention.value & Attention.unprepared != 0
      || di_attention_needed() != 0 && Self.sandboxPreparation(core)?.isPending ?? false
  }

  /// Runs `autoRegister` if a run is due.
  ///
  /// Other threads wait for it; requests that it makes do not. A run in a sandbox that reset the
  /// container replaces no registration that the test made.
  func prepare(_ container: any ManagedContainer, _ core: ContainerCore) {
    if attention.value & Attention.unprepared != 0 { prepareOnce(container, core) }
    if di_attention_needed() == 0 { return }
    Self.sandboxPreparation(core)?.runIfPending {
      RegisteringContext.with({ $0.isStartingUp = true }) { Self.run(container, core) }
    }
  }

  @inline(never)
  private func prepareOnce(_ container: any ManagedContainer, _ core: ContainerCore) {
    preparation.runIfPending {
      let type = type(of: container)
      state.withLock {
        $0.containerType = type
        // A `Container` is known to its core.
        if type != Resolver.self { $0.container = container }
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
      let preparation = state.view.preparation ?? StartupTurn(isPending: true)
      state.view.preparation = preparation
      return preparation
    }
  }

  private static func run(_ container: any ManagedContainer, _ core: ContainerCore) {
    // A `Container` that nests others has their registrations, and makes none itself.
    for child in core.baseChildren { child.core.settings.prepare(child, child.core) }
    guard core.baseChildren.isEmpty || type(of: container) != Resolver.self else { return }
    let any: Any = container
    guard let container = any as? any AutoRegistering else { return }
    $autoRegistering.withValue(ObjectIdentifier(core)) { container.autoRegister() }
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
    guard isDue(core), !Self.isAutoRegistering(core) else { return false }
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

  fileprivate static func sandboxPreparation(_ core: ContainerCore) -> StartupTurn? {
    guard areSandboxed.isSet else { return nil }
    return ContextFrame.current?.sandbox?.view(of: core)?.settings?.withLock { $0.preparation }
  }

  /// Makes `autoRegister` run again before the container's next use.
  func rearm(_ core: ContainerCore) {
    if ContextFrame.writableSandbox == nil {
      return preparation.request(ifNew: { update { $0.isPrepared = false } })
    }
    let preparation = core.changeSettings { view in
      let preparation = view.preparation ?? StartupTurn(isPending: false)
      view.preparation = preparation
      return preparation
    }
    preparation.request()
  }
}

extension ContextFrame {
  /// The sandbox to which changes belong now; nil if they are base state.
  static var writableSandbox: ContextFrame? {
    isSettingUp ? nil : current?.sandbox
  }
}
