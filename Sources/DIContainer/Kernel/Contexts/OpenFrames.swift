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
  static var mayAnswerOutside: Bool { listsAllScopes.isSet }

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

  func noteEnd() {
    if kind == .sandbox { noteLosses() }
    let held = Self.open.withLock { $0.removeValue(forKey: number) }
    withExtendedLifetime(held) {}
  }

  /// Removes the scope from those that serve work which left its task; scopes inside still use it.
  package func retire() { noteEnd() }

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
    let old = process.withLock { top in
      defer { top = frame }
      return top
    }
    withExtendedLifetime(old) {}
  }

  /// A scope that serves work without a context.
  struct Outside {
    /// The innermost scope.
    fileprivate let scope: ContextFrame
    /// The process-wide scope, if it is not clear which of the scopes inside it was meant.
    fileprivate var ambiguousIn: ContextFrame?

    var frame: ContextFrame { scope.pushed?.top ?? scope.withCarrier }

    /// Notes in the chosen scope that others were open which may have been meant.
    func note(_ request: Request, _ asked: Resolver) {
      guard let top = ambiguousIn, isFirst(request, asked, frame) else { return }
      // A repeated request is only counted, for the cost of a lookup.
      let place = UnscopedNote.Place(link: request.chainLink, done: "answered")
      if scope.countAgain(place, isTold: false) { return }
      let open = allOpen().filter { $0 !== scope && $0.isInside(top) }
      // Meanwhile only one may be left.
      guard let last = open.last, !open.allSatisfy({ last.isInside($0) }) else { return }
      scope.note(
        UnscopedNote(
          place: place,
          headline: { [key = request.key] _ in
            "`\(key)` was resolved by work that belongs to no test, while several scopes were "
              + "open: the one around them all answered."
          }, facts: chainFacts(request) + [("thread:", threadText)], isTold: false,
          failsForAll: false, treatment: .warn, open: places(of: open)))
    }
  }

  /// The scope that serves work without a context: the innermost one of the only running test.
  static var outside: Outside? {
    if let top = processTop { return top.outsideAsTop }
    guard mayAnswerOutside, let hooks = ProcessHooks.current, !hooks.isInTest() else { return nil }
    let otherwise = otherwise(hooks)
    let isInSandbox = { (scope: ContextFrame) in scope.sandbox != nil }
    guard
      let last = lastOpen(where: isInSandbox, if: { $0.unscopedWork(otherwise) == .adopt }),
      last.holdsAllOpen(where: isInSandbox)
    else { return nil }
    return Outside(scope: last)
  }

  /// The frame on which work without a context pushes layers: the scope that serves it.
  package static var outsideAnchor: ContextFrame? {
    guard let scope = outside?.scope else { return nil }
    return scope.pushed?.anchor ?? scope.withCarrier
  }

  private var outsideAsTop: Outside {
    // Code of a test that has no context does not belong to a scope that another test opened
    // meanwhile.
    if wasOpenedLast || ProcessHooks.current?.isInTest() ?? false {
      return Outside(scope: self)
    }
    let isInside = { (scope: ContextFrame) in scope.isInside(self) }
    guard let last = Self.lastOpen(where: isInside) else { return Outside(scope: self) }
    if last.holdsAllOpen(where: isInside) { return Outside(scope: last) }
    let around = last.chain.first { around in
      Self.isEachOpen(where: isInside) { $0.isInside(around) }
    }
    return Outside(scope: around ?? self, ambiguousIn: self)
  }

  func unscopedWork(_ otherwise: UnscopedWork) -> UnscopedWork {
    policies?.unscopedWork ?? otherwise
  }

  /// Returns the treatment that applies if no scope specifies one.
  static func otherwise(_ hooks: ProcessHooks) -> UnscopedWork {
    unscopedWork ?? (hooks.runsOneTestAtATime() ? .adopt : .treat(.warn))
  }

  /// The innermost frame pushed on this frame, or outside it while it was the innermost, and the
  /// frame that it was pushed on.
  private var pushed: (top: ContextFrame, anchor: ContextFrame)? {
    for frame in chain {
      let anchor = frame.withCarrier
      if let top = anchor.pushedTop ?? frame.pushedTop, top.isInside(self) {
        return (top, anchor.pushedTop == nil ? frame : anchor)
      }
    }
    return nil
  }
}
