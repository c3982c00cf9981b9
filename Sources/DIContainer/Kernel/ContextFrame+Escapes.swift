internal import DIPrimitives

// Requests whose context is not what it should be: made by work that belongs to no test while
// sandboxes are open, or by work that outlived its test. Neither is ever answered silently.

extension ContextFrame {
  /// In the order opened, and held: all sandboxes, and what is opened in them once that may matter.
  ///
  /// Thousands are open where thousands of test cases run at once, so that taking one out must not
  /// mean to look at all of them: the list runs through the scopes themselves.
  private static let openScopes = Lock(di_scope_list())

  /// Whether layers, scoped roots and the like are in the list too, for it takes a lock.
  ///
  /// Set for good by the first that wants the innermost scope to answer work that left the task.
  private static let listsAllScopes = Atomic()

  /// Has the innermost scope known from now on, whatever its kind.
  package static func listAllScopes() { listsAllScopes.set(true) }

  /// Whether work that carries no context may be answered by an open scope all the same.
  static var mayAnswerOutside: Bool { listsAllScopes.isSet }

  private static func allOpen() -> [ContextFrame] {
    openScopes.withLock { list in
      var open: [ContextFrame] = []
      var next = list.first
      while let scope = next {
        open.append(Unmanaged.fromOpaque(scope.pointee.frame!).takeUnretainedValue())
        next = di_scope_next(scope)
      }
      return open
    }
  }

  static var openSandboxes: [ContextFrame] { allOpen().filter { $0.kind == .sandbox } }

  private static let processUnscopedWork = Lock<UnscopedWork?>(nil)

  /// How requests that belong to no test are treated where no sandbox says otherwise; nil leaves
  /// it to the test framework.
  package static var unscopedWork: UnscopedWork? {
    get { processUnscopedWork.withLock { $0 } }
    set {
      if newValue == .adopt { listAllScopes() }
      processUnscopedWork.withLock { $0 = newValue }
    }
  }

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
    _ = Unmanaged.passRetained(self)
    Self.openScopes.withLock { di_scope_list_add(&$0, plain) }
  }

  func noteEnd() {
    if kind == .sandbox { noteLosses() }
    guard kind == .sandbox || Self.listsAllScopes.isSet else { return }
    let isHeld = Self.openScopes.withLock { di_scope_list_remove(&$0, plain) }
    if isHeld { Unmanaged.passUnretained(self).release() }
  }

  /// Takes no part any more in answering work that left the task; its own scopes still see it.
  package func retire() { noteEnd() }

  /// The frame that a request is answered in, once what is wrong with it is reported.
  static func answering(
    _ request: UnsafePointer<Request>, asked: Resolver
  ) -> ContextFrame? {
    let bound = borrowed
    let outside = bound == nil ? outside : nil
    if let frame = bound == nil ? outside?.frame : current(bound) {
      // What carries nothing is not late: the scope was open when it was found.
      if bound != nil, let ended = frame.endedScope, isFirst(request.pointee, asked, frame) {
        ended.reportLate(request.pointee)
      }
      if let outside { outside.report(request.pointee, asked) }
      return frame
    }
    // A test's own business; and to look at all scopes takes a while where thousands are open.
    guard !isSettingUp, let hooks = ProcessHooks.current, !hooks.isInTest() else { return nil }
    reportUnscoped(request.pointee, asked, hooks)
    return nil
  }

  // Reported once for a resolution, not for all that it asks for; nor for an optional that is
  // answered by a request for what it wraps.
  private static func isFirst(
    _ request: Request, _ asked: Resolver, _ frame: ContextFrame?
  ) -> Bool {
    guard ResolutionStack.isEmpty else { return false }
    return !isOptional(request.type)
      || Lookup.find(request.key.typeAndName, in: asked.core, frame) != nil
  }

  /// The scope around that has ended: the work that asks is late.
  package var endedScope: ContextFrame? {
    guard isAnyScope({ di_load_word(di_scope_has_ended($0)) != 0 }) else { return nil }
    return endedSandbox ?? chain.first { ($0.kind == .root || $0.kind == .layer) && $0.hasEnded }
  }

  /// The sandbox around that has ended: the work that asks gets no live service.
  package var endedSandbox: ContextFrame? {
    sandboxes.first { $0.hasEnded }
  }

  private func reportLate(_ request: Request) {
    let treatment = chain.lazy.compactMap(\.policy?.lateWork).first ?? .warn
    guard let severity = treatment.severity, isFirstAtItsPlace(request) else { return }
    var fixes = ["Let the test wait for the work it starts: await it, or cancel it."]
    if kind == .sandbox {
      fixes.append("Or let the sandbox wait for carried contexts: `.sandbox(drain: .seconds(1))`.")
    }
    report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "`\(request.key)` was resolved for a \(whatEnded) that has ended.",
          facts: owner.facts + [
            ("requested:", "\(request.location)"), ("thread:", Self.threadText),
          ],
          fixes: fixes
        ).text, severity: severity, location: request.location))
  }

  private var whatEnded: String {
    switch kind {
    case .layer: "layer"
    case .root: "scoped root"
    default: parent?.sandbox?.hasEnded == false ? "sandbox" : "test"
    }
  }

  // Work that no open scope answers gets what production set up.
  private static func reportUnscoped(
    _ request: Request, _ asked: Resolver, _ hooks: ProcessHooks
  ) {
    let wishes = wishes(otherwise: otherwise(hooks))
    // With several sandboxes open the strictest of them counts: it may have been its work.
    let treatment: Treatment =
      wishes.contains(.treat(.fail))
      ? .fail : wishes.allSatisfy { $0 == .treat(.allow) } ? .allow : .warn
    guard let severity = treatment.severity, isFirst(request, asked, nil) else { return }
    // What else is open is of interest where that is why none of them answers.
    let shown = allOpen().filter {
      wishes.contains(.adopt) ? $0.sandbox != nil : $0.kind == .sandbox
    }
    if let last = shown.last,
      severity == .error ? last.isFirstAtItsPlace(request) : isFirstUnscoped(request, last)
    {
      hooks.report(unscopedIssue(request, shown, severity))
    }
  }

  private static let shownSandboxes = 8

  private static func unscopedIssue(
    _ request: Request, _ open: [ContextFrame], _ severity: DiagnosticIssue.Severity,
    isAnswered: Bool = false
  ) -> DiagnosticIssue {
    var facts = chainFacts(request) + [("thread:", threadText)]
    facts += open.prefix(shownSandboxes).map { ("open:", $0.owner.place) }
    if open.count > shownSandboxes { facts.append(("", "… \(open.count - shownSandboxes) more")) }
    return DiagnosticIssue(
      text: Diagnosis(
        headline:
          "`\(request.key)` was resolved by work that belongs to no test, "
          + (isAnswered
            ? "while several scopes are open: the one around them all answers."
            : "while a sandbox is open: it gets the live service."),
        facts: facts,
        fixes: [
          "Carry the context there: `let context = ResolutionContext.current`, then "
            + "`context.run { … }`.",
          "Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.",
        ]
      ).text, severity: severity, location: request.location)
  }

  // MARK: Answering work that left the task

  /// What answers work that carries no context.
  struct Outside {
    /// The innermost scope.
    fileprivate let scope: ContextFrame
    /// The scope of the process, where it is not clear which of those inside it was meant.
    fileprivate var ambiguousIn: ContextFrame?

    var frame: ContextFrame { scope.pushed?.top ?? scope.withCarrier }

    fileprivate func report(_ request: Request, _ asked: Resolver) {
      guard let top = ambiguousIn, let hooks = ProcessHooks.current,
        isFirst(request, asked, frame)
      else { return }
      let candidates = ContextFrame.allOpen().filter { $0 !== scope && $0.lies(in: top.plain) }
      guard let last = candidates.last, isFirstUnscoped(request, last) else { return }
      hooks.report(unscopedIssue(request, candidates, .warning, isAnswered: true))
    }
  }

  /// What answers work that carries no context: the innermost scope of the only test that runs.
  static var outside: Outside? {
    if let top = processTop { return top.outsideAsTop }
    guard mayAnswerOutside, let hooks = ProcessHooks.current, !hooks.isInTest() else { return nil }
    let otherwise = otherwise(hooks)
    let isInSandbox = { (scope: UnsafeMutablePointer<di_scope>) in scope.pointee.sandbox != nil }
    guard
      let last = lastOpen(where: isInSandbox, if: { $0.unscopedWork(otherwise) == .adopt }),
      last.holdsAllOpen(where: isInSandbox)
    else { return nil }
    return Outside(scope: last)
  }

  /// What work that carries no context pushes layers on: the scope that answers it.
  package static var outsideAnchor: ContextFrame? {
    guard let scope = outside?.scope else { return nil }
    return scope.pushed?.anchor ?? scope.withCarrier
  }

  private var outsideAsTop: Outside {
    // Code of a test, with no context, is no scope's that another test opened meanwhile.
    if Self.openScopes.withLock({ $0.last == plain }) || ProcessHooks.current?.isInTest() ?? false {
      return Outside(scope: self)
    }
    let top = plain
    let isInside = { (scope: UnsafeMutablePointer<di_scope>) in scope.isAny { $0 == top } }
    guard let last = Self.lastOpen(where: isInside) else { return Outside(scope: self) }
    if last.holdsAllOpen(where: isInside) { return Outside(scope: last) }
    let around = last.chain.first { around in
      Self.isEachOpen(where: isInside) { scope in scope.isAny { $0 == around.plain } }
    }
    return Outside(scope: around ?? self, ambiguousIn: self)
  }

  private func lies(in scope: UnsafeMutablePointer<di_scope>) -> Bool { isAnyScope { $0 == scope } }

  // All that is open is looked at where it is, under the list's lock: to hold it, be it for a
  // moment, would have it go on another thread than its own, and later.

  /// The scope that was opened last of those that are open and count, if it fits.
  private static func lastOpen(
    where counts: (UnsafeMutablePointer<di_scope>) -> Bool,
    if fits: (ContextFrame) -> Bool = { _ in true }
  ) -> ContextFrame? {
    openScopes.withLock { list in
      var next = list.last
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

  private static func isEachOpen(
    where counts: (UnsafeMutablePointer<di_scope>) -> Bool,
    _ fits: (UnsafeMutablePointer<di_scope>) -> Bool
  ) -> Bool {
    openScopes.withLock { list in
      var next = list.first
      while let scope = next {
        if counts(scope), !fits(scope) { return false }
        next = di_scope_next(scope)
      }
      return true
    }
  }

  /// Whether all scopes that are open and count are this one and those around it.
  private func holdsAllOpen(where counts: (UnsafeMutablePointer<di_scope>) -> Bool) -> Bool {
    Self.isEachOpen(where: counts) { lies(in: $0) }
  }

  private func unscopedWork(_ otherwise: UnscopedWork) -> UnscopedWork {
    chain.lazy.compactMap(\.policy?.unscopedWork).first ?? otherwise
  }

  /// What holds where no scope says otherwise.
  private static func otherwise(_ hooks: ProcessHooks) -> UnscopedWork {
    unscopedWork ?? (hooks.runsOneTestAtATime() ? .adopt : .treat(.warn))
  }

  /// What the open sandboxes, and the scopes in them, wish for.
  private static func wishes(otherwise: UnscopedWork) -> [UnscopedWork] {
    openScopes.withLock { list in
      var wishes: [UnscopedWork] = []
      var next = list.first
      while let scope = next {
        if scope.pointee.sandbox != nil {
          let wish = Unmanaged<ContextFrame>.fromOpaque(scope.pointee.frame!)
            ._withUnsafeGuaranteedRef { $0.unscopedWork(otherwise) }
          if !wishes.contains(wish) { wishes.append(wish) }
        }
        next = di_scope_next(scope)
      }
      return wishes
    }
  }

  /// The innermost of what was pushed on the frame, or outside it while it was the innermost; and
  /// what it hangs on.
  private var pushed: (top: ContextFrame, anchor: ContextFrame)? {
    for frame in chain {
      let anchor = frame.withCarrier
      if let top = anchor.pushedTop ?? frame.pushedTop, top.chain.contains(where: { $0 === self }) {
        return (top, anchor.pushedTop == nil ? frame : anchor)
      }
    }
    return nil
  }

  private static let warned = Lock<[ChainLink: Set<String>]>([:])

  // A warning is about the code rather than about the test: a suite of many cases hears it once.
  private static func isFirstUnscoped(_ request: Request, _ open: ContextFrame) -> Bool {
    let link = ChainLink(key: request.key, location: request.location)
    return warned.withLock { $0[link, default: []].insert(open.owner.name).inserted }
  }

  /// A loop is reported once, not once for every round.
  private func isFirstAtItsPlace(_ request: Request) -> Bool {
    extra(ReportedRequests.self, orMake: { ReportedRequests() }).insert(request)
  }

  private final class ReportedRequests: Sendable {
    private let reported = Lock<Set<ChainLink>>([])

    func insert(_ request: Request) -> Bool {
      let link = ChainLink(key: request.key, location: request.location)
      return reported.withLock { $0.insert(link).inserted }
    }
  }

  private static var threadText: String { di_is_main_thread() ? "main" : "another than main" }
}

extension ContextFrame.Owner {
  /// The test and, where that is known, the place that opened the scope.
  package var place: String { location.line == 0 ? name : "\(name), at \(location)" }

  /// The same, as lines of a diagnosis.
  var facts: [(String, String)] {
    [("test:", name)] + (location.line == 0 ? [] : [("opened:", "\(location)")])
  }
}
