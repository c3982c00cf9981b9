internal import DIPrimitives

// Requests whose context is not what it should be: made by work that belongs to no test while
// sandboxes are open, or by work that outlived its test. Neither is ever answered silently.

extension ContextFrame {
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
    if TestListing.isOpen { TestListing.note(request.pointee, asked) }
    // A test's own business; and to look at all scopes takes a while where thousands are open.
    guard !isSettingUp, let hooks = ProcessHooks.current, !hooks.isInTest() else { return nil }
    reportUnscoped(request.pointee, asked, hooks)
    return nil
  }

  // Reported once for a resolution, not for all that it asks for; nor for an optional that is
  // answered by a request for what it wraps, or a wrapper, which will ask for what it holds.
  static func isFirst(
    _ request: Request, _ asked: Resolver, _ frame: ContextFrame?
  ) -> Bool {
    guard ResolutionStack.isEmpty else { return false }
    return !(isOptional(request.type) || request.type is any RequestWrapper.Type)
      || Lookup.find(request.key.rawKey, in: asked.core, frame) != nil
  }

  /// The scope around that has ended: the work that asks is late.
  var endedScope: ContextFrame? {
    guard isAnyScope({ di_load_word(di_scope_has_ended($0)) != 0 }) else { return nil }
    return endedSandbox ?? chain.first { ($0.kind == .root || $0.kind == .layer) && $0.hasEnded }
  }

  /// The sandbox around that has ended: the work that asks gets no live service.
  ///
  /// Not that of a dry run, whose factories start what they start in production.
  var endedSandbox: ContextFrame? {
    sandboxes.first { $0.hasEnded && $0.dryRun == nil }
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
    guard let severity = unscopedSeverity(hooks), isFirst(request, asked, nil),
      let shown = shown(with: request, severity, hooks)
    else { return }
    // What a property declares is not looked up by its key.
    let isKnown =
      request.property != nil
      || Lookup.find(request.key.rawKey, in: asked.core, nil) != nil
    hooks.report(unscopedIssue(request, shown, severity, isKnown: isKnown))
  }

  /// Reports what such work registers or takes away where others look for it, for that stays so.
  @inline(never)
  static func reportUnscoped(_ registration: Registration, in core: ContainerCore) {
    guard let hooks = ProcessHooks.current, !hooks.isInTest(),
      let severity = unscopedSeverity(hooks), isEverybodys(core)
    else { return }
    let key = registration.key
    let request = Request(
      key.type, name: key.name, property: key.property, location: registration.location)
    guard let shown = shown(with: request, severity, hooks) else { return }
    let (done, outcome) =
      registration.isRemoval
      ? ("removed", "the process is without it") : ("registered", "the process keeps it")
    hooks.report(
      unscopedIssue(request, shown, severity) {
        (
          "`\(key)` was \(done) by work that belongs to no test, while a sandbox is open: "
            + "\(outcome).",
          [("\(done):", "\(registration.location)")]
        )
      })
  }

  /// Reports what a layer's closure registers in a container of the process instead of the layer.
  @inline(never)
  func reportBesideLayer(_ registration: Registration, in core: ContainerCore) {
    guard Self.isEverybodys(core) else { return }
    let key = registration.key
    let double =
      key.property == nil ? key.doubleAdvice("mock.") : "`mock.double(\(key.sourceText)) { … }`"
    report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "`\(key)` was registered by the closure of a layer, but not in the layer: "
            + "the process keeps it.",
          facts: [("registered:", "\(registration.location), in \(core.label)")],
          fixes: [
            "Register it in the container that the closure gets: \(double).",
            "Or put a sandbox around the layer.",
          ]
        ).text, severity: .warning, location: registration.location))
  }

  private static func isEverybodys(_ core: ContainerCore) -> Bool {
    if core.factories.containerType.map({ $0 != Resolver.self }) ?? false { return true }
    return [Resolver.main.core, Resolver.processRoot.core].contains { start in
      var walk = NestWalk(from: start)
      while let next = walk.next() {
        if next === core { return true }
        walk.goOn(to: next.baseChildren)
      }
      return false
    }
  }

  /// With several sandboxes open the strictest of them counts: it may have been its work.
  private static func unscopedSeverity(_ hooks: ProcessHooks) -> DiagnosticIssue.Severity? {
    let wishes = wishes(otherwise: otherwise(hooks))
    let treatment: Treatment =
      wishes.contains(.treat(.fail))
      ? .fail : wishes.allSatisfy { $0 == .treat(.allow) } ? .allow : .warn
    return treatment.severity
  }

  /// The scopes to name; nil if nothing is open, or it was said before.
  private static func shown(
    with request: Request, _ severity: DiagnosticIssue.Severity, _ hooks: ProcessHooks
  ) -> [ContextFrame]? {
    // What else is open is of interest where that is why none of them answers.
    let adopts = wishes(otherwise: otherwise(hooks)).contains(.adopt)
    let shown = allOpen().filter { adopts ? $0.sandbox != nil : $0.kind == .sandbox }
    guard let last = shown.last,
      severity == .error ? last.isFirstAtItsPlace(request) : isFirstUnscoped(request, last)
    else { return nil }
    return shown
  }

  private static let shownSandboxes = 8

  static func unscopedIssue(
    _ request: Request, _ open: [ContextFrame], _ severity: DiagnosticIssue.Severity,
    isAnswered: Bool = false, isKnown: Bool = true
  ) -> DiagnosticIssue {
    unscopedIssue(request, open, severity) {
      (
        "`\(request.key)` was resolved by work that belongs to no test, "
          + (isAnswered
            ? "while several scopes are open: the one around them all answers."
            : "while a sandbox is open: it gets "
              + (isKnown ? "the live service." : "what production registers.")),
        chainFacts(request)
      )
    }
  }

  private static func unscopedIssue(
    _ request: Request, _ open: [ContextFrame], _ severity: DiagnosticIssue.Severity,
    _ what: () -> (headline: String, facts: [(String, String)])
  ) -> DiagnosticIssue {
    var places = open.prefix(shownSandboxes).map { ("open:", $0.owner.place) }
    if open.count > shownSandboxes { places.append(("", "… \(open.count - shownSandboxes) more")) }
    let text = text(about: request) {
      let (headline, facts) = what()
      return Diagnosis(
        headline: headline, facts: facts + [("thread:", threadText)] + places,
        fixes: [
          "Carry the context there: `let context = ResolutionContext.current`, then "
            + "`context.run { … }`.",
          "Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.",
        ])
    }
    return DiagnosticIssue(text: text, severity: severity, location: request.location)
  }

  private static let warned = Lock<[ChainLink: Set<String>]>([:])

  // A warning is about the code rather than about the test: a suite of many cases hears it once.
  static func isFirstUnscoped(_ request: Request, _ open: ContextFrame) -> Bool {
    warned.withLock { $0[request.chainLink, default: []].insert(open.owner.name).inserted }
  }

  /// A loop is reported once, not once for every round.
  private func isFirstAtItsPlace(_ request: Request) -> Bool {
    extra(ReportedRequests.self, orMake: { ReportedRequests() }).insert(request)
  }

  private final class ReportedRequests: Sendable {
    private let reported = Lock<Set<ChainLink>>([])

    func insert(_ request: Request) -> Bool {
      reported.withLock { $0.insert(request.chainLink).inserted }
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
