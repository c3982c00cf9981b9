internal import DIPrimitives

// The scopes that are open, in the order opened. Requests of work that carries no context are
// answered by one of them, or reported while one of them is open.

extension ContextFrame {
  /// In the order opened, and held: all sandboxes, and what is opened in them once that may matter.
  ///
  /// Thousands are open where thousands of test cases run at once, so that taking one out must not
  /// mean to look at all of them: the list runs through the scopes themselves.
  private static func withOpenScopes<Result>(
    _ body: (UnsafeMutablePointer<di_scope_list>) -> Result
  ) -> Result {
    let list = di_open_scopes()
    di_lock_acquire(di_scope_list_lock(list))
    defer { di_lock_release(di_scope_list_lock(list)) }
    return body(list)
  }

  /// Whether layers, scoped roots and the like are in the list too, for it takes a lock.
  ///
  /// Set for good by the first that wants the innermost scope to answer work that left the task.
  private static let listsAllScopes = Atomic()

  /// Has the innermost scope known from now on, whatever its kind.
  package static func listAllScopes() { listsAllScopes.set(true) }

  /// Whether work that carries no context may be answered by an open scope all the same.
  static var mayAnswerOutside: Bool { listsAllScopes.isSet }

  /// All of them, held: for reports.
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
    // The frame that only tells who carries a sandbox is held by nobody else.
    case .policy: if !hasNoPolicy { noteOpenInside() }
    // Some never end.
    case .recorder, .base: break
    }
  }

  /// Notes a scope that only matters to work that left the task.
  func noteOpenInside() {
    if parent != nil, !isPushed, Self.listsAllScopes.isSet { list() }
  }

  private func list() {
    if isInDryRun { return }
    _ = Unmanaged.passRetained(self)
    Self.withOpenScopes { di_scope_list_add($0, plain) }
  }

  /// Whether nobody outside is to hear of it.
  ///
  /// A dry run's sandbox has a policy.
  private var isInDryRun: Bool { hasPolicies && chain.contains { $0.dryRun != nil } }

  func noteEnd() {
    if kind == .sandbox { noteLosses() }
    guard kind == .sandbox || Self.listsAllScopes.isSet else { return }
    let isHeld = Self.withOpenScopes { di_scope_list_remove($0, plain) }
    if isHeld { Unmanaged.passUnretained(self).release() }
  }

  /// Takes no part any more in answering work that left the task; its own scopes still see it.
  package func retire() { noteEnd() }

  /// Whether that scope was opened last.
  var wasOpenedLast: Bool { Self.withOpenScopes { $0.pointee.last == plain } }

  /// Whether it is this scope or lies in it.
  func lies(in scope: UnsafeMutablePointer<di_scope>) -> Bool { isAnyScope { $0 == scope } }

  // All that is open is looked at where it is, under the list's lock: to hold it, be it for a
  // moment, would have it go on another thread than its own, and later.

  /// The open sandboxes in the order opened.
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

  /// The scope that was opened last of those that are open and count, if it fits.
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

  /// Whether all scopes that are open and count fit.
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

  /// Whether all scopes that are open and count are this one and those around it.
  func holdsAllOpen(where counts: (UnsafeMutablePointer<di_scope>) -> Bool) -> Bool {
    Self.isEachOpen(where: counts) { lies(in: $0) }
  }
}
