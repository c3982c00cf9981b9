internal import DIPrimitives

// The task-scoped context. One kind of frame serves sandboxes, layers, scoped roots, recorders and
// cache resets alike: a frame is bound to the task, links to the one outside it, and says what it
// replaces. A resolution asks the frames from the inside out, then the containers
// (Kernel/Lookup.swift). A process without frames never gets here: every frame that is alive
// counts in `di_attention`, which resolutions look at first.

/// What a scope, for the task that it is bound to, puts in the place of the process's state.
package final class ContextFrame: Sendable {
  package enum Kind: Sendable {
    /// Production set-up code: as if no frame were there, and what it writes is base state.
    case base
    case sandbox
    case root
    case layer
    case caches
    case recorder
    case policy
  }

  /// Which caches a frame brings.
  package enum Caches: Sendable {
    case none
    case all
    case only([ObjectIdentifier])
  }

  @TaskLocal package static var bound: ContextFrame?
  /// Whether `registerAllServices` is running: it never overwrites what was registered before.
  @TaskLocal static var isStartingUp = false
  /// Whether a suite's or preset's doubles are being registered, for which the end is lenient.
  @TaskLocal package static var isPreset = false

  /// Where production set-up code runs.
  package static let base = ContextFrame(.base, parent: nil)

  package let kind: Kind
  package let parent: ContextFrame?
  /// The container that a layer or a scoped root installs.
  package let installed: Resolver?
  package let caches: Caches
  /// Whether `push` put it on a scope: it is no scope of its own then.
  package let isPushed: Bool
  /// Who opened it, for reports: a test's name, or the function that was called.
  package let owner: Owner
  package let recorder: ResolutionRecorder?
  package let policy: ScopePolicy?
  /// Set for the sandbox of a dry run (Graph/DryRun.swift): nobody outside hears of it.
  let dryRun: DryRun?
  /// Whether this frame or one outside has a policy to look at.
  let hasPolicies: Bool
  /// For scopes: the instances that were handed out in them, in case a double comes too late.
  let handedOut: InstanceLog?
  private let state: Lock<State>
  private let pushed = Atomic()
  private let ended = Atomic()
  private let plainScope: Unchecked<UnsafeMutablePointer<PlainScope>>

  /// Where a frame comes from, and where its findings go.
  package struct Owner: Sendable {
    package var name: String
    package var location: CodeLocation
    package var report: IssueHandler?

    package init(
      name: String = "", location: CodeLocation = CodeLocation(), report: IssueHandler? = nil
    ) {
      self.name = name
      self.location = location
      self.report = report
    }
  }

  private struct State {
    var root: Resolver?
    /// What `Resolver.push` put on top, for every task that this frame is bound to.
    var top: ContextFrame?
    var overlays: [ObjectIdentifier: Overlay] = [:]
    var slots: [ObjectIdentifier: (base: AnySlot, own: AnySlot)] = [:]
    var hasEnded = false
    var decorate: ((Any) -> Void)??
    var defaultScope: Scope?
    var startupPending = false
    var findings: [ScopeFinding] = []
    var extras: [ObjectIdentifier: any Sendable] = [:]
  }

  package init(
    _ kind: Kind, parent: ContextFrame?, installed: Resolver? = nil, caches: Caches = .none,
    recorder: ResolutionRecorder? = nil, policy: ScopePolicy? = nil, isPushed: Bool = false,
    owner: Owner = Owner(), dryRun: DryRun? = nil
  ) {
    self.kind = kind
    self.parent = parent
    self.installed = installed
    self.caches = caches
    self.recorder = recorder
    self.policy = policy
    self.dryRun = dryRun
    self.isPushed = isPushed
    hasPolicies = policy != nil || (parent?.hasPolicies ?? false)
    self.owner = owner
    handedOut = kind == .sandbox || kind == .layer || kind == .root ? InstanceLog() : nil
    state = Lock(State(root: kind == .root ? installed : nil))
    let isCached = if case .all = caches { true } else { false }
    let isUncached = if case .none = caches { true } else { false }
    // An address that lives as long as this object; see there for who writes to it.
    plainScope = Unchecked(
      PlainScope.make(
        isPlain: (kind == .sandbox || kind == .root || kind == .caches) && recorder == nil
          && policy == nil && (isCached || isUncached),
        bringsCaches: isCached, parent: parent?.plain))
    PlainScope.attach(self, to: plain)
    if kind != .base { di_attention_add(1) }
    noteOpen()
  }

  /// What usual requests read without locks.
  var plain: UnsafeMutablePointer<PlainScope> { plainScope.value }

  deinit {
    PlainScope.free(plain)
    if kind != .base { di_attention_add(-1) }
  }
}

// MARK: - Finding frames

extension ContextFrame {
  private static let process = Lock<ContextFrame?>(nil)

  /// The frame that the calling task resolves in; nil in production, and in production set-up.
  package static var current: ContextFrame? {
    if di_attention_needed() == 0 { return nil }
    guard let bound else { return process.withLock { $0 }?.top }
    return bound.kind == .base ? nil : bound.top
  }

  /// Whether production set-up code is running: what it writes is base state.
  package static var isSettingUp: Bool { bound?.kind == .base }

  private var top: ContextFrame {
    pushed.isSet ? state.withLock { $0.top } ?? self : self
  }

  /// The frame and all those outside it, innermost first.
  package var chain: some Sequence<ContextFrame> {
    sequence(first: self, next: \.parent)
  }

  /// The innermost frame that has caches of its own for a scope.
  func cacheFrame(for scope: Scope) -> ContextFrame? {
    chain.first { frame in
      switch frame.caches {
      case .none: false
      case .all: true
      case .only(let scopes): scopes.contains(ObjectIdentifier(scope))
      }
    }
  }

  package var sandbox: ContextFrame? { chain.first { $0.kind == .sandbox } }

  /// The scope whose root an assignment changes: pushed layers come and go on top of it.
  static var rootScope: ContextFrame? {
    current?.chain.first {
      $0.kind == .sandbox || $0.kind == .root || $0.kind == .layer && !$0.isPushed
    }
  }

  package var innermostScope: ContextFrame? {
    chain.first { $0.kind == .sandbox || $0.kind == .root || $0.kind == .layer }
  }

  package var hasLayers: Bool { chain.contains { $0.kind == .layer } }
}

// MARK: - Roots and pushed layers

extension ContextFrame {
  /// The container that the frames put in the root's place, if any.
  package var root: Resolver? {
    for frame in chain {
      if let root = frame.state.withLock({ $0.root }) { return root }
    }
    return nil
  }

  package func setRoot(_ root: Resolver) {
    let old = state.withLock { state in
      defer { state.root = root }
      return state.root
    }
    withExtendedLifetime(old) {}
  }

  /// The innermost layer or root that was put on this frame with `push`.
  package var pushedTop: ContextFrame? { state.withLock { $0.top } }

  package func setPushedTop(_ frame: ContextFrame?) {
    let old = state.withLock { state in
      defer { state.top = frame }
      if frame != nil { PlainScope.becomeOdd(plain) }
      pushed.set(frame != nil)
      return state.top
    }
    withExtendedLifetime(old) {}
  }

  /// What was pushed with no scope around: it answers for the whole process.
  package static var processTop: ContextFrame? { process.withLock { $0 } }

  package static func setProcessTop(_ frame: ContextFrame?) {
    let old = process.withLock { top in
      defer { top = frame }
      return top
    }
    withExtendedLifetime(old) {}
  }

  package var hasEnded: Bool { ended.isSet }

  /// Ends the scope: it lets go of the instances it kept.
  ///
  /// Its doubles stay for work that still carries the frame: such late requests are reported, and
  /// get a double or nothing, never a live service.
  package func end() {
    // Instances are torn down while the scope still answers.
    let kept = state.withLock { state in
      defer { state.slots = [:] }
      return state.slots
    }
    for (_, entry) in kept { entry.own.forget() }
    let (slots, top) = state.withLock { state in
      defer {
        state.slots = [:]
        state.top = nil
        state.hasEnded = true
      }
      return (state.slots, state.top)
    }
    ended.set(true)
    PlainScope.becomeOdd(plain)
    pushed.set(false)
    noteEnd()
    // Last references go here, with no lock held.
    for (_, entry) in slots { entry.own.forget() }
    withExtendedLifetime((kept, slots, top)) {}
  }
}

// MARK: - A sandbox's view of the containers

/// What a sandbox puts over one container.
package final class Overlay: Sendable {
  package let registry = Registry()
  /// Held, so that no other container takes its place in memory and gets its overlay.
  let core: ContainerCore
  private let state = Lock(State())

  let isMasking = Atomic()

  init(_ core: ContainerCore) { self.core = core }

  private struct State {
    var children: [Resolver]?
  }

  /// Whether the container below was reset: nothing of it shows.
  package var masksAll: Bool { isMasking.isSet }
  package var children: [Resolver]? { state.withLock { $0.children } }

  func setChildren(_ children: [Resolver]) {
    let old = state.withLock { state in
      defer { state.children = children }
      return state.children
    }
    withExtendedLifetime(old) {}
  }

  func reset() {
    isMasking.set(true)
    setChildren([])
    registry.removeAll()
  }
}

extension ContextFrame {
  package func overlay(for core: ContainerCore) -> Overlay? {
    state.withLock { $0.overlays[ObjectIdentifier(core)] }
  }

  /// Lets go of the sandbox's doubles, once nobody can ask for them any more.
  package func forgetDoubles() {
    let overlays = state.withLock { Array($0.overlays.values) }
    for overlay in overlays { overlay.registry.removeAll() }
  }

  /// The overlay for a container, made on first use.
  package func makeOverlay(for core: ContainerCore) -> Overlay {
    state.withLock { state in
      if let overlay = state.overlays[ObjectIdentifier(core)] { return overlay }
      let overlay = Overlay(core)
      state.overlays[ObjectIdentifier(core)] = overlay
      PlainScope.add(overlay, for: core, to: plain)
      return overlay
    }
  }
}

extension ContextFrame {
  /// Whether a registration in one of the frame's overlays keeps its instance in a once-state.
  func overlaysHold(_ slot: AnySlot) -> Bool {
    let overlays = state.withLock { Array($0.overlays.values) }
    return overlays.contains { $0.registry.all().contains { $0.slot === slot } }
  }
}

// MARK: - Caches

extension ContextFrame {
  /// The frame's own once-state in the place of `base`.
  func slot(for base: AnySlot) -> AnySlot {
    state.withLock { state in
      if let entry = state.slots[ObjectIdentifier(base)] { return entry.own }
      let own = base.makeEmpty()
      // A scope that has ended keeps nothing any more.
      if !state.hasEnded { state.slots[ObjectIdentifier(base)] = (base, own) }
      return own
    }
  }

  /// Forgets the instances that this frame keeps in scopes that fit.
  package func forget(where fits: (Scope) -> Bool) {
    let slots = state.withLock { state in
      state.slots.values.map(\.own).filter { fits($0.scope) }
    }
    for slot in slots { slot.forget() }
  }

  /// Forgets what is kept in the place of one once-state.
  func forget(_ base: AnySlot) {
    let slot = state.withLock { $0.slots.removeValue(forKey: ObjectIdentifier(base))?.own }
    slot?.forget()
  }
}

// MARK: - Findings

extension ContextFrame {
  func add(_ finding: ScopeFinding) {
    state.withLock { $0.findings.append(finding) }
  }

  /// What was noticed while the scope was open, in order.
  var noticed: [ScopeFinding] { state.withLock { $0.findings } }

  /// The registrations that this scope holds: a sandbox's in all containers, or a layer's.
  var ownRegistrations: [(core: ContainerCore, registration: AnyRegistration)] {
    var overlays = state.withLock { $0.overlays.values.map { ($0.core, $0.registry) } }
    if kind == .layer, let core = installed?.core { overlays.append((core, core.registry)) }
    return overlays.flatMap { core, registry in
      registry.all().map { (core: core, registration: $0) }
    }.sorted { $0.registration.id < $1.registration.id }
  }

  /// Whether this scope keeps an instance in the place of a once-state.
  func keeps(_ base: AnySlot) -> Bool {
    let own = state.withLock { $0.slots[ObjectIdentifier(base)]?.own }
    return own.map { !$0.isEmpty } ?? false
  }
}

// MARK: - Settings

extension ContextFrame {
  package var decorate: ((Any) -> Void)?? {
    state.withLock { $0.decorate }
  }

  package func setDecorate(_ decorate: ((Any) -> Void)?) {
    let old = state.withLock { state in
      defer { state.decorate = .some(decorate) }
      PlainScope.becomeOdd(plain)
      return state.decorate
    }
    withExtendedLifetime(old) {}
  }

  package var defaultScope: Scope? {
    get { state.withLock { $0.defaultScope } }
    set { state.withLock { $0.defaultScope = newValue } }
  }

  /// Whether `registerAllServices` is to run again, into this sandbox's view.
  package var startupPending: Bool {
    get { state.withLock { $0.startupPending } }
    set {
      if newValue { PlainScope.becomeOdd(plain) }
      state.withLock { $0.startupPending = newValue }
    }
  }

  /// Takes the pending start-up; true for the one caller that is to run it.
  func takeStartup() -> Bool {
    state.withLock { state in
      defer { state.startupPending = false }
      return state.startupPending
    }
  }

  /// What other modules and dialects keep with the frame, one value a type.
  package func extra<Value: Sendable>(_ type: Value.Type, orMake make: () -> Value) -> Value {
    state.withLock { state in
      if let value = state.extras[ObjectIdentifier(type)] as? Value { return value }
      let value = make()
      state.extras[ObjectIdentifier(type)] = value
      return value
    }
  }

  package func extra<Value: Sendable>(_ type: Value.Type) -> Value? {
    state.withLock { $0.extras[ObjectIdentifier(type)] as? Value }
  }
}
