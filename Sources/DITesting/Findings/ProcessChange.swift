#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Changes that a test without a sandbox makes to the process: what it registers, removes, resets or
// swaps is visible to all other tests. Each is reported once per place in its code.
//
// - A change counts if others reach the container: it is `main`, in reach of `main` or of the
//   process's root, the `shared` one of its class, or one that another test made.
// - A change is a test's if its line is in the test's module, or in one whose name contains `Test`,
//   such as `TestSupport`: late registrations by production code are production's. An assignment
//   has no line: it is a test's if a test runs it.
// - Tests of Swift Testing run beside others, so changes are reported at once. If one test runs at
//   a time, a change that is undone affects no other: those that stay are reported at the test's
//   end.

/// A change to the process's containers that a test made outside every sandbox.
struct ProcessChange: Sendable {
  /// The change, such as "`any Mailer` was registered outside every sandbox".
  private let what: String
  /// The effect of the change.
  private let outcome: String
  private let facts: [(String, String)]
  /// The fixes, if they are not the usual ones.
  private var fixes: [String]?
  /// The line that made the change; nil for an assignment.
  private var location: CodeLocation?
  private let severity: IssueSeverity
  /// The container, the key and the number of a registration.
  private var core: ObjectIdentifier?
  private var key: ServiceKey?
  private var id: UInt64 = 0
  /// Whether the change is still in effect.
  private let stays: @Sendable () -> Bool

  /// The test that makes a change, if it is to be reported.
  private struct Author {
    let hooks: ProcessHooks
    let severity: IssueSeverity
    let test: RunningTest?
    /// Whether one test runs at a time, so that changes are only checked when it ends.
    let isAlone: Bool

    init?(_ frame: ContextFrame?, at location: CodeLocation?) {
      guard let severity = ProcessChange.severity(in: frame) else { return nil }
      hooks = ProcessHooks.current
      self.severity = severity
      isAlone = hooks.runsOneTestAtATime()
      test = hooks.runningTest
      if isAlone { return }
      guard test != nil,
        location.map({ isTestCode($0, of: hooks.testLocation()?.module) }) ?? true
      else { return nil }
    }

    /// Creates the author of a change to a container that others reach, and no sandbox hides.
    init?(of core: ContainerCore, at location: CodeLocation) {
      let frame = ContextFrame.current
      guard frame?.sandbox == nil, !core.holdsDoubles else { return nil }
      self.init(frame, at: location)
      if !sharesWithOthers(core) { return nil }
    }

    /// Whether other tests than the running one reach a container.
    func sharesWithOthers(_ core: ContainerCore) -> Bool {
      if core.settings.isShared { return true }
      // If tests run alone, this can be decided when they end.
      if core.settings.isOfOwnClass { return isAlone || core.madeBy != test }
      if let maker = core.madeBy, let test, maker != test { return true }
      return core.isInReach
    }
  }

  /// Returns the severity of a change that is made now; nil if it may be made: by production's
  /// set-up, and where the policy allows it.
  static func severity(in frame: ContextFrame?) -> IssueSeverity? {
    if ContextFrame.isSettingUp || RegisteringContext.current.isProduction { return nil }
    return (frame?.testPolicies?.processChanges ?? ProcessPolicies.processChanges).severity
  }

  private static func isTestCode(_ location: CodeLocation, of module: Substring?) -> Bool {
    location.module == module || location.module.contains("Test")
  }

  // MARK: Noting changes

  /// Notes a registration or a removal made in the container itself.
  ///
  /// `isOfLayer`: whether the closure of a layer made it, for which it was probably meant.
  static func note(
    _ registration: Registration, in core: ContainerCore, _ frame: ContextFrame?, isOfLayer: Bool
  ) {
    let location = registration.location
    guard let author = Author(frame, at: location), author.sharesWithOthers(core) else { return }
    let (id, key) = (registration.id, registration.key)
    let isRemoval = registration.isRemoval
    // Removing a registration that the test made is no change.
    if isRemoval, author.isAlone, pendingChanges(to: core).contains(where: { $0.key == key }) {
      return
    }
    let done = isRemoval ? "removed" : "registered"
    let place =
      isOfLayer ? "by the closure of a layer, but not in the layer" : "outside every sandbox"
    ProcessChange(
      what: "`\(key)` was \(done) \(place)",
      outcome: isRemoval ? "the process is without it" : "it stays in the process",
      facts: [("\(done):", "\(location), in \(core.label)")],
      fixes: isOfLayer ? fixes(forLayersOwn: key) : nil, location: location,
      severity: author.severity, core: ObjectIdentifier(core), key: key, id: id,
      stays: { [weak core] in
        guard let core, !core.settings.isOfOwnClass || isShared(core) else { return false }
        if isRemoval { return !core.has(key) }
        return core.registry.all().contains { $0.withDisplaced.contains { $0.id == id } }
      }
    ).note(by: author)
  }

  /// Notes that the registrations of a container are about to be removed.
  ///
  /// `setUp`: the set-up code that runs again after it.
  static func noteReset(
    of core: ContainerCore, taking present: [Registration],
    repeating setUp: [Registration.RepeatedSetUp], at location: CodeLocation
  ) {
    let taken = present.filter(\.registersService)
    guard !taken.isEmpty, let author = Author(of: core, at: location) else { return }
    var keys = taken.map(\.key)
    if author.isAlone {
      // Set-up code runs again, and the test's own registrations do not count.
      let own = Set(pendingChanges(to: core).map(\.id))
      let start = pending.withLock { $0.start }
      keys = taken.filter { taken in
        if let repeated = taken.options.repeatedSetUp { return !setUp.contains(repeated) }
        return taken.options.isBase ? taken.id < start : !own.contains(taken.id)
      }.map(\.key)
      if keys.isEmpty { return }
    }
    ProcessChange(
      what: "\(core.label) was reset outside every sandbox",
      outcome: "the process is without what was registered there",
      facts: [("reset:", "\(location)")], location: location, severity: author.severity,
      stays: { [weak core, keys] in
        guard let core, !core.settings.isOfOwnClass || isShared(core) else { return false }
        return keys.contains { !core.has($0) }
      }
    ).note(by: author)
  }

  /// Notes that a container was added to another.
  static func note(child: ContainerCore, of core: ContainerCore, at location: CodeLocation) {
    guard let author = Author(of: core, at: location) else { return }
    ProcessChange(
      what: "\(child.label) was added to \(core.label) outside every sandbox",
      outcome: "it stays there",
      facts: [("added:", "\(location)")], location: location, severity: author.severity,
      stays: { [weak core, weak child] in
        guard let core, let child else { return false }
        return core.baseChildren.contains { $0.core === child }
      }
    ).note(by: author)
  }

  /// Notes that one container, or one setting of the process, is about to replace another.
  static func noteSwap(
    of name: String, from old: AnyObject?, to new: AnyObject?,
    present: @escaping @Sendable () -> AnyObject?
  ) {
    guard old !== new, let author = Author(ContextFrame.current, at: nil) else { return }
    // Unchecked: only compared, and held so that its address is not reused.
    let old = Unchecked(old)
    ProcessChange(
      what: "`\(name)` was replaced outside every sandbox",
      outcome: "the process keeps the new one",
      facts: [("replaced:", "`\(name) = …`")], severity: author.severity,
      stays: { present() !== old.value }
    ).note(by: author)
  }

  /// Whether a user-defined container is the `shared` one of its class.
  private static func isShared(_ core: ContainerCore) -> Bool {
    if core.settings.isShared { return true }
    func shared<C: SharedContainer>(_ type: C.Type) -> Bool { C.shared.manager.core === core }
    let type = core.settings.containerType as? any SharedContainer.Type
    return type.map { shared($0) } ?? false
  }

  // MARK: Reporting them

  private struct Identity: Hashable {
    let location: CodeLocation?
    let what: String
    let test: RunningTest?
  }

  /// The severity with which a change was reported.
  private static let reported = Lock<[Identity: IssueSeverity]>([:])

  /// The changes of the running test and of its suite's `setUp`, if one test runs at a time.
  private struct PendingChanges {
    /// The serial number at which the suite began; 0 if that is not known.
    var start: UInt64 = 0
    var ofTest: [ProcessChange] = []
    var ofSuite: [ProcessChange] = []
  }

  private static let pending = Lock(PendingChanges())

  private func note(by author: Author) {
    guard author.isAlone else {
      let location = author.hooks.testLocation()
      if isFirst(of: author.test) {
        author.hooks.report(issue(("test:", author.test?.name ?? ""), at: location, Self.fixes))
      }
      return
    }
    let old = Self.pending.withLock { pending -> ProcessChange? in
      let place = pending.ofTest.firstIndex { $0.location == location && $0.what == what }
      guard let place else {
        pending.ofTest.append(self)
        return nil
      }
      // If several containers are assigned in turn, the first change has the original one.
      if location == nil { return nil }
      return exchange(&pending.ofTest[place], with: self)
    }
    releaseUnlocked(old)
  }

  private static func pendingChanges(to core: ContainerCore) -> [ProcessChange] {
    pending.withLock { $0.ofTest + $0.ofSuite }.filter { $0.core == ObjectIdentifier(core) }
  }

  private func isFirst(of test: RunningTest?) -> Bool {
    // A line may change many services; a change without a line is reported once per test.
    let place =
      location.map { Identity(location: $0, what: facts[0].0, test: nil) }
      ?? Identity(location: nil, what: what, test: test)
    // A failure is reported although another test was warned.
    return Self.reported.withLock { reported in
      if reported[place] == .error || reported[place] == severity { return false }
      reported[place] = severity
      return true
    }
  }

  private static let fixes = [
    "Add the `.sandbox` trait to the test or its suite: what it changes is then its own.",
    "If the process is to keep it, mark it: `Resolver.production { … }`, or "
      + "`.processChanges(.off)`.",
  ]

  private static func fixes(forLayersOwn key: ServiceKey) -> [String] {
    let double =
      key.property == nil ? key.doubleAdvice("mock.") : "`mock.double(\(key.sourceText)) { … }`"
    return [
      "Register it in the container that the closure gets: \(double).",
      "Or put a sandbox around the layer.",
    ]
  }

  private static func fixes(isSuite: Bool) -> [String] {
    [
      isSuite
        ? "Do it in `registerDoubles(in:)` of a `SandboxTestCase`, which runs in each test's "
          + "sandbox."
        : "Inherit from `SandboxTestCase`, or open a `Sandbox` in `setUp`.",
      "If the process is to keep it, mark it: `Resolver.production { … }`, or "
        + "`Sandbox.processChanges = .off`.",
    ]
  }

  private func issue(
    _ author: (String, String), at place: CodeLocation?, _ fixes: [String]
  ) -> DiagnosticIssue {
    DiagnosticIssue(
      text: Diagnosis(
        headline: "\(what): \(outcome).", facts: facts + [author], fixes: self.fixes ?? fixes
      ).text, severity: severity, location: location ?? place ?? .unknown)
  }

  /// Begins a suite, if one test runs at a time; earlier changes belong to no test.
  static func startSuite() {
    let new = PendingChanges(start: SerialNumber.next())
    releaseUnlocked(pending.withLock { exchange(&$0, with: new) })
  }

  /// Begins a test; changes since the suite began belong to the suite.
  static func startTest() {
    pending.withLock { pending in
      pending.ofSuite += pending.ofTest
      pending.ofTest = []
    }
  }

  /// Ends a test or a suite.
  ///
  /// - Parameters:
  ///   - name: Its name, for reports.
  ///   - suite: The name of the suite, for which a change without a line is reported once.
  ///   - module: The module of its source.
  ///   - isSuite: Whether it is a suite.
  /// - Returns: Issues for the changes that stay, in the order made.
  static func finish(
    _ name: String, suite: String, module: String, isSuite: Bool
  ) -> [DiagnosticIssue] {
    let changes = pending.withLock { pending in
      let changes = isSuite ? pending.ofSuite + pending.ofTest : pending.ofTest
      if isSuite { pending.ofSuite = [] }
      pending.ofTest = []
      return changes
    }
    return changes.compactMap { change in
      guard change.location.map({ isTestCode($0, of: module[...]) }) ?? true, change.stays(),
        change.isFirst(of: RunningTest(suite, at: nil))
      else { return nil }
      return change.issue(
        (isSuite ? "suite:" : "test:", name), at: nil, fixes(isSuite: isSuite))
    }
  }
}

extension ContainerCore {
  /// Whether the container itself has a registration for a key, regardless of scopes.
  fileprivate func has(_ key: ServiceKey) -> Bool { registry.registration(of: key) != nil }
}

extension CodeLocation {
  static var unknown: CodeLocation {
    CodeLocation(fileID: "<unknown>", filePath: "<unknown>", line: 0, column: 0)
  }
}
#endif
