// The open scopes, in the order opened. Requests of work without a context are served by one of
// them, or reported while one of them is open.

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
    if kind == .sandbox, has(.notedViews) { Tests.findDelegate()?.note(.willClose(self)) }
    recorder?.didEnd(number)
    releaseUnlocked(Self.open.withLock { $0.removeValue(forKey: number) })
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
