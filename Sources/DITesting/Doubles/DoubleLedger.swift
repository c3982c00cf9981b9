#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A ledger of the doubles of one opener: a sandbox, a test, or none.
///
/// It refers to the stubs of these doubles weakly and receives their issues. At the end of the
/// sandbox it reports those of them that were stubbed and never called.
final class DoubleLedger: Sendable {
  private struct Member {
    /// Its place in the order in which stubs were added.
    let number = SerialNumber.next()
    weak var log: (any AnyStubLog)?
  }

  struct Key: Hashable {
    let type: ObjectIdentifier
    let name: Resolver.Name?
  }

  /// A statement that no call used, of the stub of a double.
  private typealias UnusedStatement = (text: String, location: CodeLocation, origin: DoubleOrigin)

  private struct State {
    // By identity: a reference compared under the lock might turn out to be the last one, and the
    // object's `deinit` locks again.
    var members: [ObjectIdentifier: Member] = [:]
    var hasEnded = false
    /// The issues of calls from outside the test, which are attributed to it if reported in it.
    var postponed: [DiagnosticIssue] = []
    /// The findings about stubs that no longer exist, and those that were called.
    var unused: [UnusedStatement] = []
    /// By the requirement's name, so that their number is bounded.
    var released: [String: ReleasedStubs] = [:]
    /// The registered doubles with their stubs, by their type.
    var doubles: [Key: KnownDouble] = [:]
  }

  /// The test, or the function that opened the sandbox; nil for none.
  private let opener: ContextFrame.Opener?
  private let isSandbox: Bool
  private let handler: IssueHandler
  private let state = Lock(State())

  private init(
    opener: ContextFrame.Opener?, isSandbox: Bool,
    handler: @escaping IssueHandler = IssueReporter.report
  ) {
    (self.opener, self.isSandbox, self.handler) = (opener, isSandbox, handler)
  }

  /// Returns the ledger of the current sandbox, or else of the running test.
  static func current() -> DoubleLedger {
    TestHooks.install()
    if let sandbox = ContextFrame.current?.sandbox { return of(sandbox) }
    // XCTest does not provide the location of a test, which line 0 represents.
    let opener = IssueReporter.currentTest.map { name in
      ContextFrame.Opener(
        name: name, location: IssueReporter.testLocation ?? CodeLocation(line: 0),
        report: IssueReporter.report, isTest: true)
    }
    return DoubleLedger(opener: opener, isSandbox: false)
  }

  static func of(_ sandbox: ContextFrame) -> DoubleLedger {
    let handler = sandbox.chain.lazy.compactMap(\.opener.report).first
    return sandbox.extra(DoubleLedger.self) {
      DoubleLedger(
        opener: sandbox.opener, isSandbox: true, handler: handler ?? IssueReporter.report)
    }
  }

  /// The location at which its issues are reported, if it is known.
  var location: CodeLocation? {
    opener.flatMap { $0.location.line == 0 ? nil : $0.location }
  }

  /// The opener, as lines of a diagnosis.
  var facts: [(String, String)] {
    guard let opener else { return [("test:", "none, the double was made outside all tests")] }
    return [(opener.isTest ? "test:" : "sandbox:", opener.place)]
  }

  // MARK: Stubs

  func add(_ log: any AnyStubLog) {
    guard isSandbox else { return }
    state.withLock { $0.members[ObjectIdentifier(log)] = Member(log: log) }
  }

  /// Removes a stub that belongs to another ledger now.
  func drop(_ log: any AnyStubLog) {
    _ = state.withLock { $0.members.removeValue(forKey: ObjectIdentifier(log)) }
  }

  /// Collects the findings about a stub that is being deallocated.
  func leave(_ log: any AnyStubLog) {
    guard isSandbox else { return }
    let hasEnded = state.withLock { state in
      state.members[ObjectIdentifier(log)] = nil
      return state.hasEnded
    }
    if hasEnded { return }
    let (unused, released) = (Self.findings(log), ReleasedStubs(log))
    state.withLock { if !$0.hasEnded { $0.unused += unused } }
    if released.calls > 0 { take([released]) }
  }

  /// Adds stubs that were called, and are released or of a sandbox inside that has ended.
  func take(_ stubs: [ReleasedStubs]) {
    state.withLock { state in
      if state.hasEnded { return }
      for var new in stubs {
        new.calls += state.released[new.name]?.calls ?? 0
        state.released[new.name] = new
      }
    }
  }

  /// All stubs that were called, as those of a sandbox that has ended.
  var called: [ReleasedStubs] {
    released + logs.map { ReleasedStubs($0) }.filter { $0.calls > 0 }
  }

  /// The stubs that are alive, in the order in which they were added.
  var logs: [any AnyStubLog] {
    let members = state.withLock { $0.members }
    return members.values.sorted { $0.number < $1.number }.compactMap(\.log)
  }

  /// The stubs that were called and released since, in the order of their names.
  var released: [ReleasedStubs] {
    state.withLock { $0.released }.values.sorted { $0.name < $1.name }
  }

  /// The number of stubs.
  var count: Int { state.withLock { $0.members.count } }

  // MARK: Doubles

  func keep(_ double: KnownDouble, as key: Key) {
    // The stubs of a double that is released leave the ledger.
    releaseUnlocked(state.withLock { $0.doubles.updateValue(double, forKey: key) })
  }

  func double(_ key: Key) -> Any? { state.withLock { $0.doubles[key]?.double } }

  var doubles: [KnownDouble] { state.withLock { Array($0.doubles.values) } }

  // MARK: Issues

  /// Reports an issue of a call, at the test's place.
  func report(_ text: String, orAt place: CodeLocation) {
    // A call from another test is reported as such.
    if stranger != nil { return }
    report(DiagnosticIssue(text: text, severity: .error, location: location ?? place))
  }

  /// Reports an issue: at once in the test's own tasks, otherwise when the sandbox ends.
  func report(_ issue: DiagnosticIssue) {
    let isHere = isHere
    let isPostponed = state.withLock { state in
      if !isSandbox || state.hasEnded || isHere { return false }
      state.postponed.append(issue)
      return true
    }
    if !isPostponed { handler(issue) }
  }

  /// Reports an issue before the process ends.
  func reportAtOnce(_ text: String, orAt place: CodeLocation) {
    handler(DiagnosticIssue(text: text, severity: .error, location: location ?? place))
  }

  /// Its own test and another one that is running here; nil if there is no other.
  var stranger: (own: String, test: String)? {
    guard isSandbox, let opener, opener.isTest, !isEnclosing,
      let test = ContextFrame.boundTest ?? IssueReporter.currentTest, test != opener.name
    else { return nil }
    return (opener.name, test)
  }

  /// Whether an issue that is reported here is attributed to the test.
  private var isHere: Bool {
    IssueReporter.isOnlyXCTest || IssueReporter.runsAmongOthers && isEnclosing
  }

  /// Whether its sandbox is the current one, or around that.
  var isEnclosing: Bool {
    ContextFrame.current?.chain.contains { $0.extra(DoubleLedger.self) === self } ?? false
  }

  /// Reports all findings at the end of the sandbox.
  ///
  /// `unused`: the doubles that nothing resolved, as the test is told, or why.
  fileprivate func end(
    _ severity: IssueSeverity, wasCutShort: Bool, unused: Set<DoublePlace>
  ) {
    let logs = logs
    let state = state.withLock { exchange(&$0, with: State(hasEnded: true)) }
    for issue in state.postponed { handler(issue) }
    if state.hasEnded || wasCutShort { return }
    for finding in state.unused + logs.flatMap(Self.findings)
    where !finding.origin.isRegistered(onlyAt: unused) {
      handler(DiagnosticIssue(text: finding.text, severity: severity, location: finding.location))
    }
  }

  private static func findings(_ log: any AnyStubLog) -> [UnusedStatement] {
    // That it was refused is an issue of its own, and the cause.
    if log.identity.origin.refusal != nil { return [] }
    return log.unusedRules.map { rule in
      let headline =
        rule.isForOtherCalls
        ? "No call of `\(log.name)` was one that this stub is for."
        : "`\(log.name)` was stubbed and never called."
      let missed = CallReport(about: [log]).missedCall(of: log)
      let diagnosis = Diagnosis(
        headline: headline,
        facts: [("stubbed:", "\(rule.location)")]
          + log.notedCalls.prefix(10).map { ("called:", $0.text()) } + (missed?.facts ?? []),
        fixes: (missed.map { [$0.fix] } ?? []) + [
          "Remove it, or check that the code under test makes the call.",
          "If it serves several tests, mark it: \(LenientDoubles.advice).",
        ])
      return (diagnosis.text, rule.location, log.identity.origin)
    }
  }
}

/// A double that is registered or was made for a test, with its stubs, which were read then.
struct KnownDouble {
  let double: Any
  let stubs: [NamedStubLog]
}

extension ContextFrame {
  /// Reports the findings about the doubles of a sandbox at its end.
  func reportDoubles() {
    guard let ledger = extra(DoubleLedger.self) else { return }
    let called = ledger.called
    if !called.isEmpty, let outer = parent?.sandbox { DoubleLedger.of(outer).take(called) }
    ContextFrame.$bound.withValue(self) {
      ledger.end(findingSeverity, wasCutShort: isCutShort, unused: explainedUnused)
    }
  }
}

// MARK: - Leniency

/// The leniency of doubles, which is a policy of scopes.
enum LenientDoubles {
  static var areCurrent: Bool { ContextFrame.current?.testPolicies?.hasLenientDoubles ?? false }

  /// The code that makes a stub lenient.
  static var advice: String {
    "`.lenient()` on the stub, or "
      + (ProcessHooks.current.runsOneTestAtATime()
        ? "`override var hasLenientDoubles: Bool { true }`" : "the `.lenient` trait")
  }
}
#endif
