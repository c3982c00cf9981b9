internal import DIPrimitives

// The open scopes, in the order opened. Requests of work without a context are served by one of
// them, or reported while one of them is open.

extension ContextFrame {
  /// Runs a closure with the list of open scopes under its lock.
  ///
  /// The list has the scopes in the order opened, and retains them: all sandboxes, and once that
  /// may matter the scopes opened in them. When thousands of test cases run at once, thousands are
  /// open, so removing one must not visit all of them: the list runs through the scopes themselves.
  private static func withOpenScopes<Result>(
    _ body: (UnsafeMutablePointer<di_scope_list>) -> Result
  ) -> Result {
    let list = di_open_scopes()
    di_lock_acquire(di_scope_list_lock(list))
    defer { di_lock_release(di_scope_list_lock(list)) }
    return body(list)
  }

  /// Whether the list includes layers, scoped roots and the like, which takes a lock.
  ///
  /// Set permanently once the innermost scope may have to serve work that left its task.
  private static let listsAllScopes = Atomic()

  /// Lists scopes of every kind from now on, so that the innermost one is known.
  package static func listAllScopes() { listsAllScopes.set(true) }

  /// Whether an open scope may serve work without a context.
  static var mayAnswerOutside: Bool { listsAllScopes.isSet }

  /// Returns all open scopes, retained: for reports.
  static func allOpen() -> [ContextFrame] {
    var open: [ContextFrame] = []
    _ = isEachOpen { scope in
      open.append(Unmanaged.fromOpaque(scope.pointee.frame!).takeUnretainedValue())
      return true
    }
    return open
  }

  static var openSandboxes: [ContextFrame] { allOpen().filter { $0.kind == .sandbox } }

  func noteOpen() {
    switch kind {
    case .sandbox: list()
    case .root, .layer, .caches: noteOpenInside()
    // The frame that only tracks the work that carries a sandbox must not be held here.
    case .policy: if !hasNoPolicy { noteOpenInside() }
    // Some never end.
    case .recorder, .base: break
    }
  }

  /// Lists a scope that matters only to work that left its task.
  func noteOpenInside() {
    if parent != nil, !isPushed, Self.listsAllScopes.isSet { list() }
  }

  private func list() {
    if isInDryRun { return }
    _ = Unmanaged.passRetained(self)
    Self.withOpenScopes { di_scope_list_add($0, plain) }
  }

  /// Whether the frame belongs to a dry run, which is invisible outside.
  ///
  /// A dry run's sandbox has a policy.
  private var isInDryRun: Bool { hasPolicies && chain.contains { $0.dryRun != nil } }

  func noteEnd() {
    if kind == .sandbox { noteLosses() }
    guard kind == .sandbox || Self.listsAllScopes.isSet else { return }
    let isHeld = Self.withOpenScopes { di_scope_list_remove($0, plain) }
    if isHeld { Unmanaged.passUnretained(self).release() }
  }

  /// Removes the scope from those that serve work which left its task; scopes inside still use it.
  package func retire() { noteEnd() }

  /// Whether this scope was opened last.
  var wasOpenedLast: Bool { Self.withOpenScopes { $0.pointee.last == plain } }

  /// Whether it is the given scope or nested in it.
  func lies(in scope: UnsafeMutablePointer<di_scope>) -> Bool { isAnyScope { $0 == scope } }

  // Open scopes are read in place, under the list's lock: retaining one, even for a moment, could
  // deallocate it later and on a foreign thread.

  /// Calls a closure with the open sandboxes in the order opened.
  static func withOpenSandboxes<Result>(
    _ body: ([Unmanaged<ContextFrame>]) -> Result
  ) -> Result {
    withOpenScopes { list in
      var open: [Unmanaged<ContextFrame>] = []
      var next = list.pointee.first
      while let scope = next {
        let frame = Unmanaged<ContextFrame>.fromOpaque(scope.pointee.frame!)
        if frame._withUnsafeGuaranteedRef({ $0.kind == .sandbox }) { open.append(frame) }
        next = di_scope_next(scope)
      }
      return body(open)
    }
  }

  /// Returns the open scope opened last of those that count, if it satisfies a predicate.
  static func lastOpen(
    where counts: (UnsafeMutablePointer<di_scope>) -> Bool,
    if fits: (ContextFrame) -> Bool = { _ in true }
  ) -> ContextFrame? {
    withOpenScopes { list in
      var next = list.pointee.last
      while let scope = next {
        if counts(scope) {
          let frame = Unmanaged<ContextFrame>.fromOpaque(scope.pointee.frame!)
          return frame._withUnsafeGuaranteedRef(fits) ? frame.takeUnretainedValue() : nil
        }
        next = scope.pointee.previous
      }
      return nil
    }
  }

  /// Whether all open scopes that count satisfy a predicate.
  static func isEachOpen(
    where counts: (UnsafeMutablePointer<di_scope>) -> Bool = { _ in true },
    _ fits: (UnsafeMutablePointer<di_scope>) -> Bool
  ) -> Bool {
    withOpenScopes { list in
      var next = list.pointee.first
      while let scope = next {
        if counts(scope), !fits(scope) { return false }
        next = di_scope_next(scope)
      }
      return true
    }
  }

  /// Whether all open scopes that count are this one or enclose it.
  func holdsAllOpen(where counts: (UnsafeMutablePointer<di_scope>) -> Bool) -> Bool {
    Self.isEachOpen(where: counts) { lies(in: $0) }
  }
}
