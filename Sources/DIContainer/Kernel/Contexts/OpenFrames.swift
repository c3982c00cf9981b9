// The open scopes, in the order opened. Requests of work without a context are served by one of
// them, or reported while one of them is open.

extension ContextFrame {
  /// The open scopes, by number: all sandboxes, and once that may matter the scopes opened in them.
  ///
  /// When thousands of test cases run at once, thousands are open, so removing one must not visit
  /// all of them.
  private static let open = Lock<[UInt64: ContextFrame]>([:])

  /// Whether the list includes layers, scoped roots and the like, which takes a lock.
  ///
  /// Set permanently once the innermost scope may have to serve work that left its task.
  private static let listsAllScopes = Atomic()

  /// Lists scopes of every kind from now on, so that the innermost one is known.
  package static func listAllScopes() { listsAllScopes.set(true) }

  /// Whether an open scope may serve work without a context.
  static var mayServeUnboundWork: Bool { listsAllScopes.isSet }

  /// Whether the calling code works for a scope that has ended, or for none while a sandbox is
  /// open.
  static var isOutside: Bool {
    if !needsAttention { return false }
    guard let bound else { return !isEachOpen { $0.kind != .sandbox } }
    return bound.serving?.endedScope != nil
  }

  /// Returns all open scopes, retained: for reports.
  static func allOpen() -> [ContextFrame] {
    open.withLock { $0.values.sorted { $0.number < $1.number } }
  }

  static var openSandboxes: [ContextFrame] { allOpen().filter { $0.kind == .sandbox } }

  func noteOpen() {
    switch kind {
    case .sandbox: list()
    case .root, .layer, .caches, .policy: noteOpenInside()
    // A carrier must not be held here, and some of the others never end.
    case .carrier, .recorder, .base: break
    }
  }

  /// Lists a scope that matters only to work that left its task.
  func noteOpenInside() {
    if parent != nil, !isPushed, Self.listsAllScopes.isSet { list() }
  }

  private func list() {
    if isInDryRun { return }
    Self.open.withLock { $0[number] = self }
  }

  /// Whether the frame belongs to a dry run, which is invisible outside.
  ///
  /// A dry run's sandbox has a policy.
  private var isInDryRun: Bool { policies != nil && chain.contains { $0.dryRun != nil } }

  /// Removes the scope from those that serve work which left its task; scopes inside still use it.
  package func retire() {
    if kind == .sandbox { Tests.findDelegate()?.willClose(self) }
    let held = Self.open.withLock { $0.removeValue(forKey: number) }
    withExtendedLifetime(held) {}
  }

  /// Whether this scope was opened last.
  var wasOpenedLast: Bool {
    Self.open.withLock { $0.keys.max() == number }
  }

  // Open scopes are read in place, under the lock: retaining one, even for a moment, could
  // deallocate it later and on a foreign thread.

  /// Calls a closure with the open sandboxes in the order opened.
  static func withOpenSandboxes<Result>(_ body: ([ContextFrame]) -> Result) -> Result {
    open.withLock { open in
      body(open.values.filter { $0.kind == .sandbox }.sorted { $0.number < $1.number })
    }
  }

  /// Returns the open scope opened last of those that count, if it satisfies a predicate.
  static func lastOpen(
    where counts: (ContextFrame) -> Bool, if fits: (ContextFrame) -> Bool = { _ in true }
  ) -> ContextFrame? {
    open.withLock { open in
      open.values.filter(counts).max { $0.number < $1.number }.flatMap { fits($0) ? $0 : nil }
    }
  }

  /// Whether all open scopes that count satisfy a predicate.
  static func isEachOpen(
    where counts: (ContextFrame) -> Bool = { _ in true }, _ fits: (ContextFrame) -> Bool
  ) -> Bool {
    open.withLock { $0.values.allSatisfy { !counts($0) || fits($0) } }
  }

  /// Whether all open scopes that count are this one or enclose it.
  func holdsAllOpen(where counts: (ContextFrame) -> Bool) -> Bool {
    Self.isEachOpen(where: counts) { isInside($0) }
  }
}

// MARK: - The scope that serves work without a context

extension ContextFrame {
  private static let process = Lock<ContextFrame?>(nil)

  /// The innermost frame pushed outside every scope, which affects the whole process.
  package static var processTop: ContextFrame? { process.withLock { $0 } }

  package static func setProcessTop(_ frame: ContextFrame?) {
    if frame != nil { listAllScopes() }
    var old: ContextFrame? = frame
    // Released under no lock.
    process.withLock { swap(&$0, &old) }
  }
}
