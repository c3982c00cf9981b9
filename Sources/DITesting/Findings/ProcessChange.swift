#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Changes that a test without a sandbox makes to the process: what it registers, removes, resets or
// swaps is visible to all other tests. Each is reported at once, and once for its line.
//
// - A change counts if others reach the container: it is `main`, in reach of `main` or of the
//   process's root, the `shared` one of its class, or one that the test did not make.
// - A change is a test's if its line is in the test's module, or in one whose name contains `Test`,
//   such as `TestSupport`: late registrations by production code are production's. An assignment
//   has no line: it is the running test's, and reported once for that.

/// A report of a change to the process's containers that a test made outside every sandbox.
struct ProcessChange {
  /// The change, such as "`any Mailer` was registered outside every sandbox".
  let what: String
  /// The effect of the change.
  let outcome: String
  /// The label of the line that made the change, and that line.
  let made: (label: String, text: String)
  /// The fixes, if they are not the usual ones.
  var fixes: [String]?
  /// The line that made the change; nil for an assignment.
  var location: CodeLocation?

  /// Returns the severity of a change that is made now; nil if it may be made: by production's
  /// set-up, and where the policy allows it.
  static var severity: IssueSeverity? {
    if ContextFrame.isSettingUp || RegisteringContext.current.isProduction { return nil }
    let policies = ContextFrame.current?.testPolicies
    return (policies?.processChanges ?? ProcessPolicies.current.processChanges).severity
  }

  // MARK: The changes

  /// Notes a registration or a removal made in the container itself.
  ///
  /// `isOfLayer`: whether the closure of a layer made it, for which it was probably meant.
  static func note(_ registration: Registration, in core: ContainerCore, isOfLayer: Bool) {
    let (key, location) = (registration.key, registration.location)
    guard severity != nil, isOthers(core), isTestCode(location) else { return }
    let done = registration.isRemoval ? "removed" : "registered"
    let place =
      isOfLayer ? "by the closure of a layer, but not in the layer" : "outside every sandbox"
    ProcessChange(
      what: "`\(key)` was \(done) \(place)",
      outcome: registration.isRemoval ? "the process is without it" : "it stays in the process",
      made: (done, "\(location), in \(core.label)"), fixes: isOfLayer ? layerFixes(key) : nil,
      location: location
    ).report()
  }

  /// Notes that the registrations of a container are about to be removed.
  static func noteReset(
    of core: ContainerCore, taking present: [Registration], at location: CodeLocation
  ) {
    guard present.contains(where: \.registersService), isOthers(core), isTestCode(location)
    else { return }
    ProcessChange(
      what: "\(core.label) was reset outside every sandbox",
      outcome: "the process is without what was registered there",
      made: ("reset", "\(location)"), location: location
    ).report()
  }

  /// Notes that a container was added to another.
  static func note(child: ContainerCore, of core: ContainerCore, at location: CodeLocation) {
    guard isOthers(core), isTestCode(location) else { return }
    ProcessChange(
      what: "\(child.label) was added to \(core.label) outside every sandbox",
      outcome: "it stays there", made: ("added", "\(location)"), location: location
    ).report()
  }

  /// Notes that one container, or one setting of the process, is about to replace another.
  static func noteSwap(of name: String, from old: AnyObject?, to new: AnyObject?) {
    guard old !== new, ContextFrame.current?.sandbox == nil else { return }
    ProcessChange(
      what: "`\(name)` was replaced outside every sandbox",
      outcome: "the process keeps the new one", made: ("replaced", "`\(name) = …`")
    ).report()
  }

  // MARK: Whose they are

  /// Whether a container is one that other tests reach, and no sandbox hides.
  private static func isOthers(_ core: ContainerCore) -> Bool {
    if ContextFrame.current?.sandbox != nil || core.holdsDoubles { return false }
    let test = ProcessHooks.current.runningTest
    let isAnothers = core.madeBy.map { $0 != test && !$0.isListing } ?? core.isOfOwnClass
    return core.isShared || isAnothers || core.isInReach
  }

  private static func isTestCode(_ location: CodeLocation) -> Bool {
    let module = ProcessHooks.current.testLocation()?.module ?? RunningXCTest.module
    return location.module == module || location.module.contains("Test")
  }

  // MARK: Reporting them

  private struct ChangedPlace: Hashable {
    let location: CodeLocation?
    /// The kind of change there: one line may change many services.
    let done: String
    let test: RunningTest?
  }

  private static let reported = ReportedOnce<ChangedPlace>()

  private func report() {
    let hooks = ProcessHooks.current
    let (test, isAlone) = (hooks.runningTest, hooks.runsOneTestAtATime())
    guard test != nil || isAlone, let severity = Self.severity else { return }
    let place = ChangedPlace(
      location: location, done: location == nil ? what : made.label,
      test: location == nil ? test : nil)
    if !Self.reported.isFirst(place, severity) { return }
    let facts = [(made.label + ":", made.text)] + (test.map { [("test:", $0.name)] } ?? [])
    hooks.report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "\(what): \(outcome).", facts: facts,
          fixes: fixes ?? (isAlone ? Self.fixesOfXCTest : Self.fixes)
        ).text, severity: severity, location: location ?? hooks.testLocation() ?? .unknown))
  }

  private static let fixes = [
    "Add the `.sandbox` trait to the test or its suite: what it changes is then its own.",
    "If the process is to keep it, mark it: `Resolver.production { … }`, or "
      + "`.processChanges(.off)`.",
  ]

  private static let fixesOfXCTest = [
    "Do it in a test or the `setUp` of a `SandboxTestCase`, or open a `Sandbox` in `setUp`.",
    "If the process is to keep it, mark it: `Resolver.production { … }`, or "
      + "`Sandbox.processChanges = .off`.",
  ]

  private static func layerFixes(_ key: ServiceKey) -> [String] {
    let double =
      key.property == nil ? key.doubleAdvice("mock.") : "`mock.double(\(key.sourceText)) { … }`"
    return [
      "Register it in the container that the closure gets: \(double).",
      "Or put a sandbox around the layer.",
    ]
  }
}

extension ContainerCore {
  /// Whether tests other than the one that uses it reach the container.
  var isEverybodys: Bool {
    containerType.map { $0 != Resolver.self } ?? false || isInReach
  }

  /// Whether the container is main or the process's root, or nested in one of them.
  var isInReach: Bool {
    [Resolver.main, Resolver.processRoot].contains { root in
      root.core.searched(nil).contains { $0 === self }
    }
  }
}

// Outside every scope, `Resolver.root = …` and pushed layers change the process for all tests. Two
// tests that do so at the same time see each other's doubles: that is an issue.

/// A record of the test that has changed the process's root and not restored it.
enum RootSwap {
  private struct Swap {
    let test: RunningTest
    let previous: Resolver
  }

  private static let open = Lock<Swap?>(nil)

  /// Notes a change of the process's root, and reports it.
  static func note(from old: Resolver, to new: Resolver) {
    let hooks = ProcessHooks.current
    // A change that may be made is nobody's, but it may put the root back.
    guard ProcessChange.severity != nil, let test = hooks.runningTest else {
      close { $0.previous === new }
      return ProcessChange.noteSwap(of: "Resolver.root", from: old, to: new)
    }
    // The previous swap leaves the lock: it may hold the last reference to a container.
    let (before, isPutBack) = open.withLock { swap -> (Swap?, Bool) in
      let before = swap
      let isPutBack = before.map { $0.previous === new } ?? false
      swap = isPutBack ? nil : Swap(test: test, previous: before?.previous ?? old)
      return (before, isPutBack)
    }
    if isPutBack { return }
    let isReported = reportOther(
      than: test, with: before, changing: ("changed:", "`Resolver.root = …`, by \(test.name)"),
      at: hooks.testLocation() ?? CodeLocation())
    if !isReported { ProcessChange.noteSwap(of: "Resolver.root", from: old, to: new) }
  }

  /// Notes that a layer or a sandbox is pushed on the process; returns whether it was reported.
  static func notePush(
    by test: RunningTest, _ opened: String, at location: CodeLocation
  ) -> Bool {
    reportOther(
      than: test, with: open.withLock { $0 }, changing: (opened, "\(location)"), at: location)
  }

  /// Forgets a change of the root, because the test that made it has ended, or the root was reset.
  static func forget(by test: String? = nil) {
    close { test == nil || $0.test.name == test }
  }

  private static func close(if isOver: (Swap) -> Bool) {
    releaseUnlocked(
      open.withLock { swap in swap.map(isOver) ?? false ? exchange(&swap, with: nil) : nil })
  }

  /// Reports a change if that of another test is still open; returns whether there is one.
  private static func reportOther(
    than test: RunningTest, with swap: Swap?, changing changed: (String, String),
    at location: CodeLocation
  ) -> Bool {
    let open: String
    if let layer = ContextFrame.processTop, layer.wasPushedByOther(than: test) {
      open = "\(layer.opener.location), by \(layer.test.name.isEmpty ? "?" : layer.test.name)"
    } else if let swap, swap.test != test {
      open = "`Resolver.root = …`, by \(swap.test.name)"
    } else {
      return false
    }
    let text = Diagnosis(
      headline: "Two tests change the process's containers at the same time.",
      facts: [changed, ("open:", open)],
      fixes: [
        "Give both a sandbox of their own: `@Suite(.sandbox)`, `SandboxTestCase` or `withSandbox`.",
        "Pop what is pushed in `setUp` in `tearDown`, and set the root back there.",
      ]
    ).text
    ProcessHooks.current.report(
      DiagnosticIssue(text: text, severity: .error, location: location))
    return true
  }
}
#endif
