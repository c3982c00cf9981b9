// The opening and the end of a scope.
//
// Requests of work without a context are served by one of the open scopes, or reported while one of
// them is open.

extension ContextFrame {
  /// The open scopes, by number: all sandboxes, the recorded scopes in them, and once that may
  /// matter all others in them.
  ///
  /// When thousands of test cases run at once, thousands are open, so removing one must not visit
  /// all of them.
  private static let open = Lock<[UInt64: ContextFrame]>([:])

  /// Whether the list includes layers, scoped roots and the like, which takes a lock.
  ///
  /// Set permanently once the innermost scope may have to serve work that left its task.
  private static let listsAllFrames = Atomic()

  /// Lists frames of every kind from now on, so that the innermost one is known.
  package static func listAllFrames() { listsAllFrames.set(true) }

  /// Whether an open scope may serve work without a context.
  package static var mayServeUnboundWork: Bool { listsAllFrames.isSet }

  /// Whether the calling code works for a scope that has ended, or for none while a sandbox is
  /// open.
  static var isOutside: Bool {
    if !needsAttention { return false }
    guard let bound else { return withOpen { $0.contains { $0.kind == .sandbox } } }
    return bound.serving?.endedFrame != nil
  }

  /// Calls a closure with the open scopes, in no particular order, under their lock.
  ///
  /// A scope leaves the closure only for work that it then serves: whoever reports on one would
  /// otherwise hold, after the test, what the test made. The closure runs no user code, and
  /// releases nothing that it retains but scopes: both might open a scope.
  package static func withOpen<Result>(_ body: (OpenScopes) -> Result) -> Result {
    open.withLock { body($0.values) }
  }

  package typealias OpenScopes = Dictionary<UInt64, ContextFrame>.Values

  /// Lists a scope that is no sandbox, for work that left its task.
  ///
  /// Its opener calls this, and ends it: frames that may never end must not be held here.
  package func listInside() {
    if kind != .sandbox, parent != nil, recorder != nil || Self.listsAllFrames.isSet { list() }
  }

  /// Lists the scope; a sandbox does so itself.
  func list() {
    if dryRun != nil { return }
    Self.open.withLock { $0[number] = self }
  }

  /// Removes the scope from those that serve work which left its task; scopes inside still use it.
  ///
  /// Its recorder no longer listens to such work.
  package func unlist() {
    // Of other containers nothing is lost with the sandbox.
    if kind == .sandbox, views.contains(where: \.isNoted) {
      Tests.findDelegate()?.note(.willClose(self))
    }
    recorder?.didEnd(number)
    releaseUnlocked(Self.open.withLock { $0.removeValue(forKey: number) })
  }
}

// MARK: - The end

extension ContextFrame {
  package var hasEnded: Bool { has(.end) }

  /// Ends the scope, however it was opened.
  ///
  /// 1. The instances that it kept are released, while their `deinit`s may still use its doubles.
  /// 2. Its findings are reported.
  /// 3. It counts as ended: requests of work that still carries it are late. Its doubles stay for
  ///    these, which get a double or nothing, never a live service.
  /// 4. It leaves the open scopes, and its recorder stops listening to work without a context.
  /// 5. The instances that were made since are released.
  /// 6. The live properties noted in it are noted in the enclosing scope, what was pushed on it is
  ///    released, and what work of no test did meanwhile is reported.
  ///
  /// Two scopes only leave the open ones (`unlist`), because requests inside them are not late:
  /// that of `withRecorder`, and a layer that is popped inside a scope which was opened after it.
  package func end(reporting report: () -> Void = {}) {
    releaseKept()
    report()
    // Late work starts where its test did, whatever root other tests set from now on.
    let isRootOpen = kind == .sandbox && parent?.sandbox == nil && root == nil
    let root = isRootOpen ? Resolver.processRoot : nil
    change { state in
      state.hasEnded = true
      if let root { state.settings.root = root }
    }
    unlist()
    _ = dropKeepers()
    passOnLiveRequests()
    setPushedTop(nil)
    Tests.delegate?.note(.didEnd(self))
  }

  /// Releases the instances that the scope kept, while it is still open.
  private func releaseKept() {
    // What their end makes anew is released too, in some rounds: a `deinit` that always resolves
    // again would never come to an end.
    for _ in 0..<8 { if !dropKeepers() { break } }
  }

  /// The enclosing frame that has ended, which makes the requesting work late.
  package var endedFrame: ContextFrame? { endedSandbox ?? endedContainer }

  /// The innermost layer or scoped root that has ended: this frame or an enclosing one.
  private var endedContainer: ContextFrame? {
    installed != nil && hasEnded ? self : parent?.endedContainer
  }

  /// The enclosing sandbox that has ended, in which late work gets no live service.
  ///
  /// The sandbox of a dry run does not count: its factories start what they start in production.
  var endedSandbox: ContextFrame? {
    guard let sandbox else { return nil }
    return sandbox.hasEnded && sandbox.dryRun == nil ? sandbox : sandbox.outerSandbox?.endedSandbox
  }
}

// MARK: - The scope that serves work without a context

extension ContextFrame {
  private static let process = Lock<ContextFrame?>(nil)

  /// The innermost frame pushed outside every scope, which affects the whole process.
  package static var processTop: ContextFrame? { process.withLock { $0 } }

  package static func setProcessTop(_ frame: ContextFrame?) {
    if frame != nil { listAllFrames() }
    releaseUnlocked(process.withLock { exchange(&$0, with: frame) })
  }
}
