internal import DIPrimitives

// The task-scoped context. One kind of frame serves sandboxes, layers, scoped roots, recorders and
// cache resets alike: a frame is bound to the task, links to the one outside it, and says what it
// replaces. A resolution asks the frames from the inside out, then the containers
// (Lookup.swift). Every frame that is alive counts in `di_attention`, which resolutions look
// at first: without frames they look no further here.

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

  // What changes, and what usual requests read without locks. Read and written by its address
  // only, by whom is said where it is declared: hence unchecked. It has to stay the first property
  // of a class that has no superclass.
  private let scope = Unchecked(di_scope())

  @TaskLocal package static var bound: ContextFrame?

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
  private let sharedPolicy: SharedPolicy?
  /// Set for the sandbox of a dry run (Graph/DryRun.swift): nobody outside hears of it.
  let dryRun: DryRun?
  /// Whether this frame or one outside has a policy to look at.
  let hasPolicies: Bool
  /// Where a frame comes from, and where its findings go.
  package struct Owner: Sendable {
    package let name: String
    package let location: CodeLocation
    package let report: IssueHandler?
    /// Whether the name is a test's, rather than that of the function that was called.
    package let isTest: Bool

    package init(name: String, location: CodeLocation, report: IssueHandler?, isTest: Bool) {
      (self.name, self.location) = (name, location)
      (self.report, self.isTest) = (report, isTest)
    }
  }

  /// What the frame asks for, if anything.
  package var policy: ScopePolicy? { sharedPolicy?.policy }
  var hasNoPolicy: Bool { sharedPolicy == nil }

  package init(
    _ kind: Kind, parent: consuming ContextFrame?, installed: consuming Resolver? = nil,
    caches: consuming Caches = .none, recorder: consuming ResolutionRecorder? = nil,
    policy: consuming SharedPolicy? = nil, isPushed: Bool = false, name: consuming String = "",
    isTest: Bool = false, location: CodeLocation = CodeLocation(),
    report: consuming IssueHandler? = nil, dryRun: consuming DryRun? = nil
  ) {
    // What is consumed is moved to its place: otherwise each reference is counted twice here.
    self.kind = kind
    self.parent = consume parent
    self.installed = consume installed
    self.caches = consume caches
    self.recorder = consume recorder
    sharedPolicy = consume policy
    hasPolicies = sharedPolicy != nil || (self.parent?.hasPolicies ?? false)
    self.dryRun = consume dryRun
    self.isPushed = isPushed
    owner = Owner(name: name, location: location, report: report, isTest: isTest)
    di_lock_init(di_scope_lock(plain))
    if di_task_key_is_missing(di_scope_key()) { di_task_key_set(di_scope_key(), Self.$bound.key) }
    PlainScope.attach(self, to: plain)
    if kind != .base {
      di_store_word(di_scope_is_counted(plain), 1)
      di_attention_add(1)
    }
    noteOpen()
  }

  /// What usual requests read without locks; it lives as long as this object.
  var plain: UnsafeMutablePointer<di_scope> {
    firstProperty(of: self).assumingMemoryBound(to: di_scope.self)
  }

  /// Runs kernel code that changes what the frame holds.
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    di_lock_acquire(di_scope_lock(plain))
    defer { di_lock_release(di_scope_lock(plain)) }
    return try body()
  }

  /// Notes that requests have to take the long way from now on.
  func becomeOdd() { addOddity(1) }

  /// Counts, or counts no more, a reason for requests to take the long way.
  func addOddity(_ change: Int) {
    _ = di_add_word(di_scope_oddities(plain), UInt(bitPattern: change))
  }

  /// Has requests pass the frame over from now on, although somebody may still hold it.
  func leaveAttention() {
    if di_exchange_word_if(di_scope_is_counted(plain), 1, 0) == 1 { di_attention_add(-1) }
  }

  deinit {
    PlainScope.clear(plain)
    // Nobody else can reach it any more, so that this takes no exchange.
    if di_load_word(di_scope_is_counted(plain)) != 0 { di_attention_add(-1) }
  }
}

extension TaskLocal {
  /// The address by which the runtime knows it.
  var key: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
}

/// Whether the calling code runs in a task.
package func isInTask() -> Bool { di_is_in_task() }

// MARK: - Finding frames

extension ContextFrame {
  /// The frame that is bound to the task, good for as long as the caller runs in it.
  ///
  /// The task holds it meanwhile. Read in the usual way, by unspecialised code of the runtime that
  /// copies the value, it takes 300 instructions; this takes 80.
  static var borrowed: Unmanaged<ContextFrame>? {
    di_task_local(di_scope_key())?.load(as: UnsafeRawPointer?.self).map { .fromOpaque($0) }
  }

  /// Whether requests have to look for frames.
  package static var needsAttention: Bool { di_attention_needed() != 0 }

  /// The frame that the calling task resolves in; nil in production, and in production set-up.
  package static var current: ContextFrame? {
    di_attention_needed() == 0 ? nil : current(borrowed)
  }

  /// The frame that a task resolves in to which one is bound, or none.
  static func current(_ bound: Unmanaged<ContextFrame>?) -> ContextFrame? {
    guard let bound else { return outside?.frame }
    return bound._withUnsafeGuaranteedRef { $0.kind == .base ? nil : $0.top }
  }

  /// The frame that a scope which is opened now lies in.
  ///
  /// Not what may answer work that left its task: two tasks that open scopes side by side would
  /// nest them, now in this order and now in that.
  package static var around: ContextFrame? {
    if di_attention_needed() == 0 { return nil }
    guard let bound = borrowed else { return processTop?.top }
    return current(bound)
  }

  /// The test that a frame bound to the task was opened by, if one was.
  ///
  /// To ask the test framework takes 250 ns in a test.
  package static var boundTest: String? {
    // Most scopes are opened where none is open.
    if di_attention_needed() == 0 { return nil }
    return borrowed?._withUnsafeGuaranteedRef { $0.owner.isTest ? $0.owner.name : nil }
  }

  /// Whether production set-up code is running: what it writes is base state.
  package static var isSettingUp: Bool {
    borrowed?._withUnsafeGuaranteedRef { $0.kind == .base } ?? false
  }

  private var top: ContextFrame { pushedTop ?? self }

  /// The frame and all those outside it, innermost first.
  package var chain: some Sequence<ContextFrame> {
    sequence(first: self, next: \.parent)
  }

  /// The sandboxes among them, innermost first.
  var sandboxes: some Sequence<ContextFrame> {
    sequence(state: sandbox) { next in
      defer { next = next?.parent?.sandbox }
      return next
    }
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

  package var sandbox: ContextFrame? { borrowedSandbox?.takeUnretainedValue() }

  /// The innermost sandbox, good for as long as somebody holds the frame.
  var borrowedSandbox: Unmanaged<ContextFrame>? {
    plain.pointee.sandbox.map { .fromOpaque($0.pointee.frame.unsafelyUnwrapped) }
  }

  /// The scope whose root an assignment changes: pushed layers come and go on top of it.
  static var rootScope: ContextFrame? {
    current?.chain.first {
      $0.kind == .sandbox || $0.kind == .root || $0.kind == .layer && !$0.isPushed
    }
  }

  /// Whether one of the frames fits, seen without counting references to them.
  @inline(__always)
  func isAnyScope(_ fits: (UnsafeMutablePointer<di_scope>) -> Bool) -> Bool {
    plain.isAny(fits)
  }

  /// Whether one of the frames has what few have.
  var hasExtrasAround: Bool { isAnyScope { di_load(di_scope_extras($0)) != nil } }

  package var innermostScope: ContextFrame? {
    plain.pointee.innermost.map {
      Unmanaged<ContextFrame>.fromOpaque($0.pointee.frame!).takeUnretainedValue()
    }
  }

  package var hasLayers: Bool { plain.pointee.has_layers }
}
