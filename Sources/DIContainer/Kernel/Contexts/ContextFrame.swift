internal import DIPrimitives

// The task-scoped context. One kind of frame serves sandboxes, layers, scoped roots, recorders and
// cache resets alike: a frame is bound to the task, links to the enclosing one, and lists what it
// replaces. A resolution searches the frames from the innermost outwards, then the containers
// (Lookup.swift). Every frame that is alive counts in `di_attention`, which resolutions read first:
// without frames they skip all of this.

/// A scope's replacements for the process's state, for the task that it is bound to.
package final class ContextFrame: Sendable {
  package enum Kind: Sendable {
    /// Production setup code: it resolves as without a frame, and its registrations are base state.
    case base
    case sandbox
    case root
    case layer
    case caches
    case recorder
    case policy
  }

  /// The caches that a frame brings.
  package enum Caches: Sendable {
    case none
    case all
    case only([ObjectIdentifier])
  }

  // The mutable part, which usual requests read without locks. Accessed by its address only, under
  // the rules given at the declaration: hence unchecked. It has to stay the first property of a
  // class that has no superclass.
  private let scope = Unchecked(di_scope())

  @TaskLocal package static var bound: ContextFrame?

  /// The frame in which production setup code runs.
  package static let base = ContextFrame(.base, parent: nil)

  package let kind: Kind
  package let parent: ContextFrame?
  /// The container that a layer or a scoped root installs.
  package let installed: Resolver?
  package let caches: Caches
  /// Whether `push` added it to a scope, so that it is no scope of its own.
  package let isPushed: Bool
  /// The opener, for reports: a test's name, or the function that was called.
  package let owner: Owner
  package let recorder: ResolutionRecorder?
  private let sharedPolicy: SharedPolicy?
  /// The dry run whose sandbox this is (Graph/DryRun.swift); it is invisible outside.
  let dryRun: DryRun?
  /// Whether this frame or an enclosing one has a policy to check.
  let hasPolicies: Bool
  /// The origin of a frame, and the destination of its findings.
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

  /// The frame's policy, if any.
  package var policy: ScopePolicy? { sharedPolicy?.policy }
  var hasNoPolicy: Bool { sharedPolicy == nil }

  package init(
    _ kind: Kind, parent: consuming ContextFrame?, installed: consuming Resolver? = nil,
    caches: consuming Caches = .none, recorder: consuming ResolutionRecorder? = nil,
    policy: consuming SharedPolicy? = nil, isPushed: Bool = false, name: consuming String = "",
    isTest: Bool = false, location: CodeLocation = CodeLocation(),
    report: consuming IssueHandler? = nil, dryRun: consuming DryRun? = nil
  ) {
    // Consumed parameters are moved to their place: otherwise each reference is counted twice here.
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

  /// The part that usual requests read without locks; it lives as long as this object.
  var plain: UnsafeMutablePointer<di_scope> {
    firstProperty(of: self).assumingMemoryBound(to: di_scope.self)
  }

  /// Runs kernel code that changes the frame's state, under its lock.
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    di_lock_acquire(di_scope_lock(plain))
    defer { di_lock_release(di_scope_lock(plain)) }
    return try body()
  }

  /// Makes requests take the slow path from now on.
  func becomeOdd() { addOddity(1) }

  /// Adds or removes a reason for requests to take the slow path.
  func addOddity(_ change: Int) {
    _ = di_add_word(di_scope_oddities(plain), UInt(bitPattern: change))
  }

  /// Makes requests ignore the frame from now on, although it may still be held.
  func leaveAttention() {
    if di_exchange_word_if(di_scope_is_counted(plain), 1, 0) == 1 { di_attention_add(-1) }
  }

  deinit {
    PlainScope.clear(plain)
    // No other thread can reach it any more, so this takes no atomic exchange.
    if di_load_word(di_scope_is_counted(plain)) != 0 { di_attention_add(-1) }
  }
}

extension TaskLocal {
  /// The address that identifies it in the runtime.
  var key: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
}

/// Whether the calling code runs in a task.
package func isInTask() -> Bool { di_is_in_task() }

// MARK: - Finding frames

extension ContextFrame {
  /// The frame that is bound to the task, valid as long as the caller runs in it.
  ///
  /// The task holds it meanwhile. The usual read, in unspecialised runtime code that copies the
  /// value, takes 300 instructions; this takes 80.
  static var borrowed: Unmanaged<ContextFrame>? {
    di_task_local(di_scope_key())?.load(as: UnsafeRawPointer?.self).map { .fromOpaque($0) }
  }

  /// Whether requests have to look for frames.
  package static var needsAttention: Bool { di_attention_needed() != 0 }

  /// The frame that the calling task resolves in; nil in production, and in production setup.
  package static var current: ContextFrame? {
    di_attention_needed() == 0 ? nil : current(borrowed)
  }

  /// Returns the frame in which a task resolves, given the one that is bound to it, if any.
  static func current(_ bound: Unmanaged<ContextFrame>?) -> ContextFrame? {
    guard let bound else { return outside?.frame }
    return bound._withUnsafeGuaranteedRef { $0.kind == .base ? nil : $0.top }
  }

  /// The enclosing frame for a scope that is opened now.
  ///
  /// The frame that may serve work which left its task does not count: two tasks that open scopes
  /// concurrently would nest them, in an order that varies.
  package static var around: ContextFrame? {
    if di_attention_needed() == 0 { return nil }
    guard let bound = borrowed else { return processTop?.top }
    return current(bound)
  }

  /// The name of the test that opened the frame bound to the task, if a test did.
  ///
  /// Reading it from the test framework takes 250 ns in a test.
  package static var boundTest: String? {
    // Most scopes are opened while none is open.
    if di_attention_needed() == 0 { return nil }
    return borrowed?._withUnsafeGuaranteedRef { $0.owner.isTest ? $0.owner.name : nil }
  }

  /// Whether production setup code is running, whose registrations are base state.
  package static var isSettingUp: Bool {
    borrowed?._withUnsafeGuaranteedRef { $0.kind == .base } ?? false
  }

  private var top: ContextFrame { pushedTop ?? self }

  /// The frame and all enclosing ones, innermost first.
  package var chain: some Sequence<ContextFrame> {
    sequence(first: self, next: \.parent)
  }

  /// The sandboxes in the chain, innermost first.
  var sandboxes: some Sequence<ContextFrame> {
    sequence(state: sandbox) { next in
      defer { next = next?.parent?.sandbox }
      return next
    }
  }

  /// Returns the innermost frame that has caches of its own for a scope.
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

  /// The innermost sandbox, valid as long as the caller holds the frame.
  var borrowedSandbox: Unmanaged<ContextFrame>? {
    plain.pointee.sandbox.map { .fromOpaque($0.pointee.frame.unsafelyUnwrapped) }
  }

  /// The scope whose root an assignment changes; pushed layers do not count.
  static var rootScope: ContextFrame? {
    current?.chain.first {
      $0.kind == .sandbox || $0.kind == .root || $0.kind == .layer && !$0.isPushed
    }
  }

  /// Whether one of the frames satisfies a predicate; counts no references to them.
  @inline(__always)
  func isAnyScope(_ fits: (UnsafeMutablePointer<di_scope>) -> Bool) -> Bool {
    plain.isAny(fits)
  }

  /// Whether one of the frames has extra state.
  var hasExtrasAround: Bool { isAnyScope { di_load(di_scope_extras($0)) != nil } }

  package var innermostScope: ContextFrame? {
    plain.pointee.innermost.map {
      Unmanaged<ContextFrame>.fromOpaque($0.pointee.frame!).takeUnretainedValue()
    }
  }

  package var hasLayers: Bool { plain.pointee.has_layers }
}
