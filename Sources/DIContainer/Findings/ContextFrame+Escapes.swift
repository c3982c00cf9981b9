internal import DIPrimitives

// Requests with a missing or outdated context: made by work that belongs to no test while sandboxes
// are open (UnscopedNotes.swift), or by work that outlived its test. Neither resolves silently.

extension ContextFrame {
  private static let processUnscopedWork = Lock<UnscopedWork?>(nil)

  /// The treatment of requests that belong to no test if no sandbox specifies one.
  ///
  /// If it is nil, the test framework's default applies.
  package static var unscopedWork: UnscopedWork? {
    get { processUnscopedWork.withLock { $0 } }
    set {
      if newValue == .adopt { listAllScopes() }
      processUnscopedWork.withLock { $0 = newValue }
    }
  }

  /// Notes a request without a context that no scope serves: it gets what production registered.
  static func noteUnscoped(_ request: Request, _ container: Resolver) {
    if TestListing.isOpen { TestListing.note(request, container) }
    // A request of a test concerns that test only; and checking all scopes takes long if there are
    // thousands.
    guard let hooks = ProcessHooks.current, !hooks.isInTest(), isAnySandboxOpen,
      isFirst(request, container, nil)
    else { return }
    // The declaration of a property is not looked up by its key.
    let isKnown =
      request.property != nil
      || Lookup.find(request.key.rawKey, in: container.core, nil) != nil
    noteUnscoped(
      request, done: "resolved", in: container.core, hooks, facts: chainFacts(request)
    ) { [key = request.key] open in
      "`\(key)` was resolved by work that belongs to no test, while \(open) open: it got "
        + (isKnown ? "the live service." : "what production registers.")
    }
  }

  // Reported once for a resolution, not for each of its dependencies; nor for an optional that is
  // resolved by requesting what it wraps, or a wrapper, which will request its service itself.
  static func isFirst(
    _ request: Request, _ container: Resolver, _ frame: ContextFrame?
  ) -> Bool {
    guard ResolutionStack.isEmpty, AsyncLink.current?.wasMadeOutside != true else { return false }
    return !(request.type is any OptionalType.Type || request.type is any RequestWrapper.Type)
      || Lookup.find(request.key.rawKey, in: container.core, frame) != nil
  }

  func reportLate(_ request: Request) {
    let treatment = testPolicies?.lateWork ?? .warn
    guard let severity = treatment.severity, isFirstAtItsPlace(request) else { return }
    var fixes = ["Let the test wait for the work it starts: await it, or cancel it."]
    if kind == .sandbox {
      // Only test cases of XCTest have no known location.
      let code =
        owner.isTest && owner.location.line == 0
        ? "override var drain: Duration? { .seconds(1) }" : ".sandbox(drain: .seconds(1))"
      fixes.append("Or let the sandbox wait for carried contexts: `\(code)`.")
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

  /// Notes what such work registers or removes in a container that others reach, where it stays.
  static func noteUnscoped(
    _ registration: Registration, in core: ContainerCore, _ hooks: ProcessHooks
  ) {
    guard isEverybodys(core) else { return }
    let key = registration.key
    let request = Request(
      key.type, name: key.name, property: key.property, location: registration.location)
    let (done, outcome) =
      registration.isRemoval
      ? ("removed", "the process is without it") : ("registered", "the process keeps it")
    noteUnscoped(
      request, done: done, in: core, hooks, facts: [("\(done):", "\(registration.location)")]
    ) { open in
      "`\(key)` was \(done) by work that belongs to no test, while \(open) open: \(outcome)."
    }
  }

  /// Reports a registration that a layer's closure makes in a container of the process.
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

  static func isEverybodys(_ core: ContainerCore) -> Bool {
    core.settings.containerType.map { $0 != Resolver.self } ?? false || isInReach(core)
  }

  /// Whether a container is main or the process's root, or nested in one of them.
  static func isInReach(_ core: ContainerCore) -> Bool {
    [Resolver.main.core, Resolver.processRoot.core].contains { start in
      var walk = NestWalk(from: start)
      while let next = walk.next() {
        if next === core { return true }
        walk.goOn(to: next.baseChildren)
      }
      return false
    }
  }

  /// Whether no request from the same place was reported yet, so that a loop is reported once.
  private func isFirstAtItsPlace(_ request: Request) -> Bool {
    withNotes { $0.lateRequests.insert(request.chainLink).inserted }
  }

  static var threadText: String { di_is_main_thread() ? "main" : "another than main" }
}

extension ContextFrame.Owner {
  /// The test and the place as lines of a diagnosis.
  var facts: [(String, String)] {
    [("test:", name)] + (location.line == 0 ? [] : [("opened:", "\(location)")])
  }
}
